# SPDX-License-Identifier: Apache-2.0
"""The field topologyKeys, which the embedded server keeps and checks as Kubernetes 1.17 to 1.21 did."""
from . import scenario

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"


def refuses(world, words, keys, **spec):
    """On create, and on an update of a Service that was right before."""
    world.expect_refused(words, lambda: world.service("new", topologyKeys=keys, **spec))
    if world.api.find(f"{world.base}/services/web") is None:
        world.service(type="NodePort", topologyKeys=[ZONE])
    world.expect_refused(words, lambda: world.change(topologyKeys=keys, **spec))
    assert world.find_service()["spec"]["topologyKeys"] == [ZONE]


@scenario("topologyKeys is stored, changed and taken away", embedded_alone=True)
def stored(world):
    made = world.service(topologyKeys=[HOSTNAME, ZONE, REGION, "*"])
    assert made["spec"]["topologyKeys"] == [HOSTNAME, ZONE, REGION, "*"], made
    world.change(topologyKeys=[ZONE])
    assert world.find_service()["spec"]["topologyKeys"] == [ZONE]
    world.change(topologyKeys=None)
    assert "topologyKeys" not in world.find_service()["spec"]


@scenario("topologyKeys is refused beside externalTrafficPolicy: Local, and allowed on another Service",
          embedded_alone=True)
def external_local(world):
    refuses(world, "may not be specified when `externalTrafficPolicy=Local`", [ZONE],
            type="NodePort", externalTrafficPolicy="Local")
    world.service("local", type="NodePort", externalTrafficPolicy="Local")


@scenario("a topology key that is no label key is refused", embedded_alone=True)
def invalid(world):
    refuses(world, "spec.topologyKeys[1]", [ZONE, "no key"])


@scenario("16 topology keys are accepted, 17 are refused", embedded_alone=True)
def number(world):
    many = [f"example.com/key-{index}" for index in range(17)]
    world.service("most", topologyKeys=many[:16])
    refuses(world, "must have at most 16 items", many)


@scenario("the key * is refused before another key", embedded_alone=True)
def any_first(world):
    refuses(world, "must be the last value specified", ["*", ZONE])


@scenario("a topology key that is listed twice is refused", embedded_alone=True)
def twice(world):
    refuses(world, "Duplicate value", [ZONE, REGION, ZONE])


@scenario("trafficPolicy: PreferZone is refused beside topologyKeys", embedded_alone=True)
def prefer_zone(world):
    refuses(world, "may not be 'PreferZone' when `topologyKeys` is specified", [ZONE],
            trafficPolicy="PreferZone")
