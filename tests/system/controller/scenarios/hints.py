# SPDX-License-Identifier: Apache-2.0
"""Hints: by traffic distribution, by the annotations of upstream, and when Nodes change."""
from testbed.objects import TOPOLOGY_MODE

from . import scenario

AUTO = {TOPOLOGY_MODE: "Auto"}
THREE_NODES = ("n1 zone-a", "n2 zone-b", "n3 zone-c")


def own_zone(*pods):
    """"p1 zone-a" → ready there and hinted there."""
    return [f"{row} ready for {row.split()[1]}" for row in pods]


@scenario("from one traffic distribution to the next, the hints follow")
def transitions(world):
    world.api.create("/api/v1/nodes", {"metadata": {"name": "n1", "labels": {
        "topology.kubernetes.io/zone": "zone-a"}}})
    world.service()
    world.pods("p1 n1")
    world.expect("web", "p1 zone-a ready")
    world.change(trafficDistribution="PreferClose")
    world.expect("web", "p1 zone-a ready for zone-a")
    world.change(annotations=AUTO)
    world.expect("web", "p1 zone-a ready")
    world.change(annotations={TOPOLOGY_MODE: None})
    world.expect("web", "p1 zone-a ready for zone-a")
    world.change(trafficDistribution=None)
    world.expect("web", "p1 zone-a ready")
    world.change(trafficDistribution="PreferSameZone")
    world.expect("web", "p1 zone-a ready for zone-a")
    world.change(trafficDistribution="PreferSameNode")
    world.expect("web", "p1 zone-a ready for zone-a n1")
    world.change(trafficDistribution=None)
    world.expect("web", "p1 zone-a ready")
    world.node_zone("n1", None)
    world.change(trafficDistribution="PreferSameNode")
    world.expect("web", "p1 - ready for n1")


@scenario("an endpoint without a zone gets no zone hint, and the others keep theirs")
def no_zone(world):
    world.nodes("n1 zone-a", "n2 -")
    world.service(trafficDistribution="PreferSameZone")
    world.pods("p1 n1", "p2 n2")
    world.expect("web", "p1 zone-a ready for zone-a", "p2 - ready")


@scenario("an endpoint that is not ready has no hints")
def not_ready(world):
    world.nodes("n1 zone-a")
    world.service(trafficDistribution="PreferSameZone")
    world.pods("p1 n1", "p2 n1 !")
    world.expect("web", "p1 zone-a ready for zone-a", "p2 zone-a unready")
    world.pod_state("p2")
    world.expect("web", "p1 zone-a ready for zone-a", "p2 zone-a ready for zone-a")


@scenario("Auto with a Pod on every Node of three equal zones: each for its own zone")
def even(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service(annotations=AUTO)
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b", "p3 zone-c"))
    world.expect_event("web", "Normal", "TopologyAwareHintsEnabled",
                       "Topology Aware Hints has been enabled, addressType: IPv4")


@scenario("Auto with all Pods in one zone lends them to the others")
def lent(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n3", "p2 n3", "p3 n3")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)


@scenario("Auto with fewer Pods than zones says so and gives no hints")
def too_few(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2")
    world.service(annotations=AUTO)
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready")
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled",
                       "Insufficient number of endpoints (2 endpoints, 3 zones), addressType: IPv4")


@scenario("the annotation taken away takes the hints and says so")
def withdrawn(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service(annotations=AUTO)
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b", "p3 zone-c"))
    world.change(annotations={TOPOLOGY_MODE: None})
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready", "p3 zone-c ready")
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled",
                       "Topology Aware Hints has been disabled, addressType: IPv4")


@scenario("a Node that loses its zone ends Auto's hints; they come back when it has one again",
          ours_alone=True)
def zone_regained(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service(annotations=AUTO)
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b", "p3 zone-c"))
    world.node_zone("n3", None)
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready", "p3 - ready")
    world.node_zone("n3", "zone-c")
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b", "p3 zone-c"))


@scenario("a zone label that arrives late refreshes endpoints and hints", ours_alone=True)
def late_zone(world):
    world.nodes("n1 -", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    world.service(trafficDistribution="PreferSameZone")
    world.expect("web", "p1 - ready", "p2 zone-b ready for zone-b")
    world.node_zone("n1", "zone-a")
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))


@scenario("a refused Service gets its hints when the Nodes allow it", ours_alone=True)
def retried(world):
    world.nodes("n1 zone-a", "n2 zone-b", "n3 zone-b !")
    world.pods("p1 n1", "p2 n1", "p3 n2")
    world.service(annotations=AUTO)
    world.expect("web", "p1 zone-a ready", "p2 zone-a ready", "p3 zone-b ready")
    world.nodes("n4 zone-a")
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-a", "p3 zone-b"))


@scenario("another CPU of a Node counts", ours_alone=True)
def cpu(world):
    world.nodes("n1 zone-a 4", "n2 zone-b 4")
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)
    world.node_state("n1", cpu="12")
    world.expect_counts(zone_a=3, zone_b=1)


@scenario("a Node that crosses no threshold writes nothing", ours_alone=True)
def small_change(world):
    world.nodes("n1 zone-a 4", "n2 zone-b 4")
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)
    world.expect_still()
    world.node_state("n1", cpu="4500m")
    world.nodes("n3 zone-c 8 !")
    world.expect_still()
