# SPDX-License-Identifier: Apache-2.0
"""Policies of ours, and ways to run the controller."""
from testbed.objects import TOPOLOGY_MODE
from testbed.waiting import eventually

from . import scenario
from .hints import own_zone

SPLIT = "proxima.io/zone-split"


def zones_of_split(item):
    """The zones whose traffic is split."""
    text = item["metadata"].get("annotations", {}).get(SPLIT, "")
    return [row.partition("=")[0] for row in text.split(";")]


@scenario("a Namespace's policy holds for Services that say nothing", ours_alone=True)
def namespace_policy(world):
    world.api.patch(f"/api/v1/namespaces/{world.namespace}",
                    {"metadata": {"annotations": {"proxima.io/policy": "prefer-same-zone"}}})
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    world.service()
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))
    world.api.patch(f"/api/v1/namespaces/{world.namespace}",
                    {"metadata": {"annotations": {"proxima.io/policy": None}}})
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready")


@scenario("--default-policy holds for all that say nothing",
          flags=["--default-policy=prefer-same-zone"], ours_alone=True)
def default_policy(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    world.service()
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))


@scenario("balanced publishes its split on the slices", ours_alone=True)
def split(world):
    world.nodes("n1 zone-a", "n2 zone-b", "n3 zone-c")
    world.pods("p1 n1", "p2 n1", "p3 n1", "p4 n2")
    world.service(annotations={"proxima.io/policy": "balanced"})
    # The last Pod and the last Node may come after the first split.
    eventually(lambda: len(world.lines()) == 4 and
               all(zones_of_split(item) == ["zone-a", "zone-b", "zone-c"]
                   for item in world.slices()),
               "a split of all zones", seen=world.slices)
    world.expect_still()
    world.change(annotations={"proxima.io/policy": None})
    eventually(lambda: not any(item["metadata"].get("annotations", {}).get(SPLIT)
                               for item in world.slices()), "the split is gone")


@scenario("a dry run writes nothing", flags=["--dry-run"], ours_alone=True)
def dry_run(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    world.service(annotations={TOPOLOGY_MODE: "Auto"})
    world.service("near", trafficDistribution="PreferSameZone")
    world.expect_still(2)
    written = [*world.slices(), *world.slices("near"), *world.events(), *world.events("near"),
               *world.find_service("near").get("status", {}).get("conditions", ())]
    assert not written, f"this was written: {written}"


@scenario("without TopologyAwareHints the annotation counts for nothing",
          flags=["--feature-gates=TopologyAwareHints=false"], ours_alone=True)
def no_topology(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    world.service(annotations={TOPOLOGY_MODE: "Auto"})
    world.service("near", trafficDistribution="PreferClose")
    world.expect("near", *own_zone("p1 zone-a", "p2 zone-b"))
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready")


@scenario("without PreferSameTrafficDistribution only PreferClose counts",
          flags=["--feature-gates=PreferSameTrafficDistribution=false"], ours_alone=True)
def only_close(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    for name, value in (("close", "PreferClose"), ("zone", "PreferSameZone"),
                        ("node", "PreferSameNode")):
        world.service(name, trafficDistribution=value)
    world.expect("close", *own_zone("p1 zone-a", "p2 zone-b"))
    for name in ("zone", "node"):
        world.expect(name, "p1 zone-a ready", "p2 zone-b ready")


@scenario("without ServiceTrafficDistribution the field counts for nothing",
          flags=["--feature-gates=ServiceTrafficDistribution=false"], ours_alone=True)
def no_distribution(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    world.service(trafficDistribution="PreferClose")
    world.expect("web", "p1 zone-a ready")
    world.expect_still()


@scenario("a hundred and twenty Pods are a full slice and another")
def many(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods(*[f"p{number} n{number % 2 + 1}" for number in range(1, 121)])
    world.service(trafficDistribution="PreferSameZone")
    eventually(lambda: len(world.lines()) == 120 and
               all(" for " in line for line in world.lines()),
               "120 endpoints with hints", seen=lambda: len(world.lines()))
    assert sorted(len(item["endpoints"]) for item in world.slices()) == [20, 100]
    world.expect_still()
