#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `make run` takes on a machine that has nothing: a Debian 12 with git and make alone is
unpacked into a folder, this repository's HEAD is cloned into it, and `make run` is started there.
It ends when the page has answered; what it printed and when is shown.

    fresh.py [--folder DIR] [--keep]    (make fresh; root, network)

The machine shares this one's kernel, processors and network, and none of its files. Where the network
is behind an authority of its own, SSL_CERT_FILE names the certificates to trust there too."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PAGE = re.compile(r"Page:\s+(http\S+)")
BUILD_SECONDS_MAX = 3600
ANSWER_SECONDS_MAX = 10


def unpack(root):
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase",
                    "--include=git,make,ca-certificates", "bookworm", root], check=True)
    certificates = os.environ.get("SSL_CERT_FILE")
    if certificates:
        shutil.copy(certificates, root / "etc/ssl/certs/ca-certificates.crt")
    subprocess.run(["git", "clone", "--quiet", REPOSITORY, root / "proxima"], check=True)


def inside(root, command):
    """The command line that runs `command` in the machine, with process numbers of its own."""
    script = ("mount -t proc proc $0/proc && mount -t sysfs sys $0/sys && mount --rbind /dev $0/dev"
              " && exec chroot $0 /bin/sh -c \"$1\"")
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=slave",
            "sh", "-c", script, str(root), command]


def look_at(page):
    """As a browser does: the token of the address becomes a cookie."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(page, timeout=ANSWER_SECONDS_MAX) as answer:
        if b"<html" not in answer.read():
            sys.exit(f"{page} answered something that is no page")


def run(root):
    """Seconds until the page answered; prints every line with its time."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
    if os.environ.get("SSL_CERT_FILE"):
        environment["NODE_EXTRA_CA_CERTS"] = "/etc/ssl/certs/ca-certificates.crt"
    begin = time.monotonic()
    child = subprocess.Popen(inside(root, "cd /proxima && make run"), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace",
                             env=environment)
    try:
        for line in child.stdout:
            passed = time.monotonic() - begin
            if not line.startswith(("Get:", "Selecting ", "Preparing ", "Unpacking ", "Setting ")):
                print(f"{passed:7.1f} s  {line.rstrip()}", flush=True)
            if passed > BUILD_SECONDS_MAX:
                sys.exit(f"no page after {passed:.0f} s")
            page = PAGE.search(line)
            if page:
                look_at(page.group(1))
                return time.monotonic() - begin
        sys.exit(f"make run ended with {child.wait()} and never named its page")
    finally:
        child.kill()
        child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, help="unpack the machine under this folder")
    parser.add_argument("--keep", action="store_true", help="leave the machine there")
    options = parser.parse_args()
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="proxima-fresh-", dir=options.folder))
    try:
        root = folder / "machine"
        unpack(root)
        seconds = run(root)
        print(f"make run: the page answered after {seconds:.0f} s"
              f" ({os.cpu_count()} processors, packages and build included)")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
