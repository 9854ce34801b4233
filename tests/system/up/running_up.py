# SPDX-License-Identifier: Apache-2.0
"""A running `proxima up`, and what can be asked of it from outside."""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from peers import servers
from testbed.waiting import eventually


def not_shown(what):
    print(f"not shown: {what}", flush=True)


def temporary_folder():
    # Not the test's own umask: another user must get into it.
    folder = tempfile.TemporaryDirectory(prefix="px-up-", ignore_cleanup_errors=True)
    os.chmod(folder.name, 0o755)
    return folder


def no_kubectl():
    """Why there is none; nothing when there is."""
    try:
        servers.peer("kubectl")
        return ""
    except servers.Unavailable as why:
        return f"what kubectl does to a lab: {why}"


def busy_without(up, zone):
    """Whether all services are asked, and none of the last requests came from or went to the zone."""
    services = [one["measured"] for one in up.state()["services"]]
    return all(measured and measured["requestsPerSecond"] > 1 and
               not any(zone in (flow["from"], flow["to"]) for flow in measured["flows"])
               for measured in services)


class Up:
    """`folder` is the test's own: state, output and logs go there."""

    def __init__(self, program, folder, *flags, wrap=()):
        self.program, self.folder, self.wrap = str(program), pathlib.Path(folder), list(wrap)
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder), "NO_COLOR": "1"}
        self.out, self.err = self.folder / "out", self.folder / "err"
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.child = subprocess.Popen(
                [*self.wrap, self.program, "up", *flags], stdin=subprocess.DEVNULL, stdout=out,
                stderr=err, env=self.environment, cwd=self.folder)
        self.page = self.kubeconfig = None

    def wait_until_ready(self):
        """Returns when the summary was printed; raises with what it said when it ended."""
        def summary():
            if self.child.poll() is not None:
                raise AssertionError(f"it ended with {self.child.returncode}: {self.said()}")
            return re.search(r"Page:\s+(\S+)\n(?:.*\n)*?\s*Kubeconfig:\s+(\S+)\n", self.out.read_text())
        found = eventually(summary, "the summary", seen=self.said)
        self.page, self.kubeconfig = found.group(1), found.group(2)
        parts = urllib.parse.urlsplit(self.page)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        return self

    def said(self):
        words = self.out.read_text() + self.err.read_text()
        for log in sorted(self.folder.glob("proxima/lab/logs/*.log")):
            words += f"--- {log.name}\n" + log.read_text(errors="replace")[-1500:]
        return words

    def ask(self, path, method="GET", body=None, headers=None):
        """(status, text), whatever the status."""
        request = urllib.request.Request(
            self.origin + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "X-Proxima": "1",
                     **({} if headers is None else headers)})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def state(self):
        status, text = self.ask("/api/state")
        assert status == 200, (status, text)
        return json.loads(text)

    def service(self, name):
        """As the page shows it; of one that it does not know yet, nothing."""
        return next((one for one in self.state()["services"] if one["service"] == name),
                    {"policy": None, "endpoints": 0, "measured": None})

    def measured(self, name):
        return self.service(name)["measured"] or {"local": None, "requestsPerSecond": 0}

    def run(self, *words, check=True):
        """Our own program, as the user who runs the lab."""
        done = subprocess.run([*self.wrap, self.program, *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def lab(self, *words, check=True):
        return self.run("lab", *words, check=check)

    def kubectl(self, *words, given=None):
        done = subprocess.run([str(servers.peer("kubectl")), "--kubeconfig", self.kubeconfig, *words],
                              env={**os.environ, "HOME": str(self.folder)}, input=given,
                              capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"kubectl {words}: {done.stdout}{done.stderr}")
        return done.stdout

    def processes(self):
        """The numbers of all processes of this lab: they name its files."""
        mine = str(self.folder).encode()
        found = [self.child.pid] if self.child.poll() is None else []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and mine in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return sorted(set(found))

    def proxies(self):
        """Node → the number of its proxy's process."""
        found = {}
        for process in self.processes():
            with contextlib.suppress(OSError):
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
                found.update((word.partition("=")[2], process) for word in words
                             if word.startswith("--hostname-override="))
        return found

    def memory_megabytes(self):
        """Of all its processes, with what they share counted once (PSS)."""
        total = 0
        for process in self.processes():
            text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE).group(1))
        return total / 1024

    def processor_seconds(self):
        """Of the program itself, so far."""
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number=signal.SIGINT, seconds=20):
        if self.child.poll() is None:
            self.child.send_signal(number)
        return self.child.wait(seconds)

    def kill(self):
        """For the end of a test that failed."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


@contextlib.contextmanager
def running(program, folder, *flags, wrap=()):
    up = Up(program, folder, *flags, wrap=wrap)
    try:
        yield up.wait_until_ready()
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            up.end()
        up.kill()
