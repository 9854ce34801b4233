# SPDX-License-Identifier: Apache-2.0
"""Which Pods are published, and as what."""
import drive
from testbed.waiting import eventually

from . import scenario


@scenario("a ready Pod that leaves still serves; an unready one does not")
def terminating(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1", "p2 n1 !", "p3 n1")
    world.expect("web", "p1 zone-a ready", "p2 zone-a unready", "p3 zone-a ready")
    world.leave("p1")
    world.leave("p2")
    world.expect("web", "p1 zone-a leaving", "p2 zone-a left", "p3 zone-a ready")
    world.drop_pod("p1")
    world.drop_pod("p2")
    world.expect("web", "p3 zone-a ready")


@scenario("publishNotReadyAddresses makes every endpoint ready")
def publish_not_ready(world):
    world.nodes("n1 zone-a")
    world.service(publishNotReadyAddresses=True)
    world.pods("p1 n1", "p2 n1 !", "p3 n1")
    world.leave("p3")
    world.expect("web", "p1 zone-a ready", "p2 zone-a ready-though-unready",
                 "p3 zone-a ready-though-leaving")
    world.change(publishNotReadyAddresses=False)
    world.expect("web", "p1 zone-a ready", "p2 zone-a unready", "p3 zone-a leaving")


@scenario("a Service that selects nothing has one empty slice")
def empty(world):
    world.service()
    world.expect("web")
    world.expect_slices("web", 1)
    assert not world.slices()[0].get("ports"), world.slices()[0]


@scenario("a slice that somebody deletes comes back")
def deleted_slice(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1")
    world.expect("web", "p1 zone-a ready")
    gone = world.slices()[0]["metadata"]
    world.api.delete(f"{drive.slices_path(world.namespace)}/{gone['name']}")
    eventually(lambda: [item["metadata"]["uid"] for item in world.slices()] not in
               ([], [gone["uid"]]), "the slice comes back")
    world.expect("web", "p1 zone-a ready")
    world.expect_slices("web", 1)


@scenario("Pods come, change and go, and the slice follows")
def follow(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.service()
    world.pods("p1 n1", "p2 n2")
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready")
    world.pod_state("p1", ready=False)
    world.pod_state("p2", phase="Succeeded", ready=False)
    world.expect("web", "p1 zone-a unready")
    world.patch_pod("p1", {"labels": {"app": "other"}})
    world.expect("web")
    world.patch_pod("p1", {"labels": {"app": "web"}})
    world.pod_state("p1", ips=["10.7.9.9"])
    world.expect("web", "p1 zone-a ready")
    eventually(lambda: world.slices()[0]["endpoints"][0]["addresses"] == ["10.7.9.9"],
               "the address follows")


@scenario("a Pod on a Node that nobody knows is left out, and told of, until the Node is there")
def missing_node(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1", "p2 n2")
    world.expect("web", "p1 zone-a ready")
    eventually(lambda: any(event[1] == "FailedToUpdateEndpointSlices" and
                           "Node n2 Not Found" in event[2] for event in world.events()),
               "an Event about the Node", seen=world.events)
    world.nodes("n2 zone-b")
    world.expect("web", "p1 zone-a ready", "p2 zone-b ready")


@scenario("with publishNotReadyAddresses it is there without a zone")
def missing_node_published(world):
    world.service(publishNotReadyAddresses=True)
    world.pods("p1 n1")
    world.expect("web", "p1 - ready")


@scenario("Services without a selector and external names get no slices")
def none(world):
    world.api.create(world.base + "/services", {
        "metadata": {"name": "bare"}, "spec": {"ports": [{"port": 80}]}})
    world.api.create(world.base + "/services", {
        "metadata": {"name": "far"},
        "spec": {"type": "ExternalName", "externalName": "example.com",
                 "selector": {"app": "web"}}})
    world.service()
    world.expect("web")
    assert not world.slices("bare") and not world.slices("far")


@scenario("Pods with more labels than the selector asks for belong, those with fewer do not")
def selection(world):
    world.nodes("n1 zone-a")
    world.service(selector={"app": "web", "track": "new"})
    world.pods("p1 n1", labels={"app": "web", "track": "new", "more": "x"})
    world.pods("p2 n1")
    world.expect("web", "p1 zone-a ready")
    world.change(selector={"track": None})
    world.expect("web", "p1 zone-a ready", "p2 zone-a ready")


@scenario("a Service of both families has slices of both, and of one again when it has one")
def dual_stack(world):
    world.nodes("n1 zone-a")
    world.service(ipFamilyPolicy="RequireDualStack")
    world.pods("p1 n1", "p2 n1")
    world.pod_state("p1", ips=[world.addresses["p1"], "fd00::1"])
    eventually(lambda: families(world) == {"IPv4": ["p1", "p2"], "IPv6": ["p1"]},
               "both families", seen=lambda: families(world))
    world.change(ipFamilyPolicy="SingleStack")
    eventually(lambda: families(world) == {"IPv4": ["p1", "p2"]},
               "IPv4 alone", seen=lambda: families(world))


def families(world):
    found = {}
    for item in world.slices():
        names = [endpoint["targetRef"]["name"] for endpoint in item.get("endpoints") or []]
        found.setdefault(item["addressType"], []).extend(names)
    return {family: sorted(names) for family, names in found.items()}


@scenario("a Service made again under its name owns its slices itself")
def remade(world):
    world.nodes("n1 zone-a")
    world.service()
    world.pods("p1 n1")
    world.expect("web", "p1 zone-a ready")
    world.drop_service("web")
    uid = world.service()["metadata"]["uid"]
    eventually(lambda: [owner["uid"] for item in world.slices()
                        for owner in item["metadata"]["ownerReferences"]] == [uid],
               f"{uid} owns the slice", seen=world.slices)
    world.expect("web", "p1 zone-a ready")


@scenario("a Pod's host name is published where its subdomain is the Service")
def hostname(world):
    world.nodes("n1 zone-a")
    world.service(clusterIP="None")
    world.pods("p1 n1", hostname="first", subdomain="web")
    world.pods("p2 n1", hostname="second", subdomain="elsewhere")
    world.expect("web", "p1 zone-a ready", "p2 zone-a ready")
    names = {endpoint["targetRef"]["name"]: endpoint.get("hostname")
             for endpoint in world.slices()[0]["endpoints"]}
    assert names == {"p1": "first", "p2": None}, names


@scenario("seven Pods are three slices where a slice holds three",
          flags=["--max-endpoints-per-slice=3"])
def packed(world):
    world.nodes("n1 zone-a")
    world.pods(*[f"p{number} n1" for number in range(1, 8)])
    world.service()
    world.expect("web", *[f"p{number} zone-a ready" for number in range(1, 8)])
    assert sorted(len(item["endpoints"]) for item in world.slices()) == [1, 3, 3]


@scenario("Pods that come within a batch period are written together",
          flags=["--endpointslice-updates-batch-period=1s"])
def batched(world):
    world.nodes("n1 zone-a")
    world.service()
    world.expect("web")
    world.expect_still()
    before = int(world.slices()[0]["metadata"].get("generation", 0))
    world.pods("p1 n1", "p2 n1", "p3 n1")
    world.expect("web", "p1 zone-a ready", "p2 zone-a ready", "p3 zone-a ready")
    written = int(world.slices()[0]["metadata"]["generation"]) - before
    assert written <= 2, f"written {written} times"
