# SPDX-License-Identifier: Apache-2.0
"""Endpoints that users write for Services without a selector, mirrored into slices."""
import drive
from mirroring_published import is_mirrored
from testbed.controllers import MIRRORING
from testbed.objects import MANAGED_BY, MANAGER, SERVICE_NAME
from testbed.waiting import eventually

from . import scenario

LIMIT = "--mirroring-max-endpoints-per-subset=3"
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
SKIP = "endpointslice.kubernetes.io/skip-mirror"
LEADER = "control-plane.alpha.kubernetes.io/leader"


def subset(addresses, port=80, not_ready=(), name=""):
    out = {"ports": [{"port": port, **({"name": name} if name else {})}]}
    if addresses:
        out["addresses"] = [{"ip": ip} for ip in addresses]
    if not_ready:
        out["notReadyAddresses"] = [{"ip": ip} for ip in not_ready]
    return out


def plain_service(world, name="web", **spec):
    """A Service whose selector is only what is said."""
    world.api.create(world.base + "/services", {
        "metadata": {"name": name}, "spec": {"ports": [{"port": 80}], **spec}})


def put(world, *subsets, name="web", labels=None, annotations=None):
    world.api.replace(f"{world.base}/endpoints/{name}", {
        "metadata": {"name": name, "labels": labels or {}, "annotations": annotations or {}},
        "subsets": list(subsets)})


def mirrored(world, name="web"):
    return [item for item in world.api.items(drive.slices_path(world.namespace, name))
            if is_mirrored(item)]


def line_of(item):
    """"10.0.0.1 !10.0.0.2 :80", addresses in order."""
    words = sorted(("" if endpoint["conditions"].get("ready", True) else "!") + endpoint["addresses"][0]
                   for endpoint in item["endpoints"])
    ports = sorted(str(port["port"]) for port in item.get("ports") or [])
    return " ".join(words) + " :" + ",".join(ports)


def expect(world, *lines, name="web"):
    wanted = sorted(lines)
    eventually(lambda: sorted(map(line_of, mirrored(world, name))) == wanted,
               f"{wanted} is mirrored",
               seen=lambda: list(map(line_of, mirrored(world, name))))


def only(world):
    found = mirrored(world)
    assert len(found) == 1, found
    return found[0]


@scenario("a Service with a selector has slices of the other controller alone", [MIRRORING])
def with_selector(world):
    put(world, subset(["10.0.0.1"]))
    plain_service(world, selector={"foo": "bar"})
    eventually(lambda: [item["metadata"]["labels"][MANAGED_BY] for item in world.slices()] ==
               [MANAGER], "one slice")
    expect(world)
    world.expect_still()


@scenario("Endpoints of a Service without a selector are mirrored", [MIRRORING])
def without_selector(world):
    plain_service(world)
    put(world, subset(["10.0.0.1"], not_ready=["10.0.0.2"]))
    expect(world, "!10.0.0.2 10.0.0.1 :80")
    item = only(world)
    endpoints = world.api.get(f"{world.base}/endpoints/web")
    assert item["metadata"]["ownerReferences"] == [{
        "apiVersion": "v1", "kind": "Endpoints", "name": "web",
        "uid": endpoints["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}], item
    assert item["metadata"]["name"].startswith("web-"), item
    assert item["addressType"] == "IPv4", item
    for endpoint in item["endpoints"]:
        assert set(endpoint) == {"addresses", "conditions"}, endpoint
        assert set(endpoint["conditions"]) == {"ready"}, endpoint
    assert world.slices() == [], "the other controller keeps away"


@scenario("the order in which Service and Endpoints come does not matter", [MIRRORING])
def endpoints_first(world):
    put(world, subset(["10.0.0.1"]))
    world.expect_still()
    plain_service(world)
    expect(world, "10.0.0.1 :80")


@scenario("subsets with the same address share a slice, others have their own", [MIRRORING])
def several_subsets(world):
    plain_service(world)
    put(world, subset(["10.0.0.1"], 80, name="a"), subset(["10.0.0.1"], 90, name="b"))
    expect(world, "10.0.0.1 :80,90")
    put(world, subset(["10.0.0.1"], 80, name="a"), subset(["10.0.0.2"], 90, name="b"))
    expect(world, "10.0.0.1 :80", "10.0.0.2 :90")
    put(world, subset(["10.0.0.1", "fd00::1"], 80, name="a"))
    expect(world, "10.0.0.1 :80", "fd00::1 :80")


@scenario("Endpoints without a Service are not mirrored", [MIRRORING])
def without_service(world):
    put(world, subset(["10.0.0.1"]))
    world.expect_still()
    expect(world)


@scenario("addresses, labels and annotations follow; times of writing do not", [MIRRORING])
def updates(world):
    plain_service(world)
    one = subset(["10.0.0.1"])
    put(world, one)
    expect(world, "10.0.0.1 :80")
    put(world, one, labels={"foo": "bar"})
    eventually(lambda: only(world)["metadata"]["labels"] == {
        "foo": "bar", SERVICE_NAME: "web",
        MANAGED_BY: "endpointslicemirroring-controller.k8s.io"}, "the labels",
        seen=lambda: only(world))
    put(world, one, labels={"foo": "bar"}, annotations={"foo2": "bar2"})
    eventually(lambda: only(world)["metadata"].get("annotations") == {"foo2": "bar2"},
               "the annotations", seen=lambda: only(world))
    put(world, one, labels={"foo": "bar"},
        annotations={"foo2": "bar2", TRIGGER_TIME: "date", LAST_APPLIED: "{}"})
    world.expect_still()
    put(world, subset(["10.0.0.4", "10.0.0.6"]))
    expect(world, "10.0.0.4 10.0.0.6 :80")
    eventually(lambda: "annotations" not in only(world)["metadata"] and
               "foo" not in only(world)["metadata"]["labels"], "both are gone",
               seen=lambda: only(world))


@scenario("a selector that comes takes the mirrored slices away, and gives them back when it goes",
          [MIRRORING])
def selector_transition(world):
    put(world, subset(["10.0.0.1"]))
    for start, count, end in ((None, 1, {"foo": "bar"}), ({"foo": "bar"}, 0, None),
                              (None, 1, {}), ({}, 1, None), ({"foo": "bar"}, 0, {})):
        plain_service(world, selector=start)
        expect(world, *["10.0.0.1 :80"] * count)
        world.api.patch(f"{world.base}/services/web", {"spec": {"selector": None}})
        if end:
            world.api.patch(f"{world.base}/services/web", {"spec": {"selector": end}})
        expect(world, *[] if end else ["10.0.0.1 :80"])
        world.drop_service("web")
        expect(world)
        put(world, subset(["10.0.0.1"]))


@scenario("Endpoints that say so are not mirrored any more", [MIRRORING])
def skipped(world):
    plain_service(world)
    one = subset(["10.0.0.1"])
    for labels, annotations in (({SKIP: "true"}, {}), ({}, {LEADER: "{}"})):
        put(world, one)
        expect(world, "10.0.0.1 :80")
        put(world, one, labels=labels, annotations=annotations)
        expect(world)
    put(world, one, labels={SKIP: "false"})
    expect(world, "10.0.0.1 :80")


@scenario("deleted Endpoints take their slices with them, and so does the Service", [MIRRORING])
def deleted(world):
    plain_service(world)
    put(world, subset(["10.0.0.1"]))
    expect(world, "10.0.0.1 :80")
    world.api.delete(f"{world.base}/endpoints/web")
    expect(world)
    put(world, subset(["10.0.0.1"]))
    expect(world, "10.0.0.1 :80")
    world.drop_service("web")
    expect(world)


@scenario("what somebody does to a mirrored slice is undone", [MIRRORING])
def undone(world):
    plain_service(world)
    put(world, subset(["10.0.0.1"]))
    expect(world, "10.0.0.1 :80")
    path = drive.slices_path(world.namespace)
    name = only(world)["metadata"]["name"]
    world.api.delete(f"{path}/{name}")
    expect(world, "10.0.0.1 :80")
    name = only(world)["metadata"]["name"]
    world.api.patch(f"{path}/{name}", {"endpoints": [{"addresses": ["10.9.9.9"]}]})
    expect(world, "10.0.0.1 :80")
    world.api.patch(f"{path}/{name}", {"metadata": {"labels": {"somebody": "me"}}})
    eventually(lambda: "somebody" not in only(world)["metadata"]["labels"],
               "the label is gone", seen=lambda: only(world))


@scenario("more addresses than a subset may have are left out, not ready ones first, and it says so",
          [MIRRORING, LIMIT])
def too_many(world):
    plain_service(world)
    put(world, subset(["10.0.0.1", "10.0.0.4"], not_ready=["10.0.0.2", "10.0.0.3"]))
    expect(world, "!10.0.0.2 10.0.0.1 10.0.0.4 :80")
    world.expect_event("web", "Warning", "TooManyAddressesToMirror",
                       "A max of 3 addresses can be mirrored to EndpointSlices per Endpoints "
                       "subset. 1 addresses were skipped")
    event = next(item for item in world.api.items(world.base + "/events")
                 if item["reason"] == "TooManyAddressesToMirror")
    assert event["involvedObject"]["kind"] == "Endpoints", event
    assert event["source"]["component"] == "endpoint-slice-mirroring-controller", event
