#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks upstream's code and ours the same random questions and reports every difference that is not
listed in README.md.

Usage: oracle_test.py PATH_TO_PROXIMA_CONFORMANCE BUILD_DIRECTORY
PROXIMA_ORACLE_CASES (10000) says how many, PROXIMA_SEED which.
Exits with 77 and the reason when Go or the modules are not to be had.
"""
import copy
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
from peers import go_oracle
from support.seeds import seed_of_this_run
import questions

SHOWN_DIFFERENCES_MAX = 3
# Upstream's hash maps give some outcomes only once in some hundred runs.
RUNS = (8, 200, 5000)


# Deliberate differences. Each turns a question into the one to which upstream should give the
# answer that we give to the original.

def without_kept_node_hints(question):
    """A slice with node hints is never kept: to upstream, its endpoints seem to have no zone hint."""
    changed = copy.deepcopy(question)
    for piece in changed["slices"]:
        for endpoint in piece["endpoints"]:
            if endpoint.get("forNodes") and endpoint.get("ready") is True:
                endpoint.pop("forZones", None)
    return changed


def without_empty_zones(question):
    """An empty zone name matches nobody: to upstream, it is a zone where no node is."""
    changed = copy.deepcopy(question)
    for endpoint in changed["endpoints"] or []:
        if "forZones" in endpoint:
            endpoint["forZones"] = [zone or "nowhere" for zone in endpoint["forZones"]]
    return changed


def has_negative_cpu(question):
    return any(node.get("allocatableCpu", "").startswith("-") for node in question["nodes"])


# Comparison: '' when equal, else what differs.

def compare_hints(question, ours, upstream):
    asked = without_kept_node_hints(question)
    got = {key: value for key, value in ours.items() if key != "name"}
    for runs in RUNS:
        theirs = upstream.ask({**asked, "runs": runs})
        if "error" in ours or "error" in theirs:
            refused = "error" in ours and ("error" in theirs or has_negative_cpu(question))
            return "" if refused else f"ours {ours}\nupstream {theirs}"
        if got in theirs["acceptedOutcomes"]:
            return ""
    return f"ours {got}\nupstream, for example {theirs['acceptedOutcomes'][:3]}"


def compare_categorize(question, ours, upstream):
    theirs = upstream.ask(without_empty_zones(question))
    in_order = {key: sorted(value) if isinstance(value, list) else value
                for key, value in ours.items()}
    return "" if in_order == theirs else f"ours {in_order}\nupstream {theirs}"


KINDS = {
    "hints": (questions.hints_question, compare_hints),
    "categorize": (questions.categorize_question, compare_categorize),
}


def run(kind, cases, rng, tool, oracle):
    """The number of differences."""
    generate, compare = KINDS[kind]
    started = time.monotonic()
    ours = go_oracle.Program(tool, kind, "--start", "0.2", "--stop", "0.2")
    upstream = go_oracle.Program(oracle, kind)
    differences = 0
    for number in range(cases):
        question = generate(rng, number)
        difference = compare(question, ours.ask(question), upstream)
        differences += bool(difference)
        if difference and differences <= SHOWN_DIFFERENCES_MAX:
            print(f"{kind}: {json.dumps(question)}\n{difference}\n")
    ours.close()
    upstream.close()
    print(f"{kind}: {cases} questions, {differences} differences "
          f"({time.monotonic() - started:.1f} s)")
    return differences


def main():
    tool, directory = sys.argv[1:]
    cases = int(os.environ.get("PROXIMA_ORACLE_CASES", "10000"))
    seed = seed_of_this_run()
    oracle = go_oracle.build(HERE, pathlib.Path(directory) / "oracle")
    rng = random.Random(seed)
    differences = sum(run(kind, cases // len(KINDS), rng, tool, oracle) for kind in KINDS)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
