#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The embedded API server beside kube-apiserver with etcd: the same requests to one after the other.

bench/apiserver_ratio.py BUILD [OBJECTS]: prints time to readiness, memory, and what creating,
reading and listing costs each. Processor time is that of the servers alone (etcd counts as part of
the peer), so the client of this bench does not matter.
"""
import http.client
import json
import os
import pathlib
import sys
import threading
import time

from peers import servers
from testbed.waiting import eventually

CLIENTS = 4
LISTS = 20
TICKS = os.sysconf("SC_CLK_TCK")


def stat_of(pid):
    """(parent, processor seconds), or None when it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS


def children():
    """What this process has started, and what that has started."""
    found = {int(name): stat_of(name) for name in os.listdir("/proc") if name.isdigit()}
    family = {os.getpid()}
    while True:
        more = {pid for pid, stat in found.items() if stat and stat[0] in family} - family
        if not more:
            return family - {os.getpid()}
        family |= more


def processor_seconds():
    return sum(stat[1] for pid in children() if (stat := stat_of(pid)))


def resident_megabytes():
    total = 0
    for pid in children():
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return total / 1024


class Client:
    def __init__(self, endpoint):
        self.connection = http.client.HTTPSConnection(endpoint.host, endpoint.port,
                                                      context=endpoint.trust, timeout=60)
        self.headers = {"Authorization": "Bearer " + endpoint.admin,
                        "Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:200]}")
        return text


def in_parallel(endpoint, work, count):
    """work(client, i) for every i below count, by CLIENTS connections."""
    def share(first):
        client = Client(endpoint)
        for i in range(first, count, CLIENTS):
            work(client, i)
    threads = [threading.Thread(target=share, args=(first,)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def pod(i):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": f"web-{i}", "labels": {"app": f"web-{i % 50}"}},
            "spec": {"nodeName": f"node-{i % 100}", "terminationGracePeriodSeconds": 0,
                     "containers": [{"name": "c", "image": "registry.example/web:1",
                                     "ports": [{"name": "http", "containerPort": 8080}]}]}}


PODS = "/api/v1/namespaces/default/pods"


def lists(endpoint):
    client = Client(endpoint)
    for _ in range(LISTS):
        client.ask("GET", PODS)


def measure(start, objects):
    began = time.monotonic()
    figures = {}
    with start as endpoint:
        figures["s until ready"] = time.monotonic() - began
        figures["MB when ready"] = resident_megabytes()
        # The default namespace is made after readiness by the real one.
        eventually(lambda: b'"default"' in Client(endpoint).ask("GET", "/api/v1/namespaces"),
                   "the default namespace")
        steps = (
            ("create", objects, lambda: in_parallel(
                endpoint, lambda client, i: client.ask("POST", PODS, pod(i)), objects)),
            ("get", objects, lambda: in_parallel(
                endpoint, lambda client, i: client.ask("GET", f"{PODS}/web-{i}"), objects)),
            ("list of all", LISTS, lambda: lists(endpoint)),
        )
        for name, times, work in steps:
            processor, wall = processor_seconds(), time.monotonic()
            work()
            figures[f"processor ms a {name}"] = (processor_seconds() - processor) * 1000 / times
            figures[f"wall ms a {name}"] = (time.monotonic() - wall) * 1000 / times
        figures["MB at the end"] = resident_megabytes()
    return figures


def main():
    build, objects = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    try:
        theirs = measure(servers.real_server(), objects)
    except servers.Unavailable as why:
        print(f"no peer: {why}")
        return
    ours = measure(servers.embedded_server(build / "bin" / "proxima"), objects)
    print(f"{objects} Pods, {CLIENTS} connections; durable writes on both sides")
    print(f"{'':28}{'proxima':>12}{'kube-apiserver + etcd':>24}{'ratio':>10}")
    for name, value in ours.items():
        ratio = theirs[name] / value if value > 0 else float("inf")
        print(f"{name:28}{value:12.2f}{theirs[name]:24.2f}{ratio:9.1f}×")


main()
