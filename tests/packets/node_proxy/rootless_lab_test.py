#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stories once more as a user without any rights: the tests find themselves a user namespace, and
our proxy writes its rules there.

  rootless_lab_test.py PROXIMA
"""
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
NOBODY = 65534
STORIES = pathlib.Path(__file__).resolve().parent / "packet_stories_test.py"
SECONDS_MAX = 600


def as_nobody(words):
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["env", "HOME=/tmp", *(drop if os.geteuid() == 0 else []), *map(str, words)]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    # A folder of root's, or an interpreter there, is closed to everybody else.
    needed = ["python3", "-c", f"open({str(program)!r}, 'rb'); open({str(STORIES)!r})"]
    looked = subprocess.run(as_nobody(needed), capture_output=True, text=True)
    if looked.returncode != 0:
        last = (looked.stderr.strip().splitlines() or ["no words"])[-1]
        print(f"not shown: the lab without root; another user cannot read the program: {last}")
        return SKIPPED
    done = subprocess.run(as_nobody(["python3", "-B", STORIES, program]), timeout=SECONDS_MAX,
                          capture_output=True, text=True)
    print(done.stdout[-4000:], done.stderr[-4000:], sep="")
    if done.returncode == 0 and "proxima: rules outlive their proxy" not in done.stdout:
        print("the stories were not told")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
