# SPDX-License-Identifier: Apache-2.0
"""What KEP-4444 says about trafficDistribution: which setting counts, and what users are told."""
import json

from testbed.objects import TOPOLOGY_MODE
from testbed.waiting import eventually

from . import scenario
from .hint_proposal import unhinted
from .hints import AUTO, THREE_NODES, own_zone
from .modes import zones_of_split
from .told import ACCEPTED, conditions


@scenario("the annotation Auto decides where the field is set, too")
def annotation_first(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n3", "p2 n3", "p3 n3")
    world.service(trafficDistribution="PreferClose")
    world.expect("web", *own_zone("p1 zone-c", "p2 zone-c", "p3 zone-c"))
    world.change(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)


@scenario("the annotation Disabled leaves the decision to the field")
def disabled_beside_field(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    world.service(annotations={TOPOLOGY_MODE: "Disabled"}, trafficDistribution="PreferClose")
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))


@scenario("the annotation knows Auto and Disabled: a value of the field means nothing there")
def no_new_values(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    for name, value in (("off", "Disabled"), ("close", "PreferClose"), ("zone", "PreferSameZone")):
        world.service(name, annotations={TOPOLOGY_MODE: value})
        unhinted(world, 2, name)
    world.expect_still()


@scenario("trafficDistribution takes a heuristic with the name of our domain", embedded_alone=True)
def own_heuristic(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n3")
    world.service(trafficDistribution="proxima.io/balanced")
    eventually(lambda: len(world.lines()) == 4 and
               zones_of_split(world.slices()[0]) == ["zone-a", "zone-b", "zone-c"],
               "a split of all zones", seen=world.slices)
    eventually(lambda: conditions(world).get(ACCEPTED) == "True", "the heuristic is accepted",
               seen=lambda: conditions(world))
    world.expect_refused("spec.trafficDistribution", lambda: world.service(
        "misspelt", trafficDistribution="balanced"))


@scenario("where Pods are not spread, explain suggests topology spread constraints", ours_alone=True)
def spread(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n3", "p2 n3", "p3 n3")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)
    told = json.loads(world.proxima("explain", f"service/{world.namespace}/web", "--from-zone",
                                    "zone-a", "-o", "json"))
    remedies = " ".join(note.get("remedy", "") for note in told["decisions"])
    assert "topologySpreadConstraints" in remedies, told["decisions"]
