# SPDX-License-Identifier: Apache-2.0
"""A real kube-apiserver with its etcd, on free ports of this machine, for as long as a `with` lasts."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

TOKEN = "rules-recorder"
READY_SECONDS_MAX = 90


def missing(peers: Path) -> str | None:
    """Why there can be no real server here, or None."""
    if not (peers / "kube-apiserver").exists():
        return f"no kube-apiserver in {peers}; tests/peers/build makes it"
    for program in ("etcd", "openssl"):
        if not shutil.which(program):
            return f"no {program} on this machine"
    return None


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class RealServer:
    def __init__(self, peers: Path, service_cidrs: str):
        self.peers, self.service_cidrs = peers, service_cidrs
        self.port = free_port()
        self.processes: list[subprocess.Popen] = []
        self.context = ssl._create_unverified_context()  # its certificate was made a moment ago

    def __enter__(self) -> "RealServer":
        self.folder = Path(tempfile.mkdtemp(prefix="proxima-rules-"))
        try:
            self._start_etcd()
            self._start_apiserver()
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, name: str, *arguments: str) -> None:
        log = open(self.folder / f"{Path(name).name}.log", "wb")
        self.processes.append(subprocess.Popen([name, *arguments], stdout=log, stderr=log))

    def _start_etcd(self) -> None:
        self.etcd, peer = f"http://127.0.0.1:{free_port()}", f"http://127.0.0.1:{free_port()}"
        self._start("etcd", "--data-dir", str(self.folder / "etcd"), "--unsafe-no-fsync",
                    "--listen-client-urls", self.etcd, "--advertise-client-urls", self.etcd,
                    "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                    "--initial-cluster", f"default={peer}")

    def _start_apiserver(self) -> None:
        key, tokens = self.folder / "sa.key", self.folder / "tokens"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        tokens.write_text(f"{TOKEN},admin,admin,system:masters\n")
        self._start(str(self.peers / "kube-apiserver"), "--etcd-servers", self.etcd,
                    "--cert-dir", str(self.folder / "certs"), "--bind-address=127.0.0.1",
                    f"--secure-port={self.port}", "--service-account-issuer=https://proxima.test",
                    f"--service-account-key-file={key}",
                    f"--service-account-signing-key-file={key}",
                    f"--service-cluster-ip-range={self.service_cidrs}",
                    f"--token-auth-file={tokens}", "--authorization-mode=RBAC",
                    "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority,"
                    "DefaultTolerationSeconds,NamespaceLifecycle,LimitRanger",
                    "--feature-gates=" + os.environ.get("PROXIMA_FEATURE_GATES", ""))

    def _wait(self) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while time.monotonic() < deadline:
            if any(process.poll() is not None for process in self.processes):
                break
            try:
                if self.call("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        tail = (self.folder / "kube-apiserver.log").read_text(errors="replace")[-2000:]
        raise RuntimeError(f"the real server does not get ready:\n{tail}")

    def call(self, method: str, path: str, body: str | bytes | None = None,
             media: str = "application/json") -> tuple[int, dict, list[str]]:
        """Status code, body, texts of Warning headers."""
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request(
            f"https://127.0.0.1:{self.port}{path}", data=data, method=method,
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": media,
                     "Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=30) as answer:
                code, text, headers = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            code, text, headers = error.code, error.read(), error.headers
        warnings = [h.split('"', 1)[1][:-1].replace('\\"', '"').replace("\\\\", "\\")
                    for h in headers.get_all("Warning") or []]
        try:
            return code, json.loads(text), warnings
        except ValueError:
            return code, {"text": text.decode(errors="replace")}, warnings
