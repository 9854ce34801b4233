# SPDX-License-Identifier: Apache-2.0
"""A cluster of network namespaces (src/lab), its backends and its clients, for one test run."""
import concurrent.futures
import contextlib
import ctypes
import dataclasses
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent

FAMILIES = ("v4", "v6")
BACKEND_PORT = 8080
SERVICE_RANGES = "172.30.0.0/16,fd00:172:30::/112"
POD_RANGES = "10.180.0.0/16,fd00:10:180::/48"
BALANCERS = {"v4": "198.18.", "v6": "2001:db8:198:18::"}
CLONE_NEWNET = 0x40000000
DIAL_SECONDS_MAX = 300


class NoNamespaces(Exception):
    """This machine lets nobody make network namespaces; says why."""


def end_cleanly():
    """Whoever is told to end, by `timeout` or by hand, ends what it started first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))


def become_able():
    """Without root's rights a test starts itself again in a user namespace, where the kernel allows
    one. The real Kubernetes programs do not run there: nft may not enlarge its buffers, and
    kube-apiserver wants a default route."""
    words = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
    if os.geteuid() == 0 or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        return
    os.environ["PROXIMA_PEERS"] = str(HERE / "none-in-a-user-namespace")
    inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, "-B", *sys.argv]
    os.execvp(words[0], [*words, *inside])


@dataclasses.dataclass(frozen=True)
class Host:
    name: str
    kind: str
    file: str  # of its namespace
    zone: str
    node: str
    v4: str
    v6: str

    def address(self, family):
        return self.v4 if family == "v4" else self.v6

    def enter(self, words):
        """The words of a command, to be run inside. It ends with whoever started it."""
        return ["setpriv", "--pdeathsig", "KILL", "nsenter", "--net=" + self.file,
                *(str(word) for word in words)]


def socket_inside(namespace_file, make):
    """The socket that `make` gives inside a namespace; this process stays where it is."""
    def enter_and_make():
        with open(namespace_file) as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        return make()

    # A thread of its own that ends with this: nobody else must find itself in the namespace.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(enter_and_make).result()


def loopback_listener(port):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", port))
    sock.listen(64)
    return sock


class Relay:
    """Brings the API server, which listens on our loopback, to the same address in a namespace."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.lock = threading.Lock()
        self.pairs = set()
        self.listener = None
        self.open()

    def open(self):
        self.listener = socket_inside(self.host.file, lambda: loopback_listener(self.port))
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port), 10)
            except OSError:  # it is not there at the moment
                near.close()
                continue
            far.settimeout(None)
            pair = (near, far)
            with self.lock:
                self.pairs.add(pair)
            for one, other in (pair, pair[::-1]):
                threading.Thread(target=self.copy, args=(one, other, pair), daemon=True).start()

    def copy(self, one, other, pair):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 18):
                other.sendall(data)
        for sock in pair:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        with self.lock:
            if pair in self.pairs:  # the other direction still has to see that it is over
                self.pairs.discard(pair)
                return
        for sock in pair:
            sock.close()

    def close(self):
        """As if the API server had gone: connections end, new ones are refused."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            pairs, self.pairs = self.pairs, set()
        for sock in (sock for pair in pairs for sock in pair):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()


class Bed:
    """Hosts by name: outside-1, node-1, pod-1-1 …; every Pod is a backend with its name."""

    def __init__(self, stack, programs, shape):
        self.traffic = programs / "px-traffic"
        # In a session of its own: Ctrl-C on a terminal must not end it before what is in its
        # namespaces, or they stay. It ends when its input does.
        lab = subprocess.Popen([programs / "px-lab", *shape], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
        stack.callback(lab.wait)
        stack.callback(lab.stdin.close)
        self.hosts = {}
        while (line := lab.stdout.readline()) not in ("ready\n", ""):
            host = Host(*line.rstrip("\n").split("\t"))
            self.hosts[host.name] = host
        if not line:
            raise NoNamespaces(lab.stderr.read().strip())
        for host in self.hosts.values():
            if host.kind == "pod":
                self.start_backend(stack, host)

    def __getitem__(self, name):
        return self.hosts[name]

    def start_backend(self, stack, host, port=BACKEND_PORT):
        child = subprocess.Popen(
            host.enter([self.traffic, "serve", host.name, port]),
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        stack.callback(child.wait)
        stack.callback(child.kill)
        if child.stdout.readline() != b"ready\n":
            raise RuntimeError(f"the backend of {host.name} did not start")

    def start_dial(self, name, jobs):
        """Jobs are dicts; see traffic/dial_job.h. The child tells when it is asked."""
        child = subprocess.Popen(self[name].enter([self.traffic, "dial"]), stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        lines = (" ".join(f"{key}={value}" for key, value in job.items()) for job in jobs)
        child.stdin.write("\n".join(lines) + "\n")
        child.stdin.close()
        return child

    def dial(self, name, jobs):
        """What became of them, in their order."""
        return results_of(self.start_dial(name, jobs))


def results_of(child):
    with child:
        text = child.stdout.read()
        if child.wait(DIAL_SECONDS_MAX) != 0:
            raise RuntimeError(f"the client ended with {child.returncode}")
    return [json.loads(line) for line in text.splitlines()]


def programs_beside(program):
    return pathlib.Path(os.path.abspath(program)).parent
