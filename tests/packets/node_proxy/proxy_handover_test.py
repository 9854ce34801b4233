#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proxies that meet: from kube-proxy to ours and back, both beside each other, two of ours, a
stranger's hand in our tables, and the end of everything.

  proxy_handover_test.py PROXIMA
"""
import contextlib
import re
import signal
import subprocess
import sys
import time

from packet_stories_test import BOTH, CLIENT, HERE, SHAPE, THERE, Stage, expect
from peers import servers
from testbed import bed as beds
from testbed import lab_cluster
from testbed import proxies
from testbed import row_objects as objects

SKIPPED = 77
RATE = 100
SOON_SECONDS = 20
NAME_LABEL = "service.kubernetes.io/service-proxy-name"


def tables(host):
    """Tables of nftables on a node, as "FAMILY NAME"."""
    text = subprocess.run(host.enter(["nft", "list", "tables"]), capture_output=True, text=True,
                          check=True).stdout
    return set(re.findall(r"^table (\S+ \S+)", text, re.MULTILINE))


class Handover:
    def __init__(self, cluster, program):
        self.cluster, self.bed, self.program = cluster, cluster.bed, program
        self.node = cluster.bed["node-1"]

    def proxy(self, which, *flags, node_ports=(proxies.HEALTH_PORT, proxies.METRICS_PORT)):
        folder = self.cluster.folder / ("upstream" if which == proxies.UPSTREAM else
                                        "ours" + "".join(flags).strip("-").replace("=", "-"))
        folder.mkdir(exist_ok=True)
        return proxies.Proxy(which, self.node, self.cluster.endpoint, folder, flags=flags,
                             ports=node_ports)

    def run_ours(self, *flags):
        return subprocess.run(self.node.enter([self.program, "proxy", *flags]),
                              capture_output=True, text=True, timeout=30, check=False)

    @contextlib.contextmanager
    def load(self, service):
        """Connections all the time; none of them may fail."""
        stage = Stage(self.cluster, None)
        jobs = [{**job, "count": 10 ** 9, "window": 10 ** 6, "rate": RATE, "exchanges": 3,
                 "gap_ms": 100, "timeout_ms": 10000}
                for to in ("cluster", "vip") for job in stage.jobs(service, to)]
        child = self.bed.start_dial(CLIENT, jobs)
        try:
            yield
        finally:
            child.send_signal(signal.SIGTERM)
            results = beds.results_of(child)
        failed = [result["failed"] for result in results if result["failed"]]
        expect(not failed, f"connections failed: {failed}")


def from_kube_proxy_to_ours_and_back(handover):
    """No connection fails, and nothing of the one that went stays."""
    theirs, ours = handover.proxy(proxies.UPSTREAM), handover.proxy(handover.program, "--take-over")
    stage = Stage(handover.cluster, theirs)
    service = stage.service("", BOTH)
    theirs.start()
    try:
        stage.until(service, {HERE, THERE})
        with handover.load(service):
            time.sleep(1)
            theirs.stop()
            ours.start()
            ours.eventually(lambda: tables(handover.node) == {"ip proxima", "ip6 proxima"},
                            "our tables alone")
            stage.proxy = ours
            stage.replace(service, "$R@there")
            stage.until(service, {THERE})
            stage.replace(service, BOTH)
            stage.until(service, {HERE, THERE})
            ours.stop()
            theirs.start()
            stage.proxy = theirs
            theirs.eventually(lambda: "ip6 kube-proxy" in tables(handover.node), "kube-proxy's tables")
            time.sleep(1)
            handover.run_ours("--cleanup")
            time.sleep(1)
        expect(tables(handover.node) == {"ip kube-proxy", "ip6 kube-proxy"},
               f"left behind: {tables(handover.node)}")
        stage.until(service, {HERE, THERE})
    finally:
        stage.clear()
        theirs.stop()
        ours.stop()


def each_for_its_own_services(handover):
    """kube-proxy for those without a name, ours for those that name it."""
    theirs = handover.proxy(proxies.UPSTREAM)
    ours = handover.proxy(handover.program, "--service-proxy-name=mine", node_ports=(10258, 10259))
    stage = Stage(handover.cluster, ours)
    usual, named = stage.service("", "$L@here"), stage.service("", "$R@there")
    stage.api.patch(f"{objects.SERVICES}/{named.name}",
                    {"metadata": {"labels": {NAME_LABEL: "mine"}}})
    theirs.start()
    ours.start()
    try:
        stage.until(usual, {HERE})
        stage.until(named, {THERE})
        theirs.stop()
        subprocess.run(handover.node.enter(["nft", "delete", "table", "ip", "kube-proxy"]),
                       check=True)
        expect(stage.answers(usual)[0] == set(), "ours has a Service that is not its own")
        expect(stage.answers(named)[0] == {THERE}, "ours needs kube-proxy's rules")
    finally:
        stage.clear()
        theirs.stop()
        ours.stop()


def a_second_one_is_refused(handover):
    first, second = handover.proxy(handover.program), handover.proxy(handover.program)
    stage = Stage(handover.cluster, first)
    service = stage.service("", BOTH)
    first.start()
    try:
        stage.until(service, {HERE, THERE})
        second.start()
        expect(second.child.wait(SOON_SECONDS) != 0, "two proxies write the same tables")
        expect(stage.answers(service, count=16) == [{HERE, THERE}] * 2, "the first one suffered")
    finally:
        stage.clear()
        second.stop()
        first.stop()


def what_a_stranger_changed_is_repaired(handover):
    proxy = handover.proxy(handover.program, "--check-period=1s")
    stage = Stage(handover.cluster, proxy)
    service = stage.service("", BOTH)
    proxy.start()
    try:
        stage.until(service, {HERE, THERE})
        for damage in ("flush map ip proxima from-pod", "delete table ip6 proxima"):
            subprocess.run(handover.node.enter(["nft", damage]), check=True)
            stage.until(service, {HERE, THERE})
    finally:
        stage.clear()
        proxy.stop()


def cleaning_up_leaves_strangers_alone(handover):
    proxy = handover.proxy(handover.program)
    stage = Stage(handover.cluster, proxy)
    service = stage.service("", BOTH)
    subprocess.run(handover.node.enter(["nft", "add table ip stranger"]), check=True)
    proxy.start()
    try:
        stage.until(service, {HERE, THERE})
        proxy.stop()
        done = handover.run_ours("--cleanup")
        expect(done.returncode == 0, done.stderr)
        expect(tables(handover.node) == {"ip stranger"}, f"left: {tables(handover.node)}")
    finally:
        stage.clear()
        proxy.stop()


OURS = (a_second_one_is_refused, what_a_stranger_changed_is_repaired,
        cleaning_up_leaves_strangers_alone)
WITH_UPSTREAM = (from_kube_proxy_to_ours_and_back, each_for_its_own_services)


def tell(handover, story):
    """Whether it ended as it should."""
    title = story.__name__.replace("_", " ")
    try:
        story(handover)
        print(title, flush=True)
        return True
    except AssertionError as why:
        print(f"WRONG: {title}: {why}", flush=True)
        return False
    finally:
        proxies.forget_rules(handover.node)


def main():
    beds.become_able()
    beds.end_cleanly()
    program = sys.argv[1]
    stories = OURS
    if proxies.chosen(program, proxies.UPSTREAM):
        stories += WITH_UPSTREAM
    try:
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(lab_cluster.server_for(program))
            cluster = lab_cluster.LabCluster(stack, program, SHAPE, endpoint)
            handover = Handover(cluster, program)
            wrong = sum(not tell(handover, story) for story in stories)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: any handover: {why}")
        return SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
