# SPDX-License-Identifier: Apache-2.0
"""Images of the cluster, made here from Go modules and Debian packages, as archives that
`ctr images import` reads. Kept in $XDG_CACHE_HOME/proxima/images by what they are made of."""
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from peers.servers import PROJECT, peer
from realcluster.machine import run
from realcluster.node import PAUSE_IMAGE

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "proxima/images"
COREDNS_IMAGE = "registry.k8s.io/coredns/coredns:local"
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Waits for a signal and reaps what is left to it: the first process of every Pod.
PAUSE = r"""
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void end(int number) { (void)number; _exit(0); }
static void reap(int number) { (void)number; while (waitpid(-1, 0, WNOHANG) > 0) {} }
int main(void) {
  signal(SIGINT, end);
  signal(SIGTERM, end);
  signal(SIGCHLD, reap);
  for (;;) pause();
}
"""
# Programs that specs of the e2e suite call in agnhost's Pods.
TOOLS = ("curl", "netcat-openbsd", "iproute2", "bind9-dnsutils", "iperf", "ca-certificates", "procps")
# The image of the e2e suite is Alpine with busybox, so its specs call wget as busybox has it.
WGET = """#!/bin/sh
# wget -q -O - -T 1 URL
for url; do :; done
exec curl -g -s -f --connect-timeout 1 --max-time 5 "$url"
"""


def digest(path):
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_archive(path, names, layers, entry, command=(), user=""):
    """A docker archive of layers that are tar files."""
    part = path.with_suffix(".part")
    with tarfile.open(part, "w") as archive:
        def put(name, value):
            data = json.dumps(value).encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

        for number, layer in enumerate(layers):
            archive.add(layer, f"layer{number}.tar")
        put("config.json", {
            "architecture": "amd64", "os": "linux",
            "config": {"Entrypoint": list(entry), "Cmd": list(command), "Env": [PATH], "WorkingDir": "/",
                       "User": user},
            "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest(layer) for layer in layers]}})
        put("manifest.json", [{"Config": "config.json", "RepoTags": list(names),
                               "Layers": [f"layer{number}.tar" for number in range(len(layers))]}])
    part.rename(path)


def write_layer(path, files):
    """A tar file of `files`: path inside -> file here, text, or None for a folder."""
    with tarfile.open(path, "w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.mode = 0o755
            if content is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            elif isinstance(content, str):
                info.size = len(content.encode())
                archive.addfile(info, io.BytesIO(content.encode()))
            else:
                info.size = content.stat().st_size
                with open(content, "rb") as stream:
                    archive.addfile(info, stream)
    return path


def kept(name, key, make):
    """The archive `name` for what `key` says, made by `make(path)` if it is not there yet."""
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{name}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]}.tar"
    if not path.exists():
        make(path)
    return path


def pause(scratch):
    def make(path):
        source, program = scratch / "pause.c", scratch / "pause"
        source.write_text(PAUSE)
        run("gcc", "-Os", "-static", "-o", program, source)
        write_archive(path, [PAUSE_IMAGE], [write_layer(scratch / "pause.tar", {"pause": program})],
                      ["/pause"])

    return kept("pause", [PAUSE, PAUSE_IMAGE], make)


def coredns(scratch):
    program = peer("coredns")
    return kept("coredns", digest(program), lambda path: write_archive(
        path, [COREDNS_IMAGE], [write_layer(scratch / "coredns.tar", {"coredns": program})], ["/coredns"]))


def debian_root():
    """A Debian root file system with the tools, as a tar file."""
    return kept("debian-root", TOOLS, lambda path: run(
        "mmdebstrap", "--variant=minbase", f"--include={','.join(TOOLS)}",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
        "bookworm", path))


def agnhost(scratch, names):
    """The program of the e2e suite that is client and server of nearly every spec."""
    program = peer("agnhost")

    def make(path):
        layer = write_layer(scratch / "agnhost.tar", {
            "agnhost": program, "agnhost-2": program, "uploads": None,
            "usr/local/bin/wget": WGET})
        write_archive(path, names, [debian_root(), layer], ["/agnhost"], ["pause"])

    return kept("agnhost", [digest(program), WGET, *names, *TOOLS], make)


def single_program(scratch, name, image):
    program = peer(name)
    return kept(name, [digest(program), image], lambda path: write_archive(
        path, [image], [write_layer(scratch / f"{name}.tar", {name: program})], [f"/{name}"]))


def proxima(package):
    """The image of packaging/Dockerfile, from a Debian package that was built outside of it."""
    version = run("dpkg-deb", "--field", package, "Version").strip()

    def make(path):
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            run(PROJECT / "packaging/image-root", package, scratch / "root")
            run("tar", "-C", scratch / "root", "--owner=0", "--group=0", "-cf", scratch / "root.tar", ".")
            write_archive(path, [f"docker.io/library/proxima:{version}"], [scratch / "root.tar"],
                          ["/usr/bin/proxima"], ["help"], user="65532:65532")

    return kept("proxima", digest(package), make)


def gather(folder, archives):
    """Puts archives into one folder that nodes import from."""
    folder.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        target = folder / archive.name
        if not target.exists():
            try:
                os.link(archive, target)
            except OSError:
                shutil.copy(archive, target)


def base_archives():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        return [pause(scratch), coredns(scratch)]
