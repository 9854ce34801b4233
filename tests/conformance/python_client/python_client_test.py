#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs client_checks.py, which uses the `kubernetes` package of PyPI, against a server.

Usage: python_client_test.py BUILD_DIRECTORY (real | PATH_TO_PROXIMA)
The package goes into a virtual environment in the build directory, once. Exits with 77 and the
reason when it cannot be fetched.
"""
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent

from peers import servers

SKIPPED = 77
CHECK_SECONDS_MAX = 120


def python_with_client(directory):
    """The interpreter of an environment that has what requirements.txt names."""
    wanted = (HERE / "requirements.txt").read_text()
    folder = pathlib.Path(directory) / "python_client"
    done = folder / "installed.txt"
    python = folder / "bin" / "python"
    if done.exists() and done.read_text() == wanted:
        return python
    venv.create(folder, clear=True, with_pip=True)
    fetched = subprocess.run([python, "-m", "pip", "install", "--quiet", "-r",
                              HERE / "requirements.txt"], capture_output=True, text=True)
    if fetched.returncode != 0:
        print("skipped: the kubernetes package cannot be fetched: " + fetched.stderr.strip()[-500:])
        sys.exit(SKIPPED)
    done.write_text(wanted)
    return python


def main(directory, target):
    python = python_with_client(directory)
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
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
