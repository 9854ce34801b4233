#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Concurrent clients of `proxima apiserver` see one copy of its objects: every history that they
record is linearizable, also when the server is killed in between. Checked with porcupine.

  linearizability_test.py PROXIMA FOLDER      PROXIMA_HISTORIES=1000 PROXIMA_SEED=1 for more
"""
import os
import pathlib
import subprocess
import sys

from peers import go_oracle
from support.seeds import seed_of_this_run


def main():
    program, folder = sys.argv[1:3]
    checker = go_oracle.build(pathlib.Path(__file__).parent / "checker",
                              pathlib.Path(folder) / "linearizability-checker")
    histories = os.environ.get("PROXIMA_HISTORIES", "30")
    done = subprocess.run([checker, os.path.abspath(program), histories, str(seed_of_this_run())],
                          check=False)
    sys.exit(done.returncode)


main()
