#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A controller that takes over a cluster that another one has settled writes nothing.

  controller_take_over_test.py PROXIMA          PROXIMA_TRACES=8 PROXIMA_SEED=1: random lives besides the kinds

The cluster has every kind of Service (kinds.py) and what random traces made of some namespaces. It
is settled by one controller; then each of the others takes over in turn, and not one slice may
change. That is done twice: once settled by upstream and once by ours.
"""
import concurrent.futures
import contextlib
import os
import random
import sys

import drive
import kinds
from peers import servers
from random_trace import NamespaceMaker, NodeMaker
from support.seeds import seed_of_this_run
from testbed import audit
from testbed.api import SliceWatch, wait_until_quiet
from testbed.controllers import controller, end_cleanly
from testbed.objects import SERVICE_NAME
from world import World

SKIPPED = 77
QUIET_SECONDS = 2.5
QUIET_SECONDS_MAX = 60
ROUNDS = 4


class Cluster:
    def __init__(self, stack, seed, traces):
        self.endpoint = stack.enter_context(servers.real_server(servers.DUAL_STACK))
        self.watch = SliceWatch(self.endpoint)
        stack.callback(self.watch.close)
        self.world = World(self.endpoint, "kinds")
        self.seed = seed
        self.traces = traces
        self.probes = 0

    def rest(self):
        assert wait_until_quiet([self.watch], QUIET_SECONDS, QUIET_SECONDS_MAX), "never at rest"

    def live(self):
        """Random lives, while a controller runs; Nodes of their own keep their zones and CPU, for
        upstream looks again at neither."""
        kinds.fill(self.world)
        nodes = NodeMaker(random.Random(f"{self.seed}/nodes"))
        cluster = drive.Driver(self.endpoint)
        for step in nodes.begin():
            assert cluster.apply(step) == "ok", step
        for number in range(self.traces):
            driver = drive.Driver(self.endpoint, f"trace-{number}")
            driver.make_namespace()
            maker = NamespaceMaker(random.Random(f"{self.seed}/{number}"), number + 1, nodes.there)
            for steps in [maker.begin()] + [maker.round() for _ in range(ROUNDS)]:
                for step in steps:
                    driver.apply(step)
            wait_until_quiet([self.watch], 0.2, 5)
            driver.nudge()
            driver.close()
        cluster.close()
        self.rest()
        # The Nodes came after the first Services, and upstream gives hints that it once refused to
        # a Service only when that is looked at again.
        first = drive.Driver(self.endpoint, "kinds")
        first.nudge()
        first.close()
        self.rest()

    def started(self):
        """Until the controller that was just started has done what it wanted: a new Service waits
        behind those that were there."""
        self.probes += 1
        name = f"probe-{self.probes}"
        self.world.service(name, selector={"app": "nothing"})
        self.world.expect(name)
        self.rest()
        self.world.drop_service(name)

    def slices(self):
        """By namespace and name."""
        items = self.world.api.items("/apis/discovery.k8s.io/v1/endpointslices")
        return {key_of(item): item for item in items if not is_probe(item)}


def is_probe(item):
    return item["metadata"]["labels"].get(SERVICE_NAME, "").startswith("probe")


def key_of(item):
    return item["metadata"]["namespace"] + "/" + item["metadata"]["name"]


def version_of(item):
    return item["metadata"]["resourceVersion"]


def without_hints(item):
    return [item["metadata"]["labels"], item.get("ports"),
            [{key: value for key, value in endpoint.items() if key != "hints"}
             for endpoint in item.get("endpoints") or []]]


def hints_alone(before, now):
    """What upstream does to Auto's hints when it syncs a Service before it has looked at the Nodes:
    `hints-before-nodes` of docs/differences.md. It takes them away, and sometimes gives them again;
    to its own slices as well."""
    return before is not None and without_hints(before) == without_hints(now) and any(
        "hints" in endpoint for endpoint in before.get("endpoints") or [])


def changes(cluster, since):
    return [(kind, item) for _, kind, item in cluster.watch.since(since) if not is_probe(item)]


def take_over(cluster, name, program, log):
    """How many slices the new one wrote, and what is to be said of it."""
    before, seen = cluster.slices(), cluster.watch.count()
    with controller(program, cluster.endpoint, log=log):
        cluster.started()
    written, excused = changes(cluster, seen), 0
    if name == "upstream":
        kept = [(kind, item) for kind, item in written
                if not hints_alone(before.get(key_of(item)), item)]
        written, excused = kept, len(written) - len(kept)
    after = cluster.slices()
    changed = sum(key not in before or version_of(before[key]) != version_of(item)
                  for key, item in after.items())
    told = [f"  {name} takes over {len(before)} slices: {len(written)} writes" +
            (f", and {excused} for hints-before-nodes" if excused else "")]
    for kind, item in written[:10]:
        meta = item["metadata"]
        told.append(f"    {kind} {meta['namespace']}/{meta['labels'].get(SERVICE_NAME)}: "
                    f"{str(item)[:600]}")
    return len(written) + max(0, changed - excused), told


def one_after_the_other(who, seed, traces):
    """The first settles the cluster, the others take over."""
    wrong, (first, *others) = 0, who
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack, seed, traces)
        log = cluster.endpoint.kubeconfig.parent / "controllers.log"
        with controller(first[1], cluster.endpoint, log=log):
            cluster.live()
        told = [f"settled by {first[0]} with {audit.slice_writes(cluster.endpoint)} writes"]
        for name, which in others:
            writes, lines = take_over(cluster, name, which, log)
            wrong, told = wrong + writes, told + lines
        cluster.world.api.close()
    print("\n".join(told), flush=True)
    return wrong


def run(program, seed, traces):
    ours, upstream = ("ours", program), ("upstream", "upstream")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return sum(pool.map(lambda who: one_after_the_other(who, seed, traces),
                            ((upstream, ours, ours), (ours, ours, upstream))))


def main():
    end_cleanly()
    seed = seed_of_this_run(default=1)
    traces = int(os.environ.get("PROXIMA_TRACES", "2"))
    print(f"{traces} traces", flush=True)
    try:
        return 1 if run(sys.argv[1], seed, traces) else 0
    except servers.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
