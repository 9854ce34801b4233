# SPDX-License-Identifier: Apache-2.0
"""What the controller tells: Events and conditions."""
from testbed.objects import TOPOLOGY_MODE
from testbed.waiting import eventually

from . import scenario

ACCEPTED = "proxima.io/TrafficDistributionAccepted"
PROGRAMMED = "proxima.io/TrafficDistributionProgrammed"


def conditions(world):
    return {condition["type"]: condition["status"] for condition in
            world.find_service().get("status", {}).get("conditions") or []}


@scenario("a refusal is told once, not with every sync", ours_alone=True)
def once(world):
    world.nodes("n1 zone-a", "n2 zone-b", "n3 zone-c")
    world.pods("p1 n1", "p2 n2")
    world.service(annotations={TOPOLOGY_MODE: "Auto"})
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled",
                       "Insufficient number of endpoints (2 endpoints, 3 zones), addressType: IPv4")
    for number in range(3):
        world.change(annotations={"example.com/look": str(number)})
        world.pod_state("p1", ready=number % 2 == 0)
    world.rest()
    told = [event for event in world.events() if event[1] == "TopologyAwareHintsDisabled"]
    assert sum(event[3] or 1 for event in told if "(2 endpoints" in event[2]) <= 2, told


@scenario("a Service that asks for a distribution has conditions that tell what became of it",
          ours_alone=True)
def accepted(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    world.service(trafficDistribution="PreferSameZone")
    eventually(lambda: conditions(world).get(ACCEPTED) == "True" and
               conditions(world).get(PROGRAMMED) == "True", "both conditions",
               seen=lambda: conditions(world))
    version = world.find_service()["metadata"]["resourceVersion"]
    world.expect_still()
    assert world.find_service()["metadata"]["resourceVersion"] == version, "written again"
