#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives upstream's code and ours the same random patches and selectors and reports every difference.

Usage: patch_test.py PATH_TO_PROXIMA_FACES BUILD_DIRECTORY
PROXIMA_PATCH_CASES (2000) says how many, PROXIMA_PATCH_SEED which.
Exits with 77 and the reason when Go or the modules are not to be had.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import patch_questions

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SHOWN_DIFFERENCES_MAX = 5
# Upstream walks hash maps; rare outcomes need more runs.
RUNS = (2, 50, 1000)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def build_oracle(directory):
    """The path of the Go program. Fetching may fail without fault of ours, compiling may not."""
    if shutil.which("go") is None:
        skip("go is not installed, so upstream's code cannot be asked")
    source = HERE / "oracle"
    fetched = subprocess.run(["go", "list", "-deps", "."], cwd=source, capture_output=True, text=True)
    if fetched.returncode != 0:
        skip("the Go modules of Kubernetes cannot be fetched: " + fetched.stderr.strip()[-500:])
    program = pathlib.Path(directory) / "faces-oracle"
    subprocess.run(["go", "build", "-o", program, "."], cwd=source, check=True)
    return program


class Program:
    """A co-process: a line in, a line out."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=60)


def agrees(ours, theirs):
    """One of upstream's answers is ours. Where it panics, any refusal will do."""
    return any(ours == answer or (answer.get("panic") and "error" in ours) for answer in theirs)


def compare(question, oracle, faces):
    ours = faces.ask(question)
    for runs in RUNS:
        theirs = oracle.ask({**question, "runs": runs})
        if agrees(ours, theirs):
            return ours, None
    return ours, theirs


def main():
    faces_path, directory = sys.argv[1:]
    cases = int(os.environ.get("PROXIMA_PATCH_CASES", "2000"))
    seed = int(os.environ.get("PROXIMA_PATCH_SEED") or random.SystemRandom().randrange(2**32))
    print(f"seed {seed}, {cases} cases")
    oracle, faces = Program(build_oracle(directory)), Program(faces_path)
    source = random.Random(seed)
    differences, seen = 0, collections.Counter()
    for case in range(cases):
        question = patch_questions.question(source)
        ours, theirs = compare(question, oracle, faces)
        seen[question["do"], "refused" if "error" in ours else "done"] += 1
        if theirs is None:
            continue
        differences += 1
        if differences <= SHOWN_DIFFERENCES_MAX:
            print(f"case {case}: {json.dumps(question)}\n  ours   {json.dumps(ours)}\n  theirs {json.dumps(theirs)}")
    for (what, end), count in sorted(seen.items()):
        print(f"  {what:16} {end:8} {count}")
    print(f"{differences} differences")
    clean_exit = faces.close() == 0 and oracle.close() == 0
    return 0 if differences == 0 and clean_exit else 1


if __name__ == "__main__":
    sys.exit(main())
