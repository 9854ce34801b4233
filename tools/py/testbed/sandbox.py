# SPDX-License-Identifier: Apache-2.0
"""A folder in which the commands of a page are run: the project's files as a reader has them, the
programs they name, and a home of its own."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.request

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[3]
from peers import servers
from testbed.waiting import eventually

PAGE_SECONDS_MAX = 60
SHOWN = ("examples", "deploy", "packaging", "docs", "ui", "tests", "tools")  # a page may name them
PATHS = {"Namespace": "/api/v1/namespaces", "Node": "/api/v1/nodes",
         "Pod": "/api/v1/namespaces/{}/pods", "Service": "/api/v1/namespaces/{}/services"}
# The project is not built again by its documents: make says what it would do, and fails where a
# target or a variable is wrong.
MAKE = f"#!/bin/sh\nexec {shutil.which('make')} --dry-run --directory {PROJECT} \"$@\" >/dev/null\n"
SUDO = "#!/bin/sh\nexec \"$@\"\n"
# A page lets a command run for a while with `timeout 3 … || true`. One that ends before is wrong, and
# is written down here, where `|| true` does not hide it.
FAULTS = "faults"
TIMEOUT = """#!/bin/sh
%s "$@"
code=$?
[ $code -eq 124 ] || echo "timeout $*: it ended with $code" >> '%s'
exit $code
"""
# Programs that are not ours, and by which command a page needs them.
NEEDED_FOR = {"kubectl": "kubectl", "helm": "helm", "curl": "curl", "node": "node",
              "chromium": "picture.mjs"}
NODE_LABEL = "proxima.io/node-proxy"  # of nodes on which the DaemonSet runs our proxy


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def programs(folder, program):
    """What a page may call, in a folder of its own."""
    folder.mkdir()
    for name in ("proxima", "kubectl-proxima", "kubectl_complete-proxima"):
        (folder / name).symlink_to(program)
    for name in ("kubectl", "helm"):
        with contextlib.suppress(servers.Unavailable):
            (folder / name).symlink_to(servers.peer(name))
    write_program(folder / "make", MAKE)
    write_program(folder / "sudo", SUDO)
    write_program(folder / "timeout", TIMEOUT % (shutil.which("timeout"), folder.parent / FAULTS))


def missing_programs(script):
    """Of the programs that are not ours and that a script needs, those that cannot be had here."""
    return [name for name, sign in NEEDED_FOR.items()
            if re.search(rf"(?m)(^|[ ;(/]){sign} ", script) and path_of(name) is None]


def path_of(name):
    """None: it is not here."""
    try:
        return str(servers.peer(name))
    except servers.Unavailable:
        return shutil.which(name)


class Writer:
    """Creates objects with their status, which `kubectl apply` would leave out."""

    def __init__(self, endpoint):
        self.connection = http.client.HTTPSConnection(endpoint.host, endpoint.port, timeout=30,
                                                      context=endpoint.trust)
        self.headers = {"Authorization": "Bearer " + endpoint.admin,
                        "Content-Type": "application/json"}

    def send(self, method, path, body):
        self.connection.request(method, path, json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def create(self, item):
        path = PATHS[item["kind"]].format(item["metadata"].get("namespace"))
        made = self.send("POST", path, item)
        if "status" in item:
            made["status"] = item["status"]
            self.send("PUT", f"{path}/{item['metadata']['name']}/status", made)


def objects_of(file):
    for document in yaml.safe_load_all(file.read_text()):
        kind = document["kind"]
        if kind.endswith("List"):
            for item in document["items"]:
                yield {"kind": kind.removesuffix("List"), "apiVersion": "v1", **item}
        else:
            yield document


@contextlib.contextmanager
def cluster(program, folder):
    """The kubeconfig of an API server with the example cluster and the controller at work."""
    with servers.embedded_server(program, folder=folder) as endpoint:
        writer = Writer(endpoint)
        for item in objects_of(PROJECT / "examples" / "three-zones.yaml"):
            writer.create(item)
        words = [program, "controller", "--kubeconfig", endpoint.kubeconfig, "--leader-elect=false",
                 "--metrics-bind-address=0"]
        with servers.running(words, folder / "controller.log"):
            path = "/apis/discovery.k8s.io/v1/endpointslices"
            eventually(lambda: len(writer.send("GET", path, None)["items"]) >= 9,
                       "the controller makes a slice for each Service",
                       seen=lambda: servers.last_lines(folder / "controller.log"))
            yield endpoint.kubeconfig


def run_script(script, folder, environment):
    """Exit code, the lines of the blocks that began, and the output. Nothing outlives the script."""
    (folder / "script").write_text(script)
    reader, writer = os.pipe()
    with open(folder / "output", "wb") as output:
        child = subprocess.Popen(["bash", "-c", f"exec 3>&{writer}; source {folder}/script"],
                                 cwd=folder / "work", env=environment, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=output, pass_fds=[writer],
                                 start_new_session=True)
        os.close(writer)
        try:
            code = child.wait(PAGE_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            code = f"more than {PAGE_SECONDS_MAX} s"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)
        child.wait()
    with os.fdopen(reader) as lines:
        begun = lines.read().split()
    return code, begun, (folder / "output").read_text(errors="replace")


@contextlib.contextmanager
def daemon_set(proxy, kubeconfig):
    """As a DaemonSet does it: the proxy ends when its node had the label, and has it no more."""
    if path_of("kubectl") is None:  # nor can the page change a label
        yield
        return
    label = NODE_LABEL.replace(".", "\\.")
    watch = subprocess.Popen(
        [path_of("kubectl"), "--kubeconfig", kubeconfig, "get", "node", "a1", "--watch", "-o",
         f'jsonpath={{.metadata.labels.{label}}}{{"\\n"}}'], stdout=subprocess.PIPE, text=True)
    watch.stdout.readline()  # from now on it sees every change

    def follow():
        labels = (line.strip() for line in watch.stdout)
        if any(labels) and not all(labels):
            proxy.terminate()

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        yield
    finally:
        watch.terminate()
        watch.wait()
        thread.join()
        watch.stdout.close()


@contextlib.contextmanager
def node_proxy(program, kubeconfig, folder):
    """The proxy of node a1, in the namespace that all of this runs in."""
    words = [program, "proxy", "--kubeconfig", kubeconfig, "--hostname-override", "a1",
             "--cluster-cidr", "10.0.0.0/8"]
    with servers.running(words, folder / "proxy.log") as proxy:
        def is_ready():
            with contextlib.suppress(OSError):
                with urllib.request.urlopen("http://127.0.0.1:10249/readyz", timeout=5):
                    return True
            return False

        eventually(is_ready, "the proxy is ready",
                   seen=lambda: servers.last_lines(folder / "proxy.log"))
        with daemon_set(proxy, kubeconfig):
            yield


@contextlib.contextmanager
def lab(program, folder, environment):
    """`proxima up`, in the sandbox's home, until it is up. Nothing of it is set for the page: its
    reader has what the page says."""
    log = folder / "up.log"
    with open(log, "wb") as sink:
        child = subprocess.Popen([program, "up"], env=environment, stdin=subprocess.DEVNULL,
                                 stdout=sink, stderr=sink)
    try:
        def is_up():
            if child.poll() is not None:
                raise RuntimeError("the lab ended:\n" + log.read_text())
            return "Ctrl-C" in log.read_text()

        eventually(is_up, "the lab is up", seen=log.read_text)
        yield
    finally:
        child.terminate()
        child.wait(30)


def run_page(page, page_script, program):
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(
            prefix="proxima-documents.", ignore_cleanup_errors=True)))
        (folder / "work").mkdir()
        for name in SHOWN:
            (folder / "work" / name).symlink_to(PROJECT / name)
        programs(folder / "bin", program)
        environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
                       "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        for name in ("KUBECONFIG", "XDG_STATE_HOME"):
            environment.pop(name, None)
        if page.needs_cluster:
            (folder / "cluster").mkdir()
            environment["KUBECONFIG"] = str(
                stack.enter_context(cluster(program, folder / "cluster")))
        if page.needs_lab:
            stack.enter_context(lab(program, folder, environment))
        if page.needs_proxy:
            stack.enter_context(node_proxy(program, environment["KUBECONFIG"], folder / "cluster"))
        code, begun, output = run_script(page_script, folder, environment)
        faults = folder / FAULTS
        if faults.exists():
            return code or 1, begun, output + faults.read_text()
        return code, begun, output
