#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections land as the plan says, counted from packets.

  packet_weights_test.py PROXIMA      PROXIMA_CONNECTIONS=20000

1. A split that is written by hand, from one node.
2. `balanced` on 2, 1 and 1 endpoints in three zones, planned by our controller and followed by our
   proxy on three nodes: 93 % stay in their zone and no endpoint gets more than 20 % above its share.
"""
import contextlib
import os
import sys

from peers import servers
from support import chi_square
from testbed import bed as beds
from testbed import lab_cluster
from testbed import proxies
from testbed import row_objects as objects
from testbed.controllers import controller
from testbed.waiting import eventually

SKIPPED = 77
CONNECTIONS = int(os.environ.get("PROXIMA_CONNECTIONS", "20000"))
SHAPE = ("a:3", "b:2", "c:2")
ENDPOINTS = {"pod-1-1": "a", "pod-1-2": "a", "pod-2-1": "b", "pod-3-1": "c"}
CLIENTS = {"a": "pod-1-3", "b": "pod-2-2", "c": "pod-3-2"}
HAND_WRITTEN = "a=a:600,b:270,c:130;b=b:1000;c=c:1000"
SPLIT = "proxima.io/zone-split"
LOCAL_SHARE, LOCAL_TOLERANCE = 0.933, 0.01
OVERLOAD = 1.2
SPREAD = 4  # standard deviations that a count may be above what it should be


def shares_of(split, zone):
    """Endpoint → share of the traffic of `zone`."""
    row = dict(part.split("=") for part in split.split(";"))[zone]
    shares = {}
    for place, share in (part.split(":") for part in row.split(",")):
        there = [name for name, at in ENDPOINTS.items() if at == place]
        shares.update({name: int(share) / 1000 / len(there) for name in there})
    return shares


def count_answers(bed, client, address, connections):
    """Backend → connections; raises when one failed."""
    result, = bed.dial(client, [{"proto": "tcp", "to": address, "port": objects.PORT,
                                 "count": connections, "window": 16, "timeout_ms": 10000}])
    if result["failed"]:
        raise AssertionError(f"connections of {client} failed: {result['failed']}")
    return {answer.split()[0]: count for answer, count in result["seen"].items()}


def check_fit(title, counts, shares):
    strangers = set(counts) - set(shares)
    statistic, bound = chi_square.statistic(counts, shares), chi_square.bound(len(shares))
    print(f"{title}: {counts}, chi-square {statistic:.1f} (at most {bound:.1f})", flush=True)
    if strangers or statistic > bound:
        raise AssertionError(f"{title}: not the shares {shares}")


def make_hand_written(cluster):
    """The address of a Service whose split is written by hand."""
    made = cluster.api.create(objects.SERVICES, {"metadata": {"name": "split"}, "spec": {
        "ports": [{"name": "tcp", "port": objects.PORT, "targetPort": beds.BACKEND_PORT}]}})
    endpoints = [{"addresses": [cluster.bed[name].v4], "nodeName": cluster.bed[name].node,
                  "zone": zone, "conditions": {"ready": True}}
                 for name, zone in ENDPOINTS.items()]
    cluster.api.create(objects.SLICES, objects.make_slice("split", "v4", endpoints,
                                                          {SPLIT: HAND_WRITTEN}))
    return made["spec"]["clusterIP"]


def make_pod(cluster, name):
    host = cluster.bed[name]
    path = f"/api/v1/namespaces/{objects.NAMESPACE}/pods"
    cluster.api.create(path, {"metadata": {"name": name, "labels": {"app": "balanced"}}, "spec": {
        "nodeName": host.node, "containers": [{"name": "it", "image": "it"}]}})
    cluster.api.patch(f"{path}/{name}/status", {"status": {
        "phase": "Running", "podIP": host.v4, "podIPs": [{"ip": host.v4}],
        "conditions": [{"type": "Ready", "status": "True"}]}})


def make_balanced(cluster):
    for name in ENDPOINTS:
        make_pod(cluster, name)
    made = cluster.api.create(objects.SERVICES, {
        "metadata": {"name": "balanced", "annotations": {"proxima.io/policy": "balanced"}},
        "spec": {"selector": {"app": "balanced"}, "ports": [
            {"name": "tcp", "port": objects.PORT, "targetPort": beds.BACKEND_PORT}]}})
    return made["spec"]["clusterIP"]


def published_split(cluster):
    for item in cluster.api.items(objects.SLICES):
        owner = item["metadata"]["labels"].get("kubernetes.io/service-name")
        split = item["metadata"].get("annotations", {}).get(SPLIT)
        if owner == "balanced" and split and len(item["endpoints"]) == len(ENDPOINTS):
            return split
    return None


def wait_for_answers(cluster, address, running):
    """Until every node that has a proxy knows the Service."""
    for client in CLIENTS.values():
        if cluster.bed[client].node not in running:
            continue
        job = {"proto": "tcp", "to": address, "port": objects.PORT, "timeout_ms": 500}
        running[cluster.bed[client].node].eventually(
            lambda: cluster.bed.dial(client, [job])[0]["seen"], f"{address} answers {client}")


def check_hand_written(cluster, address):
    counts = count_answers(cluster.bed, CLIENTS["a"], address, CONNECTIONS)
    check_fit("a split written by hand", counts, shares_of(HAND_WRITTEN, "a"))


def check_balanced(cluster, address, split):
    print(f"balanced is published as {split}")
    each = CONNECTIONS // len(CLIENTS)
    total, local = dict.fromkeys(ENDPOINTS, 0), 0
    for zone, client in CLIENTS.items():
        counts = count_answers(cluster.bed, client, address, each)
        check_fit(f"balanced, from zone {zone}", counts, shares_of(split, zone))
        for name, count in counts.items():
            total[name] += count
            local += count if ENDPOINTS[name] == zone else 0
    everything = sum(total.values())
    fair = everything / len(ENDPOINTS)
    worst = max(total.values())
    print(f"balanced: {100 * local / everything:.1f} % stay in their zone, the most loaded endpoint "
          f"has {100 * (worst / fair - 1):+.1f} %")
    if abs(local / everything - LOCAL_SHARE) > LOCAL_TOLERANCE:
        raise AssertionError(f"not {100 * LOCAL_SHARE} % local")
    if worst > OVERLOAD * fair + SPREAD * (OVERLOAD * fair) ** 0.5:
        raise AssertionError("an endpoint has too much")


def run(stack, program):
    endpoint = stack.enter_context(lab_cluster.server_for(program))
    nodes = ("node-1", "node-2", "node-3")
    cluster = lab_cluster.LabCluster(stack, program, SHAPE, endpoint, nodes)
    stack.enter_context(controller(program, endpoint, log=cluster.folder / "controller.log"))
    by_hand, balanced = make_hand_written(cluster), make_balanced(cluster)
    running = {name: stack.enter_context(
        proxies.proxy_on(program, cluster.bed[name], endpoint, cluster.folder)) for name in nodes}
    split = eventually(lambda: published_split(cluster), "the plan of balanced")
    wait_for_answers(cluster, by_hand, running)
    wait_for_answers(cluster, balanced, running)
    check_hand_written(cluster, by_hand)
    check_balanced(cluster, balanced, split)


def main():
    beds.become_able()
    beds.end_cleanly()
    try:
        with contextlib.ExitStack() as stack:
            run(stack, sys.argv[1])
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: where connections land: {why}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
