#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives upstream's code and ours the same random patches and selectors and reports every difference.

Usage: patch_test.py PATH_TO_PROXIMA_API_VIEWS BUILD_DIRECTORY
PROXIMA_PATCH_CASES (2000) says how many, PROXIMA_SEED which.
Exits with 77 and the reason when Go or the modules are not to be had.
"""
import collections
import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
from peers import go_oracle
from support.seeds import seed_of_this_run
import patch_questions

SHOWN_DIFFERENCES_MAX = 5
# Upstream walks hash maps; rare outcomes need more runs.
RUNS = (2, 50, 1000)


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
    seed = seed_of_this_run()
    print(f"{cases} cases")
    oracle = go_oracle.Program(go_oracle.build(HERE / "oracle", pathlib.Path(directory) / "faces-oracle"))
    faces = go_oracle.Program(faces_path)
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
    faces.close()
    oracle.close()
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
