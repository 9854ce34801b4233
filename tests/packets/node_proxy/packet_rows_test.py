#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packet rows through real kernels: each row's packet is sent, in both families, by TCP and UDP,
and what arrives where with which source is compared with the row.

  packet_rows_test.py PROXIMA --proxy kube-proxy     the real one: what the rows themselves are worth
  packet_rows_test.py PROXIMA --proxy proxima        ours
  packet_rows_test.py PROXIMA                        both in turn on the same objects
"""
import argparse
import contextlib
import pathlib
import re
import subprocess
import sys
import time

import packet_rows as rows
from peers import servers
from testbed import bed as beds
from testbed import lab_cluster
from testbed import proxies
from testbed import row_objects as objects
from testbed.waiting import first_true

SKIPPED = 77
SHAPE = ("a:3", "b:2")
TRIES = 20
TRIES_FOR_MORE = 60  # when something expected was not seen yet
TRIES_OF_A_REFUSAL = 3
TIMEOUT_MS = 700  # below the second after which a lost packet is sent again
# A client may be told so early that its kernel does not listen yet: TCP asks again then.
REJECT_TIMEOUT_MS = 2500
JOBS_AT_A_TIME = 40
STARTS_MAX = 10  # of a kube-proxy
START_SECONDS_MAX = 20
HINTED_BY_ZONE = "$L@here+a $R@there+b"  # a proxy that does not know its zone uses both
ZONE_TRIES = 16  # enough that using both shows
SETTLE_SECONDS_MAX = 60  # a row is wrong when it was wrong in each round until then


class Probe:
    """One row in one family by one protocol."""

    def __init__(self, row, service, family, protocol):
        self.row, self.service, self.family, self.protocol = row, service, family, protocol
        self.seen, self.failed = {}, {}

    def job(self, bed, tries):
        to, port = self.service.target(self.row.to, bed, self.family)
        refused = self.row.outcome in ("drop", "reject")
        count = TRIES_OF_A_REFUSAL if refused else tries
        return {"proto": self.protocol, "to": to, "port": port, "count": count,
                "window": min(4, count),
                "timeout_ms": REJECT_TIMEOUT_MS if self.row.outcome == "reject" else TIMEOUT_MS}

    def add(self, result):
        for total, more in ((self.seen, result["seen"]), (self.failed, result["failed"])):
            for key, count in more.items():
                total[key] = total.get(key, 0) + count

    def outcome(self, bed):
        """As rows say it; failures beside answers are named."""
        if not self.seen:
            return {"refused": "reject", "timeout": "drop"}.get(" ".join(self.failed),
                                                                 str(self.failed))
        names = {name: short for short, name in reversed(objects.PLACES.items())}
        client = bed[objects.PLACES[self.row.source]]
        found = {}
        for answer in self.seen:
            backend, source = answer.split()
            kind = "" if source == client.address(self.family) else "snat"
            if kind and source != bed["node-1"].address(self.family):
                kind = source
            found.setdefault(names[backend], set()).add(kind)
        kinds = set().union(*found.values())
        text = " ".join(sorted(found))
        if len(kinds) > 1:
            text = " ".join(f"{name}({','.join(sorted(found[name]))})" for name in sorted(found))
        elif kinds != {""}:
            text += " " + kinds.pop()
        if set(self.failed) == {"timeout"}:
            return text + " and lost"
        return text + (f" and {self.failed}" if self.failed else "")

    def expected(self):
        # The node's own packets have the node's address, whether masqueraded or not.
        return (self.row.outcome.removesuffix(" snat") if self.row.source == "node"
                else self.row.outcome)

    def verdict(self, bed):
        """"right", "more" when some of what is expected was not seen, or "wrong"."""
        got, wanted = self.outcome(bed), self.expected()
        if "|" in wanted:
            choices, _, rest = wanted.partition(" ")
            right = [" ".join(filter(None, (one, rest))) for one in choices.split("|")]
            return "right" if got in right else "wrong"
        if got == wanted:
            return "right"
        subset = set(got.split()) < set(wanted.split())
        return "more" if subset and ("snat" in got) == ("snat" in wanted) else "wrong"

    def __str__(self):
        return f"{self.row.name} ({self.family}, {self.protocol})"


def run_probes(bed, probes, tries):
    by_source = {}
    for probe in probes:
        by_source.setdefault(objects.PLACES[probe.row.source], []).append(probe)
    for source, some in by_source.items():
        for first in range(0, len(some), JOBS_AT_A_TIME):
            chunk = some[first:first + JOBS_AT_A_TIME]
            for probe, result in zip(chunk, bed.dial(source, [p.job(bed, tries) for p in chunk])):
                probe.add(result)


def settle(bed, probes, proxy):
    """The probes that stay wrong. A busy machine loses packets, a wrong rule loses all of them."""
    left, again, rounds = probes, set(), 0

    def all_are_right():
        nonlocal left, rounds
        proxy.check_alive()
        fresh = [probe for probe in left if probe.verdict(bed) != "more"]
        for probe in fresh:
            probe.seen, probe.failed = {}, {}
        more = [probe for probe in left if probe.seen]
        run_probes(bed, fresh, TRIES)
        run_probes(bed, more, TRIES_FOR_MORE)
        left = [probe for probe in left if probe.verdict(bed) != "right"]
        again.update(str(probe) for probe in left if probe.verdict(bed) == "wrong")
        rounds += 1
        return not left

    first_true(all_are_right, SETTLE_SECONDS_MAX)
    # A row may be right only later, so the count belongs to what is said of them.
    print(f"{len(again)} of {len(probes)} rows were wrong in some round of {rounds}")
    return left


class World(lab_cluster.LabCluster):
    """The objects of all rows."""

    def __init__(self, stack, program, endpoint):
        super().__init__(stack, program, SHAPE, endpoint)
        self.services = {}

    def service(self, row):
        """One a distinct pair of words; rows with affinity have theirs alone."""
        key = (row.service, row.endpoints) + ((row.name,) if "affinity" in row.service else ())
        if key not in self.services:
            made = objects.RowService(len(self.services) + 1, row.service, row.endpoints)
            made.make(self.api, self.bed)
            self.services[key] = made
        return self.services[key]

    def probes(self, some):
        return [Probe(row, self.service(row), family, protocol) for row in some
                for family in beds.FAMILIES for protocol in ("tcp", "udp")]


def drops_unused_addresses(host):
    """Whether kube-proxy has its rule for unused cluster addresses, in both families."""
    rules = subprocess.run(host.enter(["nft", "list", "ruleset"]), check=False,
                           capture_output=True, text=True).stdout
    return rules.count("Drop traffic to unallocated ClusterIPs") >= len(beds.FAMILIES)


def start_until_cluster_is_known(proxy, follows_zone):
    """kube-proxy v1.36 does nothing about ServiceCIDRs that it hears of after its first sync until it
    writes all rules anew, an hour later. And it never learns the zone of its Node when that is read
    before the proxier is registered as its handler (cmd/kube-proxy/app/server.go does that while the
    informer already runs). Both depend on timing, so kube-proxy is restarted until it knows them."""
    def is_known():
        return drops_unused_addresses(proxy.host) and follows_zone()
    for _ in range(STARTS_MAX):
        if first_true(is_known, START_SECONDS_MAX):
            return
        proxy.stop()
        proxy.start()
    raise AssertionError(f"kube-proxy never learned ranges and zone:\n{proxy.last_words()}")


def run_world(world, which, settings, some):
    """Names of probes that stay wrong, with what came instead; and how many there were."""
    probes = world.probes(some)
    with proxies.proxy_on(which, world.bed["node-1"], world.endpoint, world.folder,
                          proxies.Settings(**settings)) as proxy:
        first = Probe(some[0], world.service(some[0]), "v4", "tcp")

        def answered():
            first.seen, first.failed = {}, {}
            run_probes(world.bed, [first], 2)
            return first.seen
        by_zone = [probe for probe in probes if probe.row.endpoints == HINTED_BY_ZONE]

        def follows_zone():
            for probe in by_zone:
                probe.seen, probe.failed = {}, {}
            run_probes(world.bed, by_zone, ZONE_TRIES)
            return all(probe.outcome(world.bed) == probe.expected() for probe in by_zone)
        if which == proxies.UPSTREAM:
            start_until_cluster_is_known(proxy, follows_zone)
        proxy.eventually(answered, f"{first} is answered")
        wrong = settle(world.bed, probes, proxy)
        return {str(probe): f"{probe.outcome(world.bed)}, not {probe.expected()}"
                for probe in wrong}, len(probes)


def run_rows(world, which, name):
    """All worlds with one proxy; how many rows were wrong."""
    count = 0
    for title, settings, some in rows.worlds():
        begun = time.monotonic()
        wrong, probes = run_world(world, which, settings, some)
        print(f"{name}, {title}: {probes - len(wrong)} of {probes} packet rows are right "
              f"({time.monotonic() - begun:.1f} s)", flush=True)
        for probe, difference in wrong.items():
            print(f"  {probe}: {difference}")
        count += len(wrong)
    return count


def main():
    beds.become_able()
    beds.end_cleanly()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--proxy", choices=("proxima", "kube-proxy"))
    parser.add_argument("--server", choices=("real", "embedded"))
    arguments = parser.parse_args()
    if not re.search(r"\bsctp\b", pathlib.Path("/proc/net/protocols").read_text(), re.IGNORECASE):
        print("not shown: SCTP, which this kernel does not have")
    proxies_here = proxies.chosen(arguments.program, arguments.proxy)
    if not proxies_here:
        return SKIPPED
    try:
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(
                lab_cluster.server_for(arguments.program, arguments.server))
            world = World(stack, arguments.program, endpoint)
            wrong = sum(run_rows(world, which, name) for name, which in proxies_here)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: no packet row at all: {why}")
        return SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
