#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Controllers and node proxies of different versions beside each other: version_skew_test.py PROXIMA.

On a real kube-apiserver of the newest version, which takes the same manifests for all of them: our
controller with kube-proxy 1.33 and with the newest, kube-controller-manager 1.33 and the newest with our
proxy, and each of both sides' own. Every row is a Service; packets from a Pod in zone a, on node 1, must
reach the endpoints that the row names for that pair. `make skew` builds the older programs.
"""
import contextlib
import dataclasses
import sys

from peers import servers
from seed_packets_test import Cluster, Made, Probe, SETTLE_SECONDS_MAX, SKIPPED, settle
from seed_rows import HINTS, MODE, POLICY, Row, distribution
from testbed import bed as beds
from testbed import proxies
from testbed.controllers import controller
from testbed.waiting import first_true

OURS = "proxima"
OLD_CONTROLLER, NEW_CONTROLLER = "kube-controller-manager-1.33", "kube-controller-manager"
OLD_PROXY, NEW_PROXY = "kube-proxy-1.33", "kube-proxy"
# Controller → proxies.
PAIRS = {OURS: (OURS, OLD_PROXY, NEW_PROXY), OLD_CONTROLLER: (OURS,),
         NEW_CONTROLLER: (OURS, NEW_PROXY)}
# kube-proxy may never learn the zone of its Node; packet_rows_test says why.
STARTS_MAX = 10
START_SECONDS_MAX = 20
# Upstream's controllers do not look again at a Service whose hints they refused once, for example
# because they had not seen all Nodes yet, until something about it changes (docs/differences.md).
LOOKS_MAX = 30
LOOK_SECONDS = 2
ANY = "any one"


@dataclasses.dataclass(frozen=True)
class SkewRow:
    row: Row  # its answer for a client on node 1; ANY: one endpoint, always the same
    with_controller: dict = dataclasses.field(default_factory=dict)  # other answers with these
    with_proxy: dict = dataclasses.field(default_factory=dict)
    ours_alone: bool = False  # no other controller knows the setting

    def answer(self, which_controller, which_proxy):
        answer = self.with_proxy.get(which_proxy, self.row.asked[1])
        return self.with_controller.get(which_controller, answer)


ROWS = (
    SkewRow(Row("hints of the annotation are followed, whoever writes them and whoever reads them",
                {1: "1a"}, "1a 3a 4a", annotations={MODE: "Auto"})),
    SkewRow(Row("hints of the older annotation are followed likewise",
                {1: "1a"}, "1a 3a 4a", annotations={HINTS: "auto"})),
    SkewRow(Row("hints of trafficDistribution: PreferClose are followed likewise",
                {1: "1a 2a"}, "1a 2a 3a", spec=distribution("PreferClose"))),
    SkewRow(Row("with annotation and field the annotation decides, also between versions",
                {1: ANY}, "4a 4b 4c", annotations={MODE: "Auto"}, spec=distribution("PreferClose"))),
    SkewRow(Row("a value that an old controller does not know leaves routes as without it",
                {1: "1a"}, "1a 3a", spec=distribution("PreferSameZone")),
            with_controller={OLD_CONTROLLER: "1a 3a"}),
    SkewRow(Row("an old proxy that knows no node hints follows the zone hints beside them",
                {1: "1a"}, "1a 2a 3a", spec=distribution("PreferSameNode")),
            with_controller={OLD_CONTROLLER: "1a 2a 3a"}, with_proxy={OLD_PROXY: "1a 2a"}),
    SkewRow(Row("a zone without endpoints is served by the others in every version",
                {1: "3a 4a"}, "3a 4a", spec=distribution("PreferClose"))),
    SkewRow(Row("a Service that asks for nothing uses every endpoint in every version",
                {1: "1a 3a 4a"}, "1a 3a 4a")),
    SkewRow(Row("proxies that know hints only follow those of balanced",
                {1: "1a 1b"}, "1a 1b 3a 4a",
                annotations={POLICY: "balanced", "proxima.io/overload": "50%"}), ours_alone=True),
)


class SkewProbe(Probe):
    def __init__(self, made, answer, pair):
        self.one_of = made.row.pods if answer == ANY else ""
        super().__init__(made, 1, made.row.pods if answer == ANY else answer)
        self.pair = pair

    def __str__(self):
        return f"{super().__str__()}, {' and '.join(self.pair)}"

    def wrong(self):
        if not self.one_of:
            return super().wrong()
        right = not self.failed and len(self.counts) == 1 and set(self.counts) < set(self.weights)
        return None if right else f"{dict(self.counts)} {dict(self.failed)}"


def start_of(which, program):
    return program if which == OURS else which


def settled(cluster, proxy, probes, which):
    """What stays wrong. A kube-proxy is started again a few times."""
    starts = 1 if which == OURS else STARTS_MAX
    for start in range(starts):
        wrong = settle(cluster.bed, probes, [proxy],
                       SETTLE_SECONDS_MAX if which == OURS else START_SECONDS_MAX)
        if not wrong or start + 1 == starts:
            break
        proxy.stop()
        proxy.start()
    return wrong


def wait_for_slices(made):
    """Until all endpoints are published, and those of annotated Services have hints."""
    first_true(lambda: all(len(one.endpoints()) == len(one.row.pods.split()) for one in made),
               SETTLE_SECONDS_MAX)
    annotated = [one for one in made if MODE in one.row.annotations or HINTS in one.row.annotations]
    for look in range(LOOKS_MAX):
        if first_true(lambda: all(one.all_are_hinted() for one in annotated), LOOK_SECONDS):
            return
        for one in annotated:
            one.touch(str(look))


def run_controller(cluster, program, which, numbers):
    """Probe → what is wrong, with each proxy that it is paired with."""
    chosen = [one for one in ROWS if which == OURS or not one.ours_alone]
    wrong = {}
    with contextlib.ExitStack() as stack:
        stack.enter_context(controller(start_of(which, program), cluster.endpoint,
                                       log=cluster.folder / f"{which}.log"))
        made = [Made(cluster, one.row, next(numbers)) for one in chosen]
        stack.callback(lambda: [one.remove() for one in made])
        wait_for_slices(made)
        for other in PAIRS[which]:
            probes = [SkewProbe(one, skew.answer(which, other), (which, other))
                      for one, skew in zip(made, chosen)]
            with proxies.proxy_on(start_of(other, program), cluster.bed["node-1"], cluster.endpoint,
                                  cluster.folder) as proxy:
                here = settled(cluster, proxy, probes, other)
            print(f"{which} and {other}: {len(probes) - len(here)} of {len(probes)} rows", flush=True)
            wrong |= here
    return wrong


def main():
    beds.become_able()
    beds.end_cleanly()
    program, numbers = sys.argv[1], iter(range(1, 10 ** 6))
    wrong = {}
    try:
        for name in (OLD_CONTROLLER, OLD_PROXY):
            try:
                servers.peer(name)
            except servers.Unavailable:
                raise servers.Unavailable(f"{name} is not built; make skew builds it") from None
        for name in (NEW_CONTROLLER, NEW_PROXY):
            servers.peer(name)
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(servers.real_server(beds.SERVICE_RANGES))
            cluster = Cluster(stack, program, endpoint)
            for which in PAIRS:
                wrong |= run_controller(cluster, program, which, numbers)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"skipped: {why}")
        return SKIPPED
    for name, difference in wrong.items():
        print(f"  {name}: {difference}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
