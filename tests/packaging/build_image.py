#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds packaging/Dockerfile and runs what is in the image, without Docker and without a registry:

    build_image.py [--folder DIR] [--jobs N] [--archive FILE]    (make image; root, network)

buildah builds it. The image that it starts from is made here, by mmdebstrap, under the name that the
Dockerfile gives it, so nothing but packages of Debian and npm is fetched. Objects that ccache has
are used. The archive is for `docker load` and `podman load`. Everything else is removed at the end.

Where the network is behind an authority of its own, SSL_CERT_FILE names the certificates to trust;
they are among those of the image then."""
import argparse
import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

from testbed.waiting import eventually

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DOCKERFILE = PROJECT / "packaging/Dockerfile"
BUILD_SECONDS_MAX = 3 * 3600
RUN_SECONDS_MAX = 120
END_SECONDS_MAX = 20
LARGEST_BYTES = 64 << 20
USER = 65532
CERTIFICATES = "/usr/local/share/ca-certificates/this-machine.crt"


class Failed(Exception):
    """Something is not as it should be; says what."""


def say(text):
    print(f"image: {text}", flush=True)


def require(good, text):
    if not good:
        raise Failed(text)
    say(text)


def end(child):
    """Asks it and what it started to end, and makes them."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(END_SECONDS_MAX)


def version():
    text = (PROJECT / "CMakeLists.txt").read_text()
    return text.split("project(proxima VERSION ", 1)[1].split()[0]


def base_name():
    """What the Dockerfile builds on, with the registry that a short name stands for."""
    name = re.search(r"(?m)^ARG BASE=(\S+)$", DOCKERFILE.read_text()).group(1)
    return name if "/" in name else f"docker.io/library/{name}"


class Builder:
    """buildah with a storage of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.program = ["buildah", "--root", folder / "storage", "--runroot", folder / "run",
                        "--storage-driver", "vfs"]

    def start(self, *words, **options):
        environment = {**os.environ, "BUILDAH_ISOLATION": "chroot", "TMPDIR": str(self.folder)}
        return subprocess.Popen([str(word) for word in (*self.program, *words)], text=True,
                                env=environment, start_new_session=True, **options)

    def call(self, *words, given=None, seconds=RUN_SECONDS_MAX, show=False):
        """What it printed; with `show`, it prints to our own output instead."""
        pipes = {} if show else {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        child = self.start(*words, stdin=subprocess.PIPE, **pipes)
        try:
            out, error = child.communicate(given, timeout=seconds)
        except BaseException:
            end(child)
            raise
        if child.returncode != 0:
            raise Failed(f"buildah {' '.join(map(str, words))}: exit {child.returncode}\n"
                         f"{out or ''}{error or ''}")
        return (out or "").strip()

    def run(self, container, *words, **options):
        return self.call("run", container, "--", *words, **options)

    @contextlib.contextmanager
    def container(self, image):
        name = self.call("from", "--pull-never", image)
        try:
            yield name
        finally:
            self.call("rm", name)


def make_base(builder):
    """A Debian 12 of this hour, as the image that the Dockerfile names."""
    archive = builder.folder / "base.tar"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", archive], check=True,
                   timeout=BUILD_SECONDS_MAX)
    with builder.container("scratch") as made:
        builder.call("add", made, archive, "/")
        certificates = os.environ.get("SSL_CERT_FILE")
        if certificates:
            builder.call("add", made, certificates, CERTIFICATES)
            builder.call("config", "--env", "NODE_EXTRA_CA_CERTS=" + CERTIFICATES, made)
        # ccache takes an object for another one when compilers speak another language.
        builder.call("config", "--env", "LANG=" + os.environ.get("LANG", ""), made)
        builder.call("commit", made, base_name(), seconds=BUILD_SECONDS_MAX)
    archive.unlink()


def object_cache():
    """The folder of ccache, when there is one to share."""
    done = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True,
                          text=True) if shutil.which("ccache") else None
    folder = pathlib.Path(done.stdout.strip()) if done and done.returncode == 0 else None
    return folder if folder and folder.is_dir() else None


def build(builder, image, jobs):
    cache = object_cache()
    shared = ["--volume", f"{cache}:/root/.cache/ccache"] if cache else []
    say(f"building, with the objects of {cache}" if cache else "building, with no objects to begin with")
    began = time.monotonic()
    builder.call("build", "--pull-never", "--file", DOCKERFILE, "--tag", image, *shared,
                 "--build-arg", f"JOBS={jobs}", "--build-arg", "SOURCE_DATE_EPOCH=1704067200",
                 PROJECT, seconds=BUILD_SECONDS_MAX, show=True)
    say(f"built in {time.monotonic() - began:.0f} s")


def check_settings(builder, image):
    made = json.loads(builder.call("inspect", "--type", "image", image))["OCIv1"]
    settings = made["config"]
    require(settings["User"] == f"{USER}:{USER}", f"it runs as {settings['User']}")
    require(settings["Entrypoint"] == ["/usr/bin/proxima"], "its program is proxima")
    require(settings["Labels"]["org.opencontainers.image.version"] == version(),
            f"its label says {version()}")


def check_files(root):
    programs = [path.name for path in (root / "usr/bin").iterdir()]
    require(programs == ["proxima"], "there is one program in it and no shell")
    size = sum(path.stat().st_size for path in root.rglob("*")
               if path.is_file() and not path.is_symlink())
    require(size < LARGEST_BYTES, f"it has {size / 1e6:.1f} MB")


def check_commands(builder, container):
    program = "/usr/bin/proxima"
    told = builder.run(container, program, "--version")
    require(told == f"proxima {version()}", f"proxima --version: {told}")
    require("Usage:" in builder.run(container, program, "help"), "what it does by itself is help")
    cluster = (PROJECT / "examples/three-zones.yaml").read_text()
    told = builder.run(container, program, "compare", "-f", "-", given=cluster)
    require("balanced" in told and "9 nodes in 3 zones" in told,
            "proxima compare -f - < examples/three-zones.yaml: " + told.splitlines()[0])
    told = builder.call("run", "--user", "0:0", container, "--", program, "proxy", "--help")
    require("proxima proxy" in told, "root may ask the proxy for its flags")


def ask(kubeconfig, path):
    """The answer of the server that a kubeconfig of the embedded API leads to, over TLS it proves."""
    def field(name):
        return re.search(rf'"?{name}"?:\s*"?([^"\s,]+)', kubeconfig).group(1)
    authority = base64.b64decode(field("certificate-authority-data")).decode()
    trust = ssl.create_default_context(cadata=authority)
    request = urllib.request.Request(field("server") + path,
                                     headers={"Authorization": "Bearer " + field("token")})
    with urllib.request.urlopen(request, context=trust, timeout=10) as answer:
        return answer.read().decode()


def check_apiserver(builder, container, root):
    data = root / "home/nonroot/cluster"
    log = builder.folder / "apiserver.log"
    with open(log, "w") as sink:
        child = builder.start("run", container, "--", "/usr/bin/proxima", "apiserver", "--data-dir",
                              "/home/nonroot/cluster", "--secure-port", "0", stdout=sink,
                              stderr=sink, stdin=subprocess.DEVNULL)
    try:
        def is_ready():
            if child.poll() is not None:
                raise Failed("the API server ended:\n" + log.read_text())
            return "ready" in log.read_text()

        eventually(is_ready, "the API server is ready", seen=log.read_text)
        kubeconfig = (data / "kubeconfig").read_text()
        for path in ("/healthz", "/readyz"):
            require(ask(kubeconfig, path) == "ok", f"proxima apiserver answers {path}: ok")
        spaces = json.loads(ask(kubeconfig, "/api/v1/namespaces"))
        require(spaces["kind"] == "NamespaceList", "and lists namespaces")
        require((data / "proxima.db").stat().st_uid == USER, f"what it writes belongs to {USER}")
    finally:
        end(child)


def prove(folder, jobs, archive):
    builder = Builder(folder)
    image = f"proxima:{version()}"
    say(f"making {base_name()} by mmdebstrap")
    make_base(builder)
    build(builder, image, jobs)
    check_settings(builder, image)
    with builder.container(image) as container:
        root = pathlib.Path(builder.call("mount", container))
        check_files(root)
        check_commands(builder, container)
        check_apiserver(builder, container, root)
    if archive:
        archive.parent.mkdir(parents=True, exist_ok=True)
        archive.unlink(missing_ok=True)
        builder.call("push", image, f"docker-archive:{archive}:{image}", seconds=BUILD_SECONDS_MAX)
        say(f"written: {archive}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, help="build under this folder: about 4 GB")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once")
    parser.add_argument("--archive", type=pathlib.Path, help="where the image is written")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="proxima-image-", dir=options.folder))
    try:
        prove(folder, options.jobs, options.archive)
    except Failed as why:
        sys.exit(f"image: {why}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
