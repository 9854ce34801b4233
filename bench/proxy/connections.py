# SPDX-License-Identifier: Apache-2.0
"""What a connection costs through each proxy's rules, beside direct ones: a node each, in turn, so
that whatever else the machine does meets all of them."""
import collections
import contextlib
import math
import statistics

import cluster as benches
from testbed import bed as beds
from testbed import proxies
from testbed import row_objects as objects

# Short turns, many of them: what the machine does meanwhile then meets both proxies alike.
CONNECTIONS = 1000
EXCHANGES = 2500
BYTES = 1 << 27


def one(side, way, **job):
    result, = side.bed.dial(side.client,
                            [{**dict(zip(("to", "port"), way)), "timeout_ms": 20000, **job}])
    if result["failed"] and side.is_ours:
        raise AssertionError(f"connections to {way} failed: {result['failed']}")
    side.failed.update(result["failed"])
    return result


# Costs: less is better.
MEASURES = {
    "time of a connection, 8 at once":
        lambda *call: one(*call, count=CONNECTIONS, window=8)["took_us"],
    "latency of the first answer":
        lambda *call: one(*call, count=CONNECTIONS // 2, window=1)["p50_us"],
    "time of an exchange":
        lambda *call: one(*call, count=1, exchanges=EXCHANGES)["took_us"],
    "time of a byte":
        lambda *call: one(*call, count=1, give=BYTES)["took_us"],
}


class Side:
    """A proxy on a node of its own, with a client and a backend there."""

    def __init__(self, stack, cluster, number, which):
        self.bed, self.client = cluster.bed, f"pod-{number}-2"
        self.is_ours = which != proxies.UPSTREAM
        self.failed = collections.Counter()  # of the peer's connections, which are only counted
        proxy = stack.enter_context(proxies.proxy_on(
            which, cluster.bed[f"node-{number}"], cluster.endpoint, cluster.folder))
        self.ways = {"service": (benches.cluster_ip(benches.PROBE), objects.PORT),
                     "direct": (cluster.bed[f"pod-{number}-1"].v4, beds.BACKEND_PORT)}
        job = {**dict(zip(("to", "port"), self.ways["service"])), "timeout_ms": 500}
        proxy.eventually(lambda: self.bed.dial(self.client, [job])[0]["seen"], "the Service answers")

    def ratio(self, measure, turn):
        order = sorted(self.ways, reverse=turn % 2 == 0)
        got = {way: measure(self, self.ways[way]) for way in order}
        return got["service"] / got["direct"]


def compare_connections(cluster, chosen, rounds):
    """Measure → proxy → its ratios to direct connections, a round each. The proxies change nodes
    half-way, so that a node that is a little faster favours none."""
    found = {title: {name: [] for name in chosen} for title in MEASURES}
    for order, part in ((1, rounds - rounds // 2), (-1, rounds // 2)):
        add_rounds(found, cluster, list(chosen.items())[::order], part)
    return found


def add_rounds(found, cluster, placed, rounds):
    """`placed`: (name, what to start) of the first node's proxy, and of the second's."""
    with contextlib.ExitStack() as stack:
        sides = {name: Side(stack, cluster, number + 1, which)
                 for number, (name, which) in enumerate(placed)}
        for turn in range(rounds):
            for title, measure in MEASURES.items():
                for name in sorted(sides, reverse=turn // 2 % 2 == 0):
                    found[title][name].append(sides[name].ratio(measure, turn))
        for name, side in sides.items():
            if side.failed:
                print(f"{name}: connections that failed: {dict(side.failed)}")


def median_bounds(values):
    """The median, and between which values it lies in 95 of 100 such runs (by ranks, so that no
    shape of the noise is assumed)."""
    ordered = sorted(values)
    beyond = max(0, math.floor((len(ordered) - 1.96 * math.sqrt(len(ordered))) / 2) - 1)
    return statistics.median(ordered), ordered[beyond], ordered[-1 - beyond]


def print_connections(found):
    print("\nthrough a Service by direct: median (95 % bounds of it); less is better")
    for title, by_proxy in found.items():
        rows = list(by_proxy.items())
        if len(rows) == 2:
            rows.append(("paired ratio", [second / first for first, second in
                                          zip(rows[0][1], rows[1][1])]))
        cells = ["{} {:.2f} ({:.2f}-{:.2f})".format(name, *median_bounds(ratios))
                 for name, ratios in rows]
        print(f"{title:34}" + "   ".join(cells), flush=True)
