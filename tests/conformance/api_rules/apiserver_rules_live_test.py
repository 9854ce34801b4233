#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real kube-apiserver what it does with the bodies of cases.py, without storing them.

  apiserver_rules_live_test.py            compare its answers with recording.jsonl (exit code 77 where it cannot run)
  apiserver_rules_live_test.py --write    record them anew

The unit test apiserver_rules_recording_test compares our own rules with the recording.
PROXIMA_PEERS says where the real programs are.
"""

import json
import re
import sys
from pathlib import Path

from cases import PATHS, PLAIN, Case, all_cases, body_of, changed
from real_server import RealServer, real_server, servers

RECORDING = Path(__file__).resolve().parent / "recording.jsonl"
WORLDS = {"dual": "10.96.0.0/16,fd00:10:96::/112", "single": "10.96.0.0/16"}
UID, RV, BORN = "11111111-2222-4333-8444-555555555555", "1", "2026-01-01T00:00:00Z"
ANY_IP = {"10.96.0.0": "<ip>", "fd00:10:96::": "<ip>"}  # what a dry run gives where one is allocated
LONG_TEXT = 4000  # longer bodies are recorded by how they are made


def url(case: Case, name: str = "", sub: str = "") -> str:
    base, plural, namespaced = PATHS[case.kind]
    path = f"{base}/namespaces/default/{plural}" if namespaced else f"{base}/{plural}"
    return path + (f"/{name}" if name else "") + (f"/{sub}" if sub else "")


class Recorder:
    def __init__(self, server: RealServer):
        self.server = server
        self.key, self.count = "", 0
        self.object: dict = {}

    def store(self, case: Case) -> dict:
        """The object that an update begins with. One at a time, so that addresses can be used again."""
        key = case.kind + json.dumps(case.before, sort_keys=True)
        if key != self.key:
            if self.key:
                self.server.call("DELETE", self.place)
            self.count += 1
            name = f"stored-{self.count}"
            self.place = url(case, name)
            body = changed(changed(PLAIN[case.kind], case.before), {"metadata.name": name})
            code, answer, _ = self.server.call("POST", url(case), json.dumps(body))
            if code != 201:
                raise RuntimeError(f"{case.kind}: cannot store {body}: {answer}")
            answer["metadata"].pop("managedFields", None)
            self.key, self.object = key, answer
        return self.object

    def ask(self, case: Case) -> dict:
        old = None if case.do == "create" else self.store(case)
        body = body_of(case, old)
        query = "?dryRun=All&fieldValidation=Strict"
        if old is None:
            answer = self.server.call("POST", url(case) + query, body)
        else:
            sub = "status" if case.do == "status" else ""
            answer = self.server.call("PUT", url(case, old["metadata"]["name"], sub) + query, body)
        return row_of(case, body, old, answer)


def shown_body(body: str) -> dict:
    """Bodies with long runs of one letter are recorded by the length of the run."""
    if len(body) <= LONG_TEXT:
        return {"body": body}
    run = re.search(r"(.)\1{999,}", body)
    if not run:
        return {"body": body}
    return {"body": body[:run.start()] + "@RUN@" + body[run.end():], "run": [run.group(1), run.end() - run.start()]}


def without_allocated(node, body: str, key: str = ""):
    if isinstance(node, dict):
        return {k: without_allocated(v, body, k) for k, v in node.items()}
    if isinstance(node, list):
        return [without_allocated(v, body, key) for v in node]
    if key in ("clusterIP", "clusterIPs") and node not in body:
        return ANY_IP.get(node, node)
    if key in ("nodePort", "healthCheckNodePort") and str(node) not in body:
        return -1
    return node


def row_of(case: Case, body: str, old: dict | None, answer: tuple) -> dict:
    code, reply, warnings = answer
    row = {"name": case.name, "kind": case.kind, "do": case.do, "world": case.world, **shown_body(body)}
    if old:
        row["old"] = old
    row["code"] = code
    if code >= 400:
        row["message"] = reply.get("message", "")
        row["reason"] = reply.get("reason", "")
        details = reply.get("details", {})
        if details.get("causes"):
            row["causes"] = [[c.get("reason", ""), c.get("message", ""), c.get("field", "")]
                             for c in details["causes"]]
    else:
        reply["metadata"].pop("managedFields", None)
        for key in () if old else ("uid", "creationTimestamp"):
            reply["metadata"].pop(key, None)
        if "generateName" in reply["metadata"]:
            reply["metadata"]["name"] = "<generated>"
            if case.kind == "Namespace":
                reply["metadata"]["labels"]["kubernetes.io/metadata.name"] = "<generated>"
        row["object"] = without_allocated(reply, body + json.dumps(old)) if case.kind == "Service" else reply
        if warnings:
            row["warnings"] = warnings
    return settled(row, old)


def settled(row: dict, old: dict | None) -> dict:
    """The same at every recording: identifiers and times of the stored object are replaced."""
    if not old:
        # The time of asking; times in our own bodies are older.
        row = json.loads(re.sub(r'"lastTransitionTime": "202[6-9][^"]*"', f'"lastTransitionTime": "{BORN}"',
                                json.dumps(row)))
        generated = re.search(r'"generateName": "([^"]*)"', row["body"])
        if not generated:
            return row
        prefix = generated.group(1)
        return json.loads(re.sub(re.escape(prefix) + "[a-z0-9]{5}(?![a-z0-9-])", prefix + "x1x2x", json.dumps(row)))
    text = json.dumps(row)
    metadata = old["metadata"]
    text = text.replace(metadata["uid"], UID)
    text = text.replace(metadata["creationTimestamp"], BORN)
    for quote in ('"', '\\"'):
        rv = f'{quote}resourceVersion{quote}: {quote}'
        text = text.replace(rv + metadata["resourceVersion"] + quote, rv + RV + quote)
    return json.loads(text)


def recorded() -> list[dict]:
    rows = []
    cases = all_cases()
    for world, cidrs in WORLDS.items():
        wanted = [case for case in cases if case.world == world]
        with real_server(cidrs) as server:
            recorder = Recorder(server)
            rows += [recorder.ask(case) for case in wanted]
    return rows


def line(row: dict) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def main() -> int:
    try:
        fresh = [line(row) for row in recorded()]
    except servers.Unavailable as why:
        print(f"rules: cannot ask a real API server: {why}")
        return 77
    if "--write" in sys.argv[1:]:
        RECORDING.write_text("\n".join(fresh) + "\n")
        print(f"rules: {len(fresh)} answers recorded")
        return 0
    known = RECORDING.read_text().splitlines()
    differing = [new for new in fresh if new not in set(known)]
    for new in differing[:10]:
        print("rules: the real server answers otherwise than recorded:", new[:1500])
    print(f"rules: {len(fresh)} answers, {len(differing)} differ from the recording of {len(known)}")
    return 1 if differing or len(fresh) != len(known) else 0


if __name__ == "__main__":
    sys.exit(main())
