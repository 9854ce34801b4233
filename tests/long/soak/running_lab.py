# SPDX-License-Identifier: Apache-2.0
"""A running `proxima up`: what it says, what it is told, which processes and namespaces it has, and
what is left of it afterwards."""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.request
import uuid

from support.namespace_watch import NamespaceWatch, namespace_links
from support.process_facts import command_line, descriptors, marked, status_field
from testbed.waiting import eventually, first_true

COMMAND_SECONDS_MAX = 60
END_SECONDS_MAX = 60


class Trouble(Exception):
    """The lab did not do what it should."""


class RunningLab:
    """Started by __enter__; __exit__ kills what still runs and removes its folder."""

    def __init__(self, program, kubectl, flags):
        self.program, self.kubectl_program, self.flags = program, kubectl, flags
        self.mark = "PROXIMA_SOAK=" + uuid.uuid4().hex
        self.watch = None  # of the namespaces that up had at its end

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="proxima-soak-")
        root = pathlib.Path(self.folder.name)
        self.state_home, self.scratch, self.log = root / "state", root / "tmp", root / "log"
        for made in (self.state_home, self.scratch, root / "home"):
            made.mkdir()
        name, value = self.mark.split("=")
        self.environment = {**os.environ, name: value, "XDG_STATE_HOME": str(self.state_home),
                            "TMPDIR": str(self.scratch), "HOME": str(root / "home")}
        self.environment.pop("KUBECONFIG", None)
        with open(self.log, "wb") as sink:
            self.child = subprocess.Popen([self.program, "up", *self.flags], stdout=sink,
                                          stderr=sink, stdin=subprocess.DEVNULL,
                                          env=self.environment, start_new_session=True)
        return self

    def __exit__(self, *ignored):
        if self.watch:
            self.watch.close()
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        self.folder.cleanup()

    def words(self):
        return self.log.read_text(errors="replace")[-4000:]

    def wait_until_ready(self):
        """Until the page answers and the cluster has settled."""
        def run_file():
            if self.child.poll() is not None:
                raise Trouble(f"up ended with {self.child.returncode}:\n{self.words()}")
            return next((file for file in self.state_home.rglob("run.json")
                         if file.stat().st_size > 0), None)

        self.run = json.loads(eventually(run_file, "up writes its run file",
                                         seen=self.words).read_text())
        self.wait_until_settled()

    def wait_until_settled(self):
        """Until every node has power and is ready, every Pod serves, and requests are made."""
        eventually(lambda: not unsettled(self.state()), "the lab settles",
                   seen=lambda: unsettled(self.state()))

    def state(self):
        request = urllib.request.Request(self.run["url"].rstrip("/") + "/api/state", headers={
            "Authorization": "Bearer " + self.run["token"]})
        with urllib.request.urlopen(request, timeout=COMMAND_SECONDS_MAX) as answer:
            return json.load(answer)

    def state_after(self, moment):
        """The first picture of the cluster that was made after `moment` (of time.time())."""
        def newer():
            state = self.state()
            return state if state["time"] > moment else None

        return eventually(newer, f"a picture newer than {moment}")

    def tell(self, words, given=""):
        done = subprocess.run([str(word) for word in words], env=self.environment, input=given,
                              capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
        if done.returncode != 0:
            raise Trouble(f"{' '.join(map(str, words[1:]))}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def lab(self, *words):
        return self.tell([self.program, "lab", *words])

    def kubectl(self, *words, given=""):
        return self.tell([self.kubectl_program, "--kubeconfig", self.run["kubeconfig"], *words], given)

    def act(self, action):
        if action.program == "lab":
            return self.lab(*action.words)
        return self.kubectl(*action.words, given=action.given)

    def sample(self):
        """Memory in MB that is the processes' own, and how much else they hold."""
        up = self.child.pid
        sizes = {process: status_field(process, "RssAnon") for process in marked(self.mark)
                 if process != up and b"\0proxy\0" in command_line(process)}
        proxies = {process: size / 1024 for process, size in sizes.items() if size}
        return {"time": time.monotonic(), "up": (status_field(up, "RssAnon") or 0) / 1024,
                "up whole": (status_field(up, "VmRSS") or 0) / 1024,
                "proxy": statistics.median(proxies.values() or [0]),
                "proxies": proxies, "namespaces": len(namespace_links(up)) - 1,
                "descriptors": descriptors(up)}

    def namespaces_too_many(self):
        """Those that up holds beyond the router's and one a node and a Pod; a settled lab has none."""
        def too_many():
            state = self.state()
            return len(namespace_links(self.child.pid)) - len(state["nodes"]) - len(state["pods"]) - 2

        first_true(lambda: too_many() <= 0)
        return too_many()

    def end(self):
        """As Ctrl-C does. What is wrong about it."""
        self.watch = NamespaceWatch(self.child.pid)
        self.child.send_signal(signal.SIGINT)
        try:
            code = self.child.wait(END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            return [f"up did not end within {END_SECONDS_MAX} s after SIGINT"]
        return [] if code == 0 else [f"up ended with {code}: {self.words()[-500:]}"]

    def leftovers(self):
        """What is still there a while after the end."""
        first_true(lambda: not self.leftovers_now())
        return self.leftovers_now()

    def leftovers_now(self):
        found = [f"process {process}: {command_line(process)[:120]}"
                 for process in marked(self.mark)]
        found += self.watch.left() if self.watch else []
        # The lock file stays: removing a lock that another process may wait for is a race.
        found += [f"file {path}" for root in (self.state_home, self.scratch)
                  for path in root.rglob("*") if path.is_file() and path.name != "up.lock"]
        return found


def unsettled(state):
    """The first thing that is not as it should be; empty when all is."""
    for zone in state["zones"]:
        if zone["failed"]:
            return f"{zone['name']} has failed"
    for node in state["nodes"]:
        if not node["ready"] or node["power"] is False:
            return f"{node['name']} is not ready"
    for pod in state["pods"]:
        if not pod["ready"] or pod["terminating"]:
            return f"Pod {pod['namespace']}/{pod['name']} is not ready"
    if not state["totals"]["requestsPerSecond"]:
        return "no request was made"
    return ""
