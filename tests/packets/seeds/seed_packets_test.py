#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the documents that the features come from say about packets, sent: seed_packets_test.py PROXIMA
[WORDS OF A ROW].

The embedded API server, which keeps the fields that newer Kubernetes dropped, our controller, and our
proxy on four nodes in three zones and two regions. Each row of seed_rows.py is a Service in a namespace
of its own. Its packets must reach the endpoints that the row names, and `proxima explain` must name the
same ones. docs/seeds.md says which row shows which statement.
"""
import collections
import contextlib
import dataclasses
import json
import subprocess
import sys

import seed_rows as rows
from peers import servers
from support import chi_square
from testbed import bed as beds
from testbed import lab_cluster
from testbed import proxies
from testbed.controllers import controller
from testbed.waiting import first_true

SKIPPED = 77
SHAPE = ("a:4", "a:3", "b:4", "c:4")
CLIENTS = {1: "pod-1-4", 2: "pod-2-3", 3: "pod-3-4", 4: "pod-4-4"}
ONE_OF_EACH_ZONE = (1, 3, 4)
EXAMPLE_PORT = 9376
TRIES_EACH = 12  # for every endpoint that is expected, besides TRIES
TRIES = 12
TRIES_OF_A_REFUSAL = 3
TRIES_OF_A_SHARE = 1800
SETTLE_SECONDS_MAX = 90  # a row is wrong when it was wrong in each round until then
SHARE_STEP = 0.021  # what proxy/slot_assignment.h promises of a share
APP = {"app": "my-app"}


def host_of(word):
    """"pod-1-2" of "1b!"."""
    return f"pod-{word[0]}-{'abc'.index(word[1]) + 1}"


def short_of(host):
    _, node, number = host.split("-")
    return node + "abc"[int(number) - 1]


class Cluster(lab_cluster.LabCluster):
    def __init__(self, stack, program, endpoint):
        nodes = tuple(rows.PLACES)
        super().__init__(stack, program, SHAPE, endpoint, nodes)
        for name in nodes:
            self.api.patch(f"/api/v1/nodes/{name}", {"metadata": {"labels": rows.PLACES[name]}})
            self.api.patch(f"/api/v1/nodes/{name}/status",
                           {"status": {"allocatable": {"cpu": rows.CORES[name]}}})
        for host in self.bed.hosts.values():
            if host.kind == "pod" and host.name not in CLIENTS.values():
                self.bed.start_backend(stack, host, EXAMPLE_PORT)


class Made:
    """The objects of a row."""

    def __init__(self, cluster, row, number):
        self.cluster, self.row, self.namespace = cluster, row, f"row-{number}"
        self.base = f"/api/v1/namespaces/{self.namespace}"
        self.slices = f"/apis/discovery.k8s.io/v1/namespaces/{self.namespace}/endpointslices"
        cluster.api.create("/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        self.service = cluster.api.create(self.base + "/services", {
            "metadata": {"name": "my-service", "annotations": row.annotations},
            "spec": {**({} if row.slices else {"selector": APP}),
                     "ports": [{"protocol": "TCP", "port": 80, "targetPort": beds.BACKEND_PORT}],
                     **row.spec}})["spec"]
        for word in row.pods.split():
            self.make_pod(word)
        for index, words in enumerate(row.slices):
            self.make_slice(index, words.split())
        workload, _, places = row.clients.partition(":")
        for index, word in enumerate(places.split()):
            self.make_client(workload, index, word)

    def make_pod(self, word):
        host = self.cluster.bed[host_of(word)]
        weight = word.partition("*")[2]
        self.pod(host.name, host.node, host.v4, ready="!" not in word, labels=APP,
                 annotations={"proxima.io/weight": weight} if weight else {})
        if "~" in word:
            self.cluster.api.delete(f"{self.base}/pods/{host.name}", 600)

    def make_client(self, workload, index, word):
        owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": workload,
                 "controller": True, "uid": workload}
        self.pod(f"{workload}-{index}", f"node-{word[0]}", f"192.0.2.{index + 1}", ready="!" not in word,
                 ownerReferences=[owner])

    def pod(self, name, node, address, ready, **metadata):
        self.cluster.api.create(self.base + "/pods", {"metadata": {"name": name, **metadata}, "spec": {
            "nodeName": node, "containers": [{"name": "it", "image": "it"}]}})
        self.cluster.api.patch(f"{self.base}/pods/{name}/status", {"status": {
            "phase": "Running", "podIP": address, "podIPs": [{"ip": address}],
            "conditions": [{"type": "Ready", "status": "True" if ready else "False"}]}})

    def make_slice(self, index, words):
        endpoints = []
        for word in words:
            host, zone = self.cluster.bed[host_of(word)], word.partition("+")[2]
            hints = {"hints": {"forZones": [{"name": zone}]}} if zone else {}
            endpoints.append({"addresses": [host.v4], "nodeName": host.node, "zone": host.zone,
                              "conditions": {"ready": True}, **hints})
        self.cluster.api.create(self.slices, {
            "metadata": {"name": f"by-hand-{index}",
                         "labels": {"kubernetes.io/service-name": "my-service"}},
            "addressType": "IPv4", "endpoints": endpoints,
            "ports": [{"protocol": "TCP", "port": beds.BACKEND_PORT}]})

    def target(self, who):
        if isinstance(who, str):
            return self.cluster.bed["node-" + who[1]].v4, self.service["ports"][0]["nodePort"]
        return self.service["clusterIP"], 80

    def endpoints(self):
        return [one for item in self.cluster.api.items(self.slices)
                for one in item.get("endpoints") or []]

    def all_are_hinted(self):
        return len(self.endpoints()) == len(self.row.pods.split()) and all(
            one.get("hints", {}).get("forZones") for one in self.endpoints())

    def touch(self, value):
        """Something about the Service changes that means nothing."""
        self.cluster.api.patch(f"{self.base}/services/my-service",
                               {"metadata": {"annotations": {"example.com/touched": value}}})

    def remove(self):
        """The Service goes first: nobody has anything to write for the rest."""
        self.cluster.api.delete(f"{self.base}/services/my-service")
        for item in self.cluster.api.items(f"{self.base}/pods"):
            self.cluster.api.delete(f"{self.base}/pods/{item['metadata']['name']}", 0,
                                    missing_ok=True)


class Probe:
    """What one client sees of a row."""

    def __init__(self, made, who, answer):
        self.made, self.who = made, who
        self.refusal = answer if answer in (rows.REJECT, rows.DROP) else None
        words = [] if self.refusal else [word.partition("=") for word in answer.split()]
        self.weights = {name: float(weight or 1) for name, _, weight in words}
        self.in_proportion = "=" in answer
        self.counts, self.failed = collections.Counter(), collections.Counter()

    def __str__(self):
        return f"{self.made.row.sentence} (from {self.who})"

    def sources(self):
        if self.who == rows.ZONES:
            return [CLIENTS[number] for number in ONE_OF_EACH_ZONE]
        return ["outside-1" if isinstance(self.who, str) else CLIENTS[self.who]]

    def job(self):
        to, port = self.made.target(1 if self.who == rows.ZONES else self.who)
        tries = (TRIES_OF_A_REFUSAL if self.refusal else
                 TRIES_OF_A_SHARE if self.in_proportion else
                 TRIES + TRIES_EACH * len(self.weights))
        # A kernel that is told too early does not listen yet: TCP asks again after a second.
        patience = {rows.REJECT: 2500, rows.DROP: 700}.get(self.refusal, 5000)
        return {"proto": "tcp", "to": to, "port": port, "count": tries, "window": min(16, tries),
                "timeout_ms": patience}

    def forget(self):
        self.counts.clear()
        self.failed.clear()

    def add(self, result):
        self.failed.update(result["failed"])
        for answer, count in result["seen"].items():
            self.counts[short_of(answer.split()[0])] += count

    def shares(self):
        total = sum(self.weights.values())
        return {name: weight / total for name, weight in self.weights.items()}

    def wrong(self):
        """What is wrong with what was seen, or None."""
        seen = f"{dict(self.counts)} {dict(self.failed)}"
        if self.refusal:
            kind = {rows.REJECT: "refused", rows.DROP: "timeout"}[self.refusal]
            return None if not self.counts and set(self.failed) == {kind} else seen
        if self.failed or set(self.counts) != set(self.weights):
            return seen
        if self.in_proportion:
            statistic = chi_square.statistic(self.counts, self.shares())
            bound = chi_square.bound(len(self.weights))
            return None if statistic <= bound else f"{seen}: chi-square {statistic:.1f}"
        return None


def send(bed, probes):
    """Asks anew for each of the probes."""
    by_source = collections.defaultdict(list)
    for probe in probes:
        probe.forget()
        for source in probe.sources():
            by_source[source].append(probe)
    for source, some in by_source.items():
        for probe, result in zip(some, bed.dial(source, [probe.job() for probe in some])):
            probe.add(result)


def settle(bed, probes, running, seconds=SETTLE_SECONDS_MAX):
    """Those that stay wrong, with what is wrong."""
    left = probes

    def all_are_right():
        nonlocal left
        for proxy in running:
            proxy.check_alive()
        send(bed, left)
        left = [probe for probe in left if probe.wrong()]
        return not left

    first_true(all_are_right, seconds)
    return {str(probe): probe.wrong() for probe in left}


def explained(cluster, world, made, node):
    """Endpoint → share, as `proxima explain` says it about what is published."""
    gates = [f"--feature-gates={world.gates}"] if world.gates else []
    done = subprocess.run(
        [cluster.program, "explain", f"service/{made.namespace}/my-service", "--from-node", node,
         "-o", "json", f"--kubeconfig={cluster.endpoint.kubeconfig}", *world.policy, *gates],
        capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        return {"error": done.stderr.strip()}
    names = {host.v4: host.name for host in cluster.bed.hosts.values() if host.kind == "pod"}
    found = {}
    for one in json.loads(done.stdout)["endpoints"]:
        share = one.get("shareNow", one["share"])
        if share > 0:
            found[short_of(names[one["address"]])] = share
    return found


def said_otherwise(cluster, world, probes):
    """Probe → what explain says, where that is not what packets do."""
    found = {}
    for probe in probes:
        if isinstance(probe.who, str):
            continue  # explain speaks of the cluster address
        said = explained(cluster, world, probe.made, f"node-{probe.who}")
        wanted = probe.shares() if not probe.refusal else {}
        near = said.keys() == wanted.keys() and all(
            abs(said[name] - wanted[name]) <= SHARE_STEP for name in wanted)
        if not near:
            found[str(probe)] = f"explain says {said}, not {wanted}"
    return found


def run_world(stack, cluster, world, numbers):
    """Row or probe → what is wrong with it."""
    flags = [*world.policy, *([f"--feature-gates={world.controller_gates}"]
                              if world.controller_gates else [])]
    stack.enter_context(controller(cluster.program, cluster.endpoint, *flags,
                                   log=cluster.folder / "controller.log"))
    settings = proxies.Settings(gates=world.gates)
    running = []
    for name in rows.PLACES:
        proxy = proxies.Proxy(cluster.program, cluster.bed[name], cluster.endpoint, cluster.folder,
                              settings)
        proxy.start()
        stack.callback(proxies.forget_rules, cluster.bed[name])
        stack.callback(proxy.stop)
        running.append(proxy)
    made = [Made(cluster, row, next(numbers)) for row in world.rows]
    stack.callback(lambda: [one.remove() for one in made])
    unhinted = [one for one in made if one.row.hinted]
    first_true(lambda: all(one.all_are_hinted() for one in unhinted), SETTLE_SECONDS_MAX)
    wrong = {one.row.sentence: "not every endpoint has a hint" for one in unhinted
             if not one.all_are_hinted()}
    probes = [Probe(one, who, answer) for one in made for who, answer in one.row.asked.items()]
    wrong |= settle(cluster.bed, probes, running)
    wrong |= said_otherwise(cluster, world, [probe for probe in probes if str(probe) not in wrong])
    failed = {one.row.sentence for one in made if any(name.startswith(one.row.sentence)
                                                       for name in wrong)}
    for one in made:
        print(f"{'WRONG' if one.row.sentence in failed else 'ok   '} {one.row.sentence}")
    print(f"{world.title}: {len(made) - len(failed)} of {len(made)} rows, "
          f"{len(probes)} clients", flush=True)
    return wrong


def chosen(words):
    for world in rows.WORLDS:
        some = tuple(row for row in world.rows if words in row.sentence)
        if some:
            yield dataclasses.replace(world, rows=some)


def main():
    beds.become_able()
    beds.end_cleanly()
    program, words = sys.argv[1], " ".join(sys.argv[2:])
    wrong, numbers = {}, iter(range(1, 10 ** 6))
    try:
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(
                servers.embedded_server(program, beds.SERVICE_RANGES))
            cluster = Cluster(stack, program, endpoint)
            for world in chosen(words):
                with contextlib.ExitStack() as inner:
                    wrong |= run_world(inner, cluster, world, numbers)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: any row: {why}")
        return SKIPPED
    for name, difference in wrong.items():
        print(f"  {name}: {difference}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
