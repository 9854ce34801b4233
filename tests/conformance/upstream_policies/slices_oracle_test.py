#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets upstream's reconciler and ours bring the slices of random Services up to date, round after
round, and reports every difference that is not listed in README.md.

Usage: slices_oracle_test.py PATH_TO_SLICE_PACKING BUILD_DIRECTORY
PROXIMA_ORACLE_CASES (10000) says how many, one world for 200; PROXIMA_SLICE_PODS (120) how many Pods
the large ones have; PROXIMA_SEED which ones they are.
Exits with 77 and the reason when Go or the modules are not to be had.
"""
import collections
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
from peers import go_oracle
from support.seeds import seed_of_this_run
import worlds

SHOWN_DIFFERENCES_MAX = 3
ROUNDS = 5
CASES_PER_WORLD = 200
# Upstream follows hash maps: what it always does is what it must do. A second look before a
# difference is reported, because two ways out of three may look like one.
RUNS, RUNS_AGAIN = 4, 200


def canonical(value):
    return json.dumps(value, sort_keys=True)


def endpoints_of(piece):
    return sorted(canonical(endpoint) for endpoint in piece.get("endpoints") or [])


def group_of(piece):
    """Slices with the same of these hold what the same port group needs."""
    return (piece["addressType"], tuple(sorted(canonical(port) for port in piece.get("ports") or [])))


def whole(answer):
    """The slices without their names: what clients of them see."""
    return sorted(canonical([group_of(piece), endpoints_of(piece), piece["metadata"].get("labels") or {},
                             piece["metadata"].get("ownerReferences")])
                  for piece in answer["slices"])


def outline(answer):
    """What no order of hash maps changes."""
    groups = collections.defaultdict(lambda: ([], []))
    for piece in answer["slices"]:
        sizes, endpoints = groups[canonical(group_of(piece))]
        sizes.append(len(piece.get("endpoints") or []))
        endpoints += endpoints_of(piece)
    return {"writes": [answer["creates"], answer["updates"], answer["deletes"]],
            "problems": sorted(answer["problems"]),
            "groups": {key: [sorted(sizes), sorted(endpoints)]
                       for key, (sizes, endpoints) in groups.items()}}


def is_owned(piece, service):
    return any(owner["uid"] == service["metadata"]["uid"]
               for owner in piece["metadata"].get("ownerReferences") or [])


def without_adopted_placeholders(question):
    """An empty slice of an earlier Service is replaced by us and adopted by upstream, when it is alone
    in its family: upstream gets it with a port, and replaces it too."""
    changed = json.loads(canonical(question))
    for piece in changed["slices"]:
        if not (piece.get("endpoints") or piece.get("ports") or is_owned(piece, changed["service"])):
            piece["ports"] = [{"name": "nobody's", "port": 1}]
    return changed


def difference(question, ours, upstream):
    """'' when there is none, and one of upstream's answers."""
    asked = without_adopted_placeholders(question)
    theirs = upstream.ask({**asked, "runs": RUNS})["answers"]
    if outline(ours) != outline(theirs[0]):
        return f"ours {canonical(outline(ours))}\nupstream {canonical(outline(theirs[0]))}", theirs[0]
    ways = {canonical(whole(answer)) for answer in theirs}
    if len(ways) == 1 and canonical(whole(ours)) not in ways:
        theirs = upstream.ask({**asked, "runs": RUNS_AGAIN})["answers"]
        ways = {canonical(whole(answer)) for answer in theirs}
        if len(ways) == 1:
            return f"ours {canonical(whole(ours))}\nupstream, always {ways.pop()}", theirs[0]
    return "", theirs[0]


def writes_nothing(question, tool):
    answer = tool.ask(question)
    return not (answer["creates"] or answer["updates"] or answer["deletes"])


class Run:
    def __init__(self, tool, oracle):
        self.tool = go_oracle.Program(tool)
        self.upstream = go_oracle.Program(oracle, "reconcile")
        self.questions = self.writes = self.differences = 0

    def report(self, question, text):
        self.differences += 1
        if self.differences <= SHOWN_DIFFERENCES_MAX:
            print(f"{json.dumps(question)}\n{text}\n")

    def world(self, rng, size):
        question, style = worlds.world(rng, size)
        for _ in range(ROUNDS):
            self.questions += 1
            ours = self.tool.ask(question)
            self.writes += ours["creates"] + ours["updates"] + ours["deletes"]
            text, theirs = difference(question, ours, self.upstream)
            if text:
                self.report(question, text)
            # Either may go on where the other stopped; then there is nothing to do.
            for answer, successor in ((theirs, "ours after upstream's"), (ours, "ours after ours")):
                if not writes_nothing({**question, "slices": answer["slices"]}, self.tool):
                    self.report({**question, "slices": answer["slices"]}, f"{successor}: writes")
            question["slices"] = rng.choice([ours, theirs])["slices"]
            question = worlds.changed(rng, question, style)

    def close(self):
        self.tool.close()
        self.upstream.close()


def main():
    tool, directory = sys.argv[1:]
    count = max(1, int(os.environ.get("PROXIMA_ORACLE_CASES", "10000")) // CASES_PER_WORLD)
    size = int(os.environ.get("PROXIMA_SLICE_PODS", "120"))
    seed = seed_of_this_run()
    oracle = go_oracle.build(HERE, pathlib.Path(directory) / "oracle")
    rng = random.Random(seed)
    started = time.monotonic()
    run = Run(tool, oracle)
    for _ in range(count):
        run.world(rng, size)
    run.close()
    print(f"{count} worlds, {run.questions} rounds, {run.writes} writes, {run.differences} differences "
          f"({time.monotonic() - started:.1f} s)")
    sys.exit(1 if run.differences else 0)


if __name__ == "__main__":
    main()
