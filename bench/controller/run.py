#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Upstream's EndpointSlice controller and ours, one after the other, each on a real kube-apiserver
that begins with the same store: start-up, a rolling restart, and one Pod that changes.

  run.py PROXIMA      NODES=5000 SERVICES=2000 PODS=50000 RESTARTS=5000 CHANGES=300

Prints a table of both and of ours by upstream's. The time of a write is the API server's own, from
its audit log.
"""
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import threading
import time

import load
from peers import servers
from process import cpu_seconds, peak_megabytes
from testbed import audit
from testbed.api import Api, SliceWatch
from testbed.controllers import controller, end_cleanly
from testbed.objects import MANAGED_BY, MANAGER, pod_status
from testbed.waiting import eventually

SKIPPED = 77
PHASE_SECONDS_MAX = 540
QUIET_SECONDS = 3
WRITERS = 4


def knob(name, small):
    return int(os.environ.get(name, small))


class Bench:
    """One controller on one server."""

    def __init__(self, endpoint, child, sizes):
        self.endpoint = endpoint
        self.child = child
        self.sizes = sizes
        self.rows = {}
        self.began = time.time()
        self.cpu = 0.0
        self.seen = 0
        self.watch = SliceWatch(endpoint)

    def slice_entries(self):
        found = [entry for entry in audit.entries(self.endpoint)
                 if audit.resource(entry) == "endpointslices"]
        return found[self.seen:]

    def rest(self):
        """Until nothing has been written for a while."""
        def is_quiet():
            if self.child.poll() is not None:
                raise AssertionError("the controller ended")
            return self.watch.quiet_seconds() >= QUIET_SECONDS

        eventually(is_quiet, "the controller comes to rest", PHASE_SECONDS_MAX)

    def close_phase(self, name, began):
        cpu = cpu_seconds(self.child.pid)
        entries = self.slice_entries()
        last = max((audit.when(entry) for entry in entries), default=began)
        self.rows[f"{name}: wall, s"] = last - began
        self.rows[f"{name}: CPU, s"] = cpu - self.cpu
        self.rows[f"{name}: slice writes"] = len(entries)
        self.rows[f"{name}: peak memory so far, MB"] = peak_megabytes(self.child.pid)
        self.cpu = cpu
        self.seen += len(entries)

    def start_up(self):
        # Of the watch, which costs the server little.
        eventually(lambda: self.watch.count() >= self.sizes["services"] or
                   self.child.poll() is not None, "every Service has slices", PHASE_SECONDS_MAX,
                   lambda: f"{self.watch.count()} writes of slices")
        self.rest()
        self.close_phase("start-up", self.began)

    def rolling_restart(self):
        began = time.time()
        numbers = range(self.sizes["restarts"])
        with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(self.restart_some, [numbers[part::WRITERS] for part in range(WRITERS)]))
        driven = time.time()
        self.rest()
        self.close_phase("rolling restart", began)
        self.rows["rolling restart: requests, s"] = driven - began

    def restart_some(self, numbers):
        """Of each Pod: another one comes and is ready, then it goes."""
        api = Api(self.endpoint)
        base = f"/api/v1/namespaces/{load.NAMESPACE}/pods"
        sizes = self.sizes
        # Services are restarted one after the other, as rollouts of Deployments.
        for number in numbers:
            old = rollout_order(number, sizes)
            fresh = load.big_pod(old, sizes["services"], sizes["nodes"])
            fresh["metadata"]["name"] = f"new-{old}"
            api.create(base, fresh)
            api.patch(f"{base}/new-{old}/status",
                      pod_status([load.address(old + 1_000_000)], True, moment=now()))
            api.delete(f"{base}/pod-{old}", 0)
        api.close()

    def one_change(self):
        """A Pod becomes unready; the next, of another Service, only when its slice was written."""
        api = Api(self.endpoint)
        began = time.time()
        for change in range(self.sizes["changes"]):
            seen = self.watch.count()
            number = changed_pod(change, self.sizes)
            api.patch(f"/api/v1/namespaces/{load.NAMESPACE}/pods/pod-{number}/status",
                      pod_status([load.address(number)], False, moment=now()))
            eventually(lambda: self.watch.count() > seen, "a slice is written")
        api.close()
        self.rest()
        delays = self.delays(began)
        self.close_phase("one change", began)
        for percent in (50, 99):
            self.rows[f"one change: p{percent}, ms"] = delays[(len(delays) - 1) * percent // 100]

    def delays(self, began):
        """From the answer to the Pod's change to the answer to the slice's, in milliseconds."""
        pods = [audit.when(entry) for entry in audit.entries(self.endpoint, "admin")
                if audit.resource(entry) == "pods/status" and audit.when(entry) >= began]
        written = [audit.when(entry) for entry in self.slice_entries()]
        return sorted((b - a) * 1000 for a, b in zip(pods, written))


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def rollout_order(number, sizes):
    """The number-th Pod to be restarted: all of one Service, then all of the next."""
    each = sizes["pods"] // sizes["services"]
    return number % each * sizes["services"] + number // each


def changed_pod(change, sizes):
    """One of each Service without hints from the last one on, which are not restarted; then the
    next of each."""
    plain = [number for number in range(sizes["services"] - 1, -1, -1) if number % 4 > 1]
    plain = plain[:max(1, len(plain) // 2)]
    return plain[change % len(plain)] + change // len(plain) * sizes["services"]


def measure(which, store, sizes):
    with servers.real_server(etcd_from=store) as endpoint:
        api = Api(endpoint)
        # The server has read everything when it has answered once.
        for kind in ("nodes", f"namespaces/{load.NAMESPACE}/services",
                     f"namespaces/{load.NAMESPACE}/pods"):
            api.get(f"/api/v1/{kind}?resourceVersion=0&limit=1")
        api.close()
        with controller(which, endpoint) as child:
            bench = Bench(endpoint, child, sizes)
            bench.start_up()
            bench.rolling_restart()
            bench.one_change()
            bench.watch.close()
            bench.rows["slices"] = managed(endpoint)
            return bench.rows


def managed(endpoint):
    api = Api(endpoint)
    found = api.items("/apis/discovery.k8s.io/v1/endpointslices?labelSelector="
                      f"{MANAGED_BY}%3D{MANAGER}")
    api.close()
    return len(found)


def table(upstream, ours):
    print(f"{'':42}{'upstream':>12}{'ours':>12}{'ours/upstream':>15}")
    for name, value in upstream.items():
        ratio = f"{ours[name] / value:15.3f}" if value else f"{'–':>15}"
        print(f"{name:42}{value:12.2f}{ours[name]:12.2f}{ratio}")


def main():
    end_cleanly()
    sizes = {"nodes": knob("NODES", 50), "services": knob("SERVICES", 20),
             "pods": knob("PODS", 500), "restarts": knob("RESTARTS", 50),
             "changes": knob("CHANGES", 50)}
    # Half of the Services stay as they are, for the changes.
    sizes["restarts"] = min(sizes["restarts"], sizes["pods"] // 2)
    print(", ".join(f"{count} {name}" for name, count in sizes.items()), flush=True)
    threading.stack_size(1 << 20)
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "store"
            load.fill(store, sizes["nodes"], sizes["services"], sizes["pods"])
            results = [measure(which, store, sizes) for which in ("upstream", sys.argv[1])]
    except servers.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    table(*results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
