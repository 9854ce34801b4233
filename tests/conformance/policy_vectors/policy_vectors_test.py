#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks proxima-conformance every recorded case and compares its answers with the originals'.

Usage: policy_vectors_test.py PATH_TO_PROXIMA_CONFORMANCE
"""
import json
import pathlib
import subprocess
import sys

VECTORS = pathlib.Path(__file__).resolve().parent / "vectors"
SHOWN_FAILURES_MAX = 5


def cases_of(name):
    with open(VECTORS / name, encoding="utf-8") as file:
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in file]
        return json.load(file)["vectors"]


def ask(tool, kind, cases, recorded):
    """The tool's answers, in order. It must not need what was recorded, so it does not get it."""
    questions = [{k: v for k, v in case.items() if k not in recorded} for case in cases]
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([tool, kind], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if [answer["name"] for answer in answers] != [case["name"] for case in cases]:
        sys.exit(f"{kind}: answers do not follow the questions")
    return answers


def totals(outcome):
    """An outcome in which only the tie-break between zones is left open."""
    zones = outcome.get("endpointsHintedToZone")
    return {**outcome, "endpointsHintedToZone": zones and sorted(zones.values())}


def judge_hints(case, answer):
    """Whether the answer is right, and a remark."""
    got = {key: value for key, value in answer.items() if key != "name"}
    if got in case["acceptedOutcomes"]:
        return True, ""
    if totals(got) in map(totals, case["acceptedOutcomes"]):
        return True, "another tie-break"
    return False, f"got {got}, accepted for example {case['acceptedOutcomes'][0]}"


def judge_fields(fields):
    def judge(case, answer):
        wrong = [f for f in fields if answer.get(f) != case[f]]
        text = "; ".join(f"{f}: got {answer.get(f)}, recorded {case[f]}" for f in wrong)
        return not wrong and len(answer) == len(fields) + 1, text or f"other fields: {sorted(answer)}"
    return judge


def judge_zone_aware(case, answer):
    wrong = [f"{basis} {field}: got {answer[basis].get(field)}, recorded {case['expect'][basis][field]}"
             for basis in ZONE_AWARE_BASES for field in ZONE_AWARE
             if answer[basis].get(field) != case["expect"][basis][field]]
    return not wrong, "; ".join(wrong)


ZONE_AWARE_BASES = ["HEALTHY_HOSTS_NUM", "HEALTHY_HOSTS_WEIGHT"]
ZONE_AWARE = ["state", "local_share", "cumulative_residual", "probability"]
CATEGORIZE = ["usesClusterEndpoints", "usesLocalEndpoints", "clusterEndpoints", "localEndpoints",
              "allReachableEndpoints", "hasAnyEndpoints"]

# file, kind, recorded fields, judge
SUITES = [
    ("k8s_hints.jsonl", "hints", ["acceptedOutcomes"], judge_hints),
    ("k8s_categorize.jsonl", "categorize", CATEGORIZE, judge_fields(CATEGORIZE)),
    ("k8s_topology_keys.jsonl", "topology-keys", ["chosen"], judge_fields(["chosen"])),
    ("envoy_random.json", "zone-aware", ["expect"], judge_zone_aware),
]


def run(tool, name, kind, recorded, judge):
    """Passed and failed of one file."""
    cases = cases_of(name)
    failures, ties = [], 0
    for case, answer in zip(cases, ask(tool, kind, cases, recorded)):
        good, remark = judge(case, answer)
        ties += good and remark == "another tie-break"
        if not good:
            failures.append(f"  {case['name']}: {remark}")
    print(f"{name}: {len(cases) - len(failures)} of {len(cases)}"
          + (f", {ties} with another tie-break and equal totals" if ties else ""))
    print("\n".join(failures[:SHOWN_FAILURES_MAX]), end="\n" if failures else "")
    return len(cases) - len(failures), len(failures)


def main():
    results = [run(sys.argv[1], *suite) for suite in SUITES]
    passed, failed = map(sum, zip(*results))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
