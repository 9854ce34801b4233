#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Upstream's mirroring controller and ours, each on a real kube-apiserver, are fed the same random
Endpoints and Services: the mirrored slices are the same. Then each takes over what the other has
settled, and writes nothing.

Upstream confuses the families of slices that it makes out of old ones ("already exists"), and then
may try for ever, with longer and longer pauses. Where it is stuck its slices are deleted, so that
it begins anew; ours has to be right by itself.

  controller_mirroring_test.py PROXIMA       PROXIMA_TRACES=200 PROXIMA_SEED=1 for more
  controller_mirroring_test.py upstream      upstream against itself: what the comparison is worth
"""
import concurrent.futures
import contextlib
import os
import random
import sys
import time

import drive
from mirroring_published import is_mirrored, mirrored
from mirroring_traces import TRIGGER_TIME, MirrorMaker
from peers import servers
from support.seeds import seed_of_this_run
from testbed import audit
from testbed.api import Refused, SliceWatch, wait_until_quiet
from testbed.controllers import MIRRORING, controller
from testbed.waiting import eventually

SKIPPED = 77
ROUNDS = 5
TRACES_IN_A_BATCH = 8
ROUND_QUIET_SECONDS = 0.2
END_QUIET_SECONDS = 1.6  # longer than the second after which either tries again
QUIET_SECONDS_MAX = 60
FREED_MAX = 5
FLAGS = ((MIRRORING,), (MIRRORING, "--mirroring-max-endpoints-per-subset=4"))  # batches in turn


class MirrorDriver(drive.Driver):
    """Besides plain requests: somebody's hands on a mirrored slice."""

    def do(self, step):
        special = {"LOSE": self.lose, "RELABEL": self.relabel, "ANNOTATE": self.annotate,
                   "COPY": self.copy}
        if step.method in special:
            return special[step.method](step.path)
        return super().do(step)

    def slices(self, service):
        return [item for item in super().slices(service) if is_mirrored(item)]

    def annotate(self, service):
        for item in self.slices(service)[:1]:
            self.api.patch(f"{drive.slices_path(self.namespace)}/{item['metadata']['name']}",
                           {"metadata": {"annotations": {"somebody": "was-here"}},
                            "ports": [{"name": "odd", "port": 1}]})

    def copy(self, service):
        """A second slice for the same: one too many."""
        for item in self.slices(service)[:1]:
            metadata = {key: item["metadata"][key] for key in ("labels", "ownerReferences")}
            self.api.create(drive.slices_path(self.namespace), {
                **item, "metadata": {**metadata, "generateName": "copy-"}})

    def endpoints(self):
        return self.api.items(f"/api/v1/namespaces/{self.namespace}/endpoints")

    def mirrored(self):
        return mirrored(self.api.items(drive.slices_path(self.namespace)), self.endpoints())

    def apply(self, step):
        try:
            self.do(step)
            return "ok"
        except Refused as refusal:
            if refusal.status >= 500:
                raise
            return str(refusal.status)


class Side:
    """One server, and who works there first."""

    def __init__(self, stack, which):
        self.which = which
        self.endpoint = stack.enter_context(servers.real_server(servers.DUAL_STACK))
        self.watch = SliceWatch(self.endpoint)
        stack.callback(self.watch.close)
        self.probes = 0

    def started(self):
        """A new Endpoints object waits behind everything that was there."""
        self.probes += 1
        probe = MirrorDriver(self.endpoint, f"probe-{self.probes}")
        probe.make_namespace()
        base = f"/api/v1/namespaces/{probe.namespace}"
        probe.api.create(base + "/services", {"metadata": {"name": "probe"},
                                              "spec": {"ports": [{"port": 80}]}})
        probe.api.create(base + "/endpoints", {
            "metadata": {"name": "probe"},
            "subsets": [{"addresses": [{"ip": "10.1.1.1"}], "ports": [{"port": 80}]}]})
        eventually(probe.mirrored, "the probe is mirrored", QUIET_SECONDS_MAX)
        probe.close()

    def changes(self, since):
        """Of mirrored slices; others are another test's."""
        return [(kind, item) for _, kind, item in self.watch.since(since)
                if is_mirrored(item) and not item["metadata"]["namespace"].startswith("probe-")]


class Trace:
    """One namespace on both sides."""

    def __init__(self, sides, seed, number):
        self.name = f"trace-{number}"
        self.maker = MirrorMaker(random.Random(f"{seed}/{number}"))
        self.drivers = [MirrorDriver(side.endpoint, self.name) for side in sides]
        self.story = []

    def start(self):
        for driver in self.drivers:
            driver.make_namespace()
        self.run(self.maker.begin())

    def run(self, steps):
        for step in steps:
            answers = [driver.apply(step) for driver in self.drivers]
            self.story.append(f"{step} → {answers[0]}")
            # What somebody does to a slice depends on which slices there are at that moment.
            if answers[0] != answers[1] and step.method.isupper() and step.path.startswith("/"):
                raise AssertionError(f"{self.name}: {step}: {answers}")

    def free_upstream(self):
        for item in filter(is_mirrored, self.drivers[0].api.items(drive.slices_path(self.name))):
            self.drivers[0].delete_slice(item)
        # It may be in a long pause: what is changed here is not mirrored, but looked at.
        for item in self.drivers[0].endpoints():
            path = f"/api/v1/namespaces/{self.name}/endpoints/{item['metadata']['name']}"
            self.drivers[0].api.patch(path, {"metadata": {"annotations": {TRIGGER_TIME: str(
                time.monotonic())}}})

    def finding(self):
        """None, or what is not the same."""
        both = [driver.mirrored() for driver in self.drivers]
        if both[0] == both[1]:
            return None
        return "\n".join(f"    {self.name}/{name}:\n      upstream {both[0].get(name)}\n"
                         f"      ours     {both[1].get(name)}"
                         for name in sorted(set(both[0]) | set(both[1]))
                         if both[0].get(name) != both[1].get(name))

    def close(self):
        for driver in self.drivers:
            driver.close()


def rest(sides, seconds):
    return wait_until_quiet([side.watch for side in sides], seconds, QUIET_SECONDS_MAX)


def findings(traces):
    return [(trace, finding) for trace in traces if (finding := trace.finding())]


def live(sides, traces, pool):
    """What is not the same when both have come to rest."""
    list(pool.map(lambda trace: trace.start(), traces))
    for _ in range(ROUNDS):
        rest(sides, ROUND_QUIET_SECONDS)
        list(pool.map(lambda trace: trace.run(trace.maker.round()), traces))
    rest(sides, END_QUIET_SECONDS)
    found = findings(traces)
    for _ in range(FREED_MAX):
        if not found:
            break
        print(f"  upstream begins anew in {[trace.name for trace, _ in found]}", flush=True)
        for trace, _ in found:
            trace.free_upstream()
        rest(sides, END_QUIET_SECONDS)
        found = findings(traces)
    return found


def tell(found):
    for trace, finding in found:
        print(finding[:6000])
        if os.environ.get("PROXIMA_STORY"):
            print("      " + "\n      ".join(trace.story))


def run_batch(sides, traces, flags, pool):
    with contextlib.ExitStack() as stack:
        for side in sides:
            stack.enter_context(controller(side.which, side.endpoint, *flags))
        found = live(sides, traces, pool)
    tell(found)
    return len(found)


def take_over(side, which, flags):
    """How many slices whoever takes over writes."""
    seen = side.watch.count()
    with controller(which, side.endpoint, *flags):
        side.started()
        rest([side], END_QUIET_SECONDS)
    written = side.changes(seen)
    for kind, item in written[:5]:
        print(f"    {kind} {str(item)[:1000]}")
    return len(written)


def exchanged(sides, flags):
    """Each takes over from the other."""
    writes = [take_over(side, other.which, flags) for side, other in zip(sides, sides[::-1])]
    print(f"  taking over wrote: ours after upstream {writes[0]}, upstream after ours {writes[1]}")
    return sum(writes)


def run(program, count, seed):
    wrong = 0
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(TRACES_IN_A_BATCH))
        sides = list(pool.map(lambda which: Side(stack, which), ("upstream", program)))
        for batch, first in enumerate(range(0, count, TRACES_IN_A_BATCH)):
            numbers = range(first, min(first + TRACES_IN_A_BATCH, count))
            traces = [Trace(sides, seed, number) for number in numbers]
            flags = FLAGS[batch % len(FLAGS)]
            wrong += run_batch(sides, traces, flags, pool)
            for trace in traces:
                trace.close()
            print(f"{numbers[-1] + 1} traces, {wrong} wrong; slice writes "
                  f"{[audit.slice_writes(side.endpoint) for side in sides]}", flush=True)
            if batch % len(FLAGS) == 0 and not wrong:
                wrong += exchanged(sides, flags)
            if count > first + TRACES_IN_A_BATCH:
                clear(sides, traces)
    return wrong


def clear(sides, traces):
    """The next batch has another limit: nothing of this one must be written again."""
    for side in sides:
        api = drive.Driver(side.endpoint)
        for trace in traces:
            for kind in ("services", "endpoints"):
                api.api.call("DELETE", f"/api/v1/namespaces/{trace.name}/{kind}")
            api.api.call("DELETE", drive.slices_path(trace.name))
        api.close()


def main():
    program = sys.argv[1]
    traces = int(os.environ.get("PROXIMA_TRACES", "4"))
    seed = seed_of_this_run(default=1)
    print(f"{traces} traces", flush=True)
    try:
        return 1 if run(program, traces, seed) else 0
    except servers.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
