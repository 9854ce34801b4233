# SPDX-License-Identifier: Apache-2.0
"""Starts an API server for a test, the real one or the embedded one, and leaves nothing behind.

Both give an Endpoint: where it is, how to trust it and the tokens of an admin and of a reader.
"""
import base64
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request

from testbed.waiting import eventually

PROJECT = pathlib.Path(__file__).resolve().parents[3]
ETCD_BYTES_MAX = 8 << 30
ATTEMPTS_MAX = 3  # another process may take a port between our choosing and the server's binding

# What the two servers are told alike, so that their answers can be compared.
SINGLE_STACK = "10.96.0.0/16"
DUAL_STACK = "10.96.0.0/16,fd00:96::/112"

# What the real server's audit log keeps: writes that controllers make, and Pods' states.
AUDIT_POLICY = """
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, update, patch, delete]
  resources:
  - {group: discovery.k8s.io, resources: [endpointslices]}
  - {group: "", resources: [pods/status, services/status, events]}
  - {group: events.k8s.io, resources: [events]}
- level: None
"""

# Admission of the real server that serves schedulers, quotas or security and changes or refuses
# objects. The embedded server has none of it.
ABSENT_ADMISSION = ("ServiceAccount", "DefaultTolerationSeconds", "Priority", "RuntimeClass",
                    "TaintNodesByCondition", "LimitRanger", "ResourceQuota", "PodSecurity")


class ServerEnded(Exception):
    """The server ended by itself; says its last words."""


class Unavailable(Exception):
    """The server cannot be had here; says why."""


@dataclasses.dataclass
class Endpoint:
    host: str
    port: int
    trust: ssl.SSLContext
    admin: str
    reader: str
    kubeconfig: pathlib.Path
    # Of the real server alone: a second admin, so that its log tells whose writes are whose.
    controller_kubeconfig: pathlib.Path | None = None
    audit_log: pathlib.Path | None = None
    etcd_url: str | None = None
    programs: dict = dataclasses.field(default_factory=dict)  # "etcd", "kube-apiserver" → Program
    log: pathlib.Path | None = None  # of these

    @property
    def url(self):
        return f"https://{self.host}:{self.port}"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def peer(name):
    """The path of a real Kubernetes program, or Unavailable."""
    folder = pathlib.Path(os.environ.get("PROXIMA_PEERS", PROJECT / "build" / "peers"))
    if (folder / name).exists():
        return folder / name
    raise Unavailable(f"{name} is not in {folder}; make peers builds it")


class Program:
    """A child process that ends with the block; it can be killed and started again."""

    def __init__(self, words, log):
        self.words, self.log = [str(word) for word in words], log
        self.child = None

    def start(self):
        with open(self.log, "ab") as sink:
            self.child = subprocess.Popen(self.words, stdout=sink, stderr=sink,
                                          stdin=subprocess.DEVNULL)

    def kill(self):
        self.child.kill()
        self.child.wait()

    def end(self):
        """As SIGTERM does, also to one that is stopped; its exit code."""
        if self.child.poll() is None:
            self.child.terminate()
            self.child.send_signal(signal.SIGCONT)
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        return self.child.returncode

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *ignored):
        self.end()


@contextlib.contextmanager
def running(words, log):
    """A child process that ends with the block."""
    with Program(words, log) as program:
        yield program.child


def last_lines(log):
    return pathlib.Path(log).read_text(errors="replace")[-3000:]


def wait_until_ready(endpoint, children, log):
    """Returns when /readyz says ok; raises when a child dies or time is up."""
    request = urllib.request.Request(endpoint.url + "/readyz",
                                     headers={"Authorization": "Bearer " + endpoint.admin})

    def is_ready():
        if any(child.poll() is not None for child in children):
            raise ServerEnded("the server ended:\n" + last_lines(log))
        with contextlib.suppress(urllib.error.URLError, OSError):
            with urllib.request.urlopen(request, context=endpoint.trust, timeout=5) as answer:
                return answer.status == 200
        return False

    eventually(is_ready, "the server is ready", seen=lambda: last_lines(log))


def unverified():
    """For the real server, whose certificate is made at its start, for it alone."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def write_kubeconfig(path, url, token):
    path.write_text("apiVersion: v1\nkind: Config\ncurrent-context: it\n"
                    "clusters: [{name: it, cluster: {server: '" + url +
                    "', insecure-skip-tls-verify: true}}]\n"
                    "users: [{name: it, user: {token: " + token + "}}]\n"
                    "contexts: [{name: it, context: {cluster: it, user: it}}]\n")
    path.chmod(0o600)


def real_arguments(folder, port, etcd_port, ranges, admission=()):
    return [peer("kube-apiserver"), f"--etcd-servers=http://127.0.0.1:{etcd_port}",
            f"--cert-dir={folder / 'certificates'}", "--bind-address=127.0.0.1",
            f"--secure-port={port}", "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={folder / 'key'}",
            f"--service-account-signing-key-file={folder / 'key'}",
            f"--service-cluster-ip-range={ranges}", f"--token-auth-file={folder / 'tokens'}",
            "--authorization-mode=RBAC", "--anonymous-auth=false", "--allow-privileged=true",
            f"--audit-policy-file={folder / 'audit.yaml'}",
            f"--audit-log-path={folder / 'audit.log'}",
            *(f"--enable-admission-plugins={name}" for name in admission),
            "--disable-admission-plugins=" + ",".join(ABSENT_ADMISSION), "--v=0"]


def etcd_arguments(folder, port, peer_port):
    client, other = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer_port}"
    return [peer("etcd"), "--data-dir", folder / "etcd", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", other,
            "--initial-advertise-peer-urls", other, "--initial-cluster", "default=" + other,
            "--quota-backend-bytes", str(ETCD_BYTES_MAX), "--log-level", "error"]


def let_reader_read(endpoint):
    """RBAC objects for what a read-only kubeconfig of the embedded server may do."""
    rules = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]},
             {"nonResourceURLs": ["*"], "verbs": ["get"]}]
    objects = (("clusterroles", {"kind": "ClusterRole", "metadata": {"name": "reader"},
                                 "rules": rules}),
               ("clusterrolebindings",
                {"kind": "ClusterRoleBinding", "metadata": {"name": "reader"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                             "name": "reader"},
                 "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User",
                               "name": "readonly"}]}))
    for plural, thing in objects:
        request = urllib.request.Request(
            f"{endpoint.url}/apis/rbac.authorization.k8s.io/v1/{plural}",
            data=json.dumps({"apiVersion": "rbac.authorization.k8s.io/v1", **thing}).encode(),
            headers={"Authorization": "Bearer " + endpoint.admin,
                     "Content-Type": "application/json"})
        urllib.request.urlopen(request, context=endpoint.trust, timeout=10).close()


@contextlib.contextmanager
def real_server_once(ranges, controllers, etcd_from, etcd_to, admission):
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        subprocess.run(["openssl", "genrsa", "-out", folder / "key", "2048"], check=True,
                       capture_output=True)
        (folder / "tokens").write_text("admin-token,admin,admin,system:masters\n"
                                       "controller-token,controller,controller,system:masters\n"
                                       "reader-token,readonly,readonly\n")
        (folder / "audit.yaml").write_text(AUDIT_POLICY)
        if etcd_from:
            shutil.copytree(etcd_from, folder / "etcd")
        if etcd_to:  # when all have ended
            stack.callback(lambda: shutil.copytree(folder / "etcd", etcd_to, dirs_exist_ok=True))
        port, etcd_port, log = free_port(), free_port(), folder / "log"
        programs = {
            "etcd": Program(etcd_arguments(folder, etcd_port, free_port()), log),
            "kube-apiserver": Program(real_arguments(folder, port, etcd_port, ranges, admission),
                                      log)}
        for program in programs.values():
            stack.enter_context(program)
        endpoint = Endpoint("127.0.0.1", port, unverified(), "admin-token", "reader-token",
                            folder / "kubeconfig", folder / "controller-kubeconfig",
                            folder / "audit.log", f"http://127.0.0.1:{etcd_port}", programs, log)
        write_kubeconfig(endpoint.kubeconfig, endpoint.url, endpoint.admin)
        write_kubeconfig(endpoint.controller_kubeconfig, endpoint.url, "controller-token")
        wait_until_ready(endpoint, [program.child for program in programs.values()], log)
        if not etcd_from:
            let_reader_read(endpoint)
        if controllers:
            stack.enter_context(running(
                [peer("kube-controller-manager"), f"--kubeconfig={endpoint.kubeconfig}",
                 "--controllers=" + ",".join(controllers), "--leader-elect=false",
                 "--secure-port=0", "--v=0"], folder / "controllers.log"))
        yield endpoint


@contextlib.contextmanager
def real_server(ranges=SINGLE_STACK, controllers=(), etcd_from=None, etcd_to=None, admission=()):
    """kube-apiserver with etcd, and some of kube-controller-manager's controllers if asked.
    `etcd_from`: a copy of what another one stored, to begin with; `etcd_to`: where to leave such a
    copy at the end. `admission`: plugins beside those that are on by themselves."""
    for program in ("kube-apiserver", "etcd") + ("kube-controller-manager",) * bool(controllers):
        peer(program)
    with contextlib.ExitStack() as stack:
        for attempt in range(ATTEMPTS_MAX):
            try:
                endpoint = stack.enter_context(
                    real_server_once(ranges, controllers, etcd_from, etcd_to, admission))
                break
            except ServerEnded:
                if attempt + 1 == ATTEMPTS_MAX:
                    raise
        yield endpoint


def field_of(kubeconfig, name):
    """One value of a kubeconfig; enough for those that a server writes itself."""
    found = re.search(rf'^\s*-?\s*"?{name}"?:\s*"?([^"\s]+)', kubeconfig, re.MULTILINE)
    if not found:
        raise RuntimeError(f"the kubeconfig has no {name}")
    return found.group(1)


@contextlib.contextmanager
def embedded_server(program, ranges=SINGLE_STACK, folder=None, port=0, flags=()):
    """`proxima apiserver` in a folder of its own, or in one that another left its data in."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder or stack.enter_context(tempfile.TemporaryDirectory()))
        log, data = folder / "log", folder / "data"
        files = [data / "kubeconfig", data / "kubeconfig-readonly"]
        for file in files:
            file.unlink(missing_ok=True)  # an earlier one may have had another port
        child = stack.enter_context(running(
            [program, "apiserver", "--data-dir", data, "--bind-address", "127.0.0.1",
             "--secure-port", port, "--service-cluster-ip-range", ranges, *flags], log))

        def are_written():
            if child.poll() is not None:
                raise ServerEnded("the embedded server ended:\n" + last_lines(log))
            return all(file.exists() and "token" in file.read_text() for file in files)

        eventually(are_written, "the embedded server writes its kubeconfigs",
                   seen=lambda: last_lines(log))
        admin, reader = (file.read_text() for file in files)
        host, port = field_of(admin, "server").removeprefix("https://").rstrip("/").rsplit(":", 1)
        trust = ssl.create_default_context(
            cadata=base64.b64decode(field_of(admin, "certificate-authority-data")).decode())
        endpoint = Endpoint(host, int(port), trust, field_of(admin, "token"),
                            field_of(reader, "token"), files[0])
        wait_until_ready(endpoint, [child], log)
        yield endpoint
