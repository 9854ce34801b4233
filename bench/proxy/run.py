#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real kube-proxy and ours, one after the other, on the same node of namespaces and the same
Services of one API server: first sync, one change, CPU, memory, and connections beside direct ones.

  run.py PROXIMA      SERVICES=10,1000,10000 ROUNDS=100 SERVER=real|embedded PROXY=kube-proxy|proxima

Prints a table a number of Services, with ours by kube-proxy's.
"""
import contextlib
import os
import random
import statistics
import sys
import time

import cluster as benches
from connections import compare_connections, print_connections
from kernel_watch import KernelWatch
from peers import servers
from testbed import bed as beds
from testbed import lab_cluster, proxies
from testbed import row_objects as objects
from testbed.api import Api, SliceWatch
from testbed.waiting import eventually
from usage import cpu_seconds, memory_megabytes, own_megabytes, sync_seconds

SKIPPED = 77
SIZES = [int(word) for word in os.environ.get("SERVICES", "10,1000").split(",")]
ROUNDS = int(os.environ.get("ROUNDS", "100"))
CHANGES = 10  # even: the last one leaves the slice as it was
SAMPLE = 100
MISS_MILLISECONDS = 100
SYNC_SECONDS_MAX = 300
MIN_SYNC = "0.001s"  # zero would mean the usual second


class Bench:
    """One proxy on the cluster."""

    def __init__(self, cluster, proxy, size):
        self.cluster, self.bed, self.proxy, self.size = cluster, cluster.bed, proxy, size
        self.rows = {}

    def silent(self, numbers):
        """The Services that do not answer."""
        jobs = [{"to": benches.cluster_ip(number), "port": objects.PORT,
                 "timeout_ms": MISS_MILLISECONDS} for number in numbers]
        results = self.bed.dial(benches.CLIENT, jobs)
        return [number for number, result in zip(numbers, results) if not result["seen"]]

    def first_sync(self):
        """From the start of the program until a sample of all Services answers."""
        sample = random.Random(self.size).sample(range(self.size), min(SAMPLE, self.size))
        begun = time.monotonic()
        self.proxy.start()
        missing = sample

        def all_answer():
            nonlocal missing
            self.proxy.check_alive()
            # One that does not answer stands for the others: asking all would keep the node busy.
            while missing and not self.silent(missing[:1]):
                missing = self.silent(missing)
            return not missing

        eventually(all_answer, "the first sync", SYNC_SECONDS_MAX, self.proxy.last_words)
        self.rows["first sync, s"] = time.monotonic() - begun
        self.rows["CPU of it, s"] = cpu_seconds(self.proxy.child.pid)

    def changes(self):
        """From the write of a changed slice until the kernel has a transaction; of that, since the
        API server told the change to a watch beside the proxy's; and the sync alone by the proxy's
        own metric."""
        watch = KernelWatch(self.bed["node-1"])
        path = f"{objects.SLICES}/bench-{benches.PROBE}"
        times, since_told, cpu = [], [], cpu_seconds(self.proxy.child.pid)
        before = sync_seconds(self.bed["node-1"])
        api = Api(self.cluster.endpoint)  # servers close connections that were idle for long
        api.get(path)
        events = SliceWatch(self.cluster.endpoint)
        for change in range(CHANGES):
            watch.drain()
            ready = benches.ENDPOINTS - (3 if change % 2 == 0 else 0)
            sent = time.monotonic()
            changed = api.replace(path, benches.slice_body(benches.PROBE, ready))
            done = watch.wait(SYNC_SECONDS_MAX)
            if done is None:
                raise AssertionError("a change did not reach the kernel")
            times.append(1000 * (done - sent))
            since_told.append(1000 * (done - told_at(events, changed)))
            time.sleep(0.3)
        watch.close()
        events.close()
        api.close()
        after = sync_seconds(self.bed["node-1"])
        self.rows["one change, ms"] = statistics.median(times)
        self.rows["since the slice's event, ms"] = statistics.median(since_told)
        self.rows["the sync of it alone, ms"] = (
            1000 * (after[0] - before[0]) / max(1, after[1] - before[1]))
        self.rows["CPU of one change, ms"] = (
            1000 * (cpu_seconds(self.proxy.child.pid) - cpu) / CHANGES)
        self.rows["memory, MB"] = memory_megabytes(self.proxy.child.pid)
        self.rows["without pages of files, MB"] = own_megabytes(self.proxy.child.pid)


def told_at(events, changed):
    """When the API server told this change of a slice."""
    version = changed["metadata"]["resourceVersion"]
    found = eventually(
        lambda: [at for at, _, told in events.since(0)
                 if told["metadata"]["resourceVersion"] == version],
        "the event of a change", SYNC_SECONDS_MAX)
    return found[0]


def measure(cluster, which, size):
    proxy = proxies.Proxy(which, cluster.bed["node-1"], cluster.endpoint, cluster.folder,
                          proxies.Settings(min_sync=MIN_SYNC))
    bench = Bench(cluster, proxy, size)
    try:
        bench.first_sync()
        bench.changes()
    finally:
        proxy.stop()
        proxies.forget_rules(proxy.host)
    return bench.rows


def print_table(size, by_proxy):
    names = list(by_proxy)
    print(f"\n{size} services of {benches.ENDPOINTS} endpoints")
    print(f"{'':30}" + "".join(f"{name:>14}" for name in names) +
          (f"{'ratio':>10}" if len(names) == 2 else ""))
    for row in by_proxy[names[0]]:
        values = [by_proxy[name][row] for name in names]
        text = "".join(f"{value:14.3f}" for value in values)
        if len(values) == 2:
            text += f"{values[1] / values[0]:10.4f}" if values[0] else f"{'-':>10}"
        print(f"{row:30}{text}", flush=True)


def run(stack, program, chosen):
    endpoint = stack.enter_context(lab_cluster.server_for(program, os.environ.get("SERVER")))
    cluster = lab_cluster.LabCluster(stack, program, ("a:2", "a:2"), endpoint,
                                     ("node-1", "node-2"))
    for number in (1, 2):
        benches.answer_for_all(cluster.bed, number)
    made = 0
    for size in sorted(SIZES):
        benches.make_services(endpoint, range(made, size))
        made = size
        print_table(size, {name: measure(cluster, which, size) for name, which in chosen.items()})
        if size == min(SIZES):  # what a connection costs does not depend on how many there are
            print_connections(compare_connections(cluster, chosen, ROUNDS))


def main():
    beds.end_cleanly()
    program = sys.argv[1]
    only = os.environ.get("PROXY")
    chosen = {}
    try:
        servers.peer("kube-proxy")
        chosen["kube-proxy"] = proxies.UPSTREAM
    except servers.Unavailable as why:
        print(f"not measured: the real kube-proxy: {why}")
    chosen["proxima"] = program
    chosen = {name: which for name, which in chosen.items() if only in (None, name)}
    try:
        with contextlib.ExitStack() as stack:
            run(stack, program, chosen)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not measured: {why}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
