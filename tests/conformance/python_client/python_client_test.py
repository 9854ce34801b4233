#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs client_checks.py, which uses the `kubernetes` package of PyPI, against a server.

Usage: python_client_test.py (real | PATH_TO_PROXIMA)
The package goes into a virtual environment in $XDG_CACHE_HOME/proxima, once for all clones. Exits
with 77 and the reason when it cannot be fetched.
"""
import fcntl
import hashlib
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent

from peers import servers

SKIPPED = 77
CHECK_SECONDS_MAX = 120


def cache_folder():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "proxima"


def python_with_client():
    """The interpreter of an environment that has what requirements.txt names."""
    wanted = (HERE / "requirements.txt").read_text()
    key = hashlib.sha256((sys.version + wanted).encode()).hexdigest()[:16]
    folder = cache_folder() / f"python-client-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "bin" / "python"
    done = folder / "installed"
    with open(folder.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists():
            return python
        venv.create(folder, clear=True, with_pip=True)
        fetched = subprocess.run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r",
                                  HERE / "requirements.txt"],
                                 capture_output=True, text=True, check=False)
        if fetched.returncode != 0:
            print("skipped: the kubernetes package cannot be fetched: "
                  + fetched.stderr.strip()[-500:])
            sys.exit(SKIPPED)
        done.touch()
    return python


def main(target):
    python = python_with_client()
    start = servers.real_server() if target == "real" else servers.embedded_server(target)
    try:
        with start as endpoint:
            return subprocess.run([python, "-B", HERE / "client_checks.py"],
                                  env={**os.environ, "KUBECONFIG": str(endpoint.kubeconfig)},
                                  timeout=CHECK_SECONDS_MAX).returncode
    except servers.Unavailable as why:
        print(f"skipped: {why}")
        return SKIPPED


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
