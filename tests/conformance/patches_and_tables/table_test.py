#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares rows of Tables with those that a real kube-apiserver made of the same objects.

  table_test.py PROXIMA_API_VIEWS              against the recording
  table_test.py PROXIMA_API_VIEWS live         against a real server, with PROXIMA_TABLE_CASES random Pods
  table_test.py PROXIMA_API_VIEWS record       the same, and writes the recording
PROXIMA_PEERS says where kube-apiserver is; live runs exit with 77 and the reason without it.
"""
import email.utils
import json
import os
import pathlib
import random
import subprocess
import sys
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
from peers import servers
import table_objects

RECORDING = HERE / "tables.json"
SKIPPED = 77
SHOWN_DIFFERENCES_MAX = 5
RECORDED_PODS = 40
SEED = 5
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
FINALIZER = "proxima.io/stays"


class Server:
    def __init__(self, endpoint):
        self.endpoint = endpoint

    def ask(self, method, path, body=None, accept="application/json"):
        """(body, the server's time in seconds)"""
        request = urllib.request.Request(
            self.endpoint.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + self.endpoint.admin, "Content-Type": "application/json", "Accept": accept})
        try:
            with urllib.request.urlopen(request, context=self.endpoint.trust, timeout=30) as answer:
                now = email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
                return json.loads(answer.read()), int(now)
        except urllib.error.HTTPError as refused:
            raise RuntimeError(f"{method} {path} {json.dumps(body)}: {refused.read().decode()}") from refused

    def create(self, path, made):
        doomed = made["metadata"]["name"].startswith("doomed")
        status = made.pop("status", None)
        if doomed:
            made["metadata"]["finalizers"] = [FINALIZER]
        self.ask("POST", path, made)
        item = path + "/" + made["metadata"]["name"]
        if status:
            current, _ = self.ask("GET", item)
            self.ask("PUT", item + "/status", {**current, "status": status})
        if doomed:
            self.ask("DELETE", item)


def rows_of(server, path):
    """Each object of a collection with the row that the server makes of it."""
    objects, _ = server.ask("GET", path)
    table, now = server.ask("GET", path + "?includeObject=None", accept=TABLE)
    columns = [{key: column[key] for key in ("name", "type", "format", "priority")} for column in table["columnDefinitions"]]
    for item, row in zip(objects["items"], table["rows"], strict=True):
        item.get("metadata", {}).pop("managedFields", None)
        about = {"apiVersion": objects["apiVersion"], "kind": objects["kind"].removesuffix("List")}
        yield {**about, "now": now, "object": item, "columns": columns, "row": row}


def live_rows(pods):
    source = random.Random(SEED)
    with servers.real_server(servers.DUAL_STACK) as endpoint:
        server = Server(endpoint)
        server.ask("POST", "/api/v1/namespaces", table_objects.named("tables"))
        made = table_objects.OBJECTS + [table_objects.random_pod(source, number) for number in range(pods)]
        for path, each in made:
            server.create(path, json.loads(json.dumps(each)))
        paths = {path for path, _ in made} | {"/apis/networking.k8s.io/v1/ipaddresses"}
        return [row for path in sorted(paths) for row in rows_of(server, path)]


def differences(faces, row):
    """What is not as the real server has it; ages may be a second off, as its clock is read later."""
    closest = None
    for now in (row["now"], row["now"] + 1, row["now"] - 1):
        faces.stdin.write(json.dumps({"do": "table", **row, "now": now}) + "\n")
        faces.stdin.flush()
        ours = json.loads(faces.stdout.readline())["result"]
        columns = [{key: column[key] for key in ("name", "type", "format", "priority")} for column in ours["columns"]]
        found = []
        if columns != row["columns"]:
            found.append(f"columns {columns}, not {row['columns']}")
        if ours["row"] != row["row"]:
            found.append(f"row {ours['row']}, not {row['row']}")
        if not found:
            return []
        closest = closest or found
    return closest


def write(rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    RECORDING.write_text(f"[\n{lines}\n]\n")


def main():
    how = sys.argv[2] if len(sys.argv) > 2 else "recorded"
    try:
        if how == "recorded":
            rows = json.loads(RECORDING.read_text())
        else:
            rows = live_rows(RECORDED_PODS if how == "record" else int(os.environ.get("PROXIMA_TABLE_CASES", "300")))
    except servers.Unavailable as why:
        print(f"skipped: {why}")
        return SKIPPED
    if how == "record":
        write(rows)
    faces = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    wrong = [(row, found) for row in rows if (found := differences(faces, row))]
    for row, found in wrong[:SHOWN_DIFFERENCES_MAX]:
        print(f"{row['kind']} {row['object']['metadata']['name']}: {'; '.join(found)}")
    faces.stdin.close()
    print(f"{len(rows)} rows, {len(wrong)} different")
    return 1 if wrong or not rows or faces.wait(timeout=60) != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
