# SPDX-License-Identifier: Apache-2.0
"""Ports of slices."""
from testbed.objects import web_port
from testbed.waiting import eventually

from . import scenario


def port_table(world):
    """Port numbers of each slice → Pods in it."""
    return {tuple(sorted((port["name"], port["port"]) for port in item.get("ports") or [])):
            sorted(endpoint["targetRef"]["name"] for endpoint in item.get("endpoints") or [])
            for item in world.slices()}


def expect_ports(world, wanted):
    eventually(lambda: port_table(world) == wanted,
               f"ports {wanted}", seen=lambda: port_table(world))


@scenario("a name that means another number in another Pod makes two slices")
def named(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1 plain", "p2 n1 other", "p3 n1 plain")
    expect_ports(world, {(("http", 8080),): ["p1", "p3"], (("http", 8081),): ["p2"]})
    world.drop_pod("p2")
    expect_ports(world, {(("http", 8080),): ["p1", "p3"]})


@scenario("a Pod without a port of that name is there without ports")
def unresolved(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1 plain", "p2 n1 silent", "p3 n1 datagrams")
    expect_ports(world, {(("http", 8080),): ["p1"], (): ["p2", "p3"]})


@scenario("the port of a container that runs beside the others counts")
def sidecar(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1 sidecar")
    expect_ports(world, {(("http", 8082),): ["p1"]})


@scenario("two ports of a Service on two kinds of Pods")
def several(world):
    world.nodes("n1 zone-a")
    world.service(ports=[web_port(), web_port(90, "metrics", "metrics")])
    world.pods("p1 n1 two", "p2 n1 plain")
    expect_ports(world, {(("http", 8080), ("metrics", 9090)): ["p1"], (("http", 8080),): ["p2"]})


@scenario("a headless Service needs no ports, and is not written again for lack of them")
def portless(world):
    world.nodes("n1 zone-a")
    world.service(ports=[], clusterIP="None")
    world.pods("p1 n1")
    expect_ports(world, {(): ["p1"]})
    world.change(annotations={"example.com/look": "again"})
    world.expect_still()


@scenario("another target port rewrites the slice under its name")
def changed(world):
    world.nodes("n1 zone-a")
    world.service(ports=[web_port(target=8080)])
    world.pods("p1 n1")
    expect_ports(world, {(("http", 8080),): ["p1"]})
    before = world.slices()[0]["metadata"]["name"]
    world.change(ports=[web_port(target=9000)])
    expect_ports(world, {(("http", 9000),): ["p1"]})
    assert world.slices()[0]["metadata"]["name"] == before


@scenario("protocol and application protocol are the Service's")
def protocols(world):
    world.nodes("n1 zone-a")
    world.service(ports=[web_port(53, 53, "dns", protocol="UDP"),
                         web_port(443, 443, "web", appProtocol="example.com/x")])
    world.pods("p1 n1")
    world.expect("web", "p1 zone-a ready")
    found = sorted((port["name"], port["protocol"], port.get("appProtocol"))
                   for port in world.slices()[0]["ports"])
    assert found == [("dns", "UDP", None), ("web", "TCP", "example.com/x")], found
