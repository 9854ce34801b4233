# SPDX-License-Identifier: Apache-2.0
"""Labels of slices."""
from testbed.objects import HEADLESS, MANAGED_BY, SERVICE_NAME

from . import scenario


@scenario("labels of a Service are on its slices, and follow it")
def follow(world):
    world.service(labels={"team": "a"})
    world.expect_labels("web", team="a")
    world.change(labels={"team": "b", "tier": "front"})
    world.expect_labels("web", team="b", tier="front")
    world.change(labels={"team": None, "tier": None})
    world.expect_labels("web")


@scenario("the headless label tells of the cluster IP, whatever the Service's own label says")
def headless(world):
    world.service("plain")
    world.service("liar", labels={HEADLESS: ""})
    world.service("headless", clusterIP="None")
    world.service("named", clusterIP="None", labels={HEADLESS: "no"})
    for name in ("plain", "liar"):
        world.expect_labels(name)
    for name in ("headless", "named"):
        world.expect_labels(name, service_kubernetes_io__headless="")


@scenario("reserved labels on a Service write nothing")
def reserved(world):
    world.service()
    world.expect("web")
    world.change(labels={HEADLESS: "", MANAGED_BY: "me", SERVICE_NAME: "other"})
    world.expect_still()


@scenario("a label that somebody puts on a slice is taken off again")
def foreign(world):
    world.service()
    world.expect("web")
    name = world.slices()[0]["metadata"]["name"]
    world.api.patch(f"/apis/discovery.k8s.io/v1/namespaces/{world.namespace}/endpointslices/{name}",
                    {"metadata": {"labels": {"somebody": "me"}}})
    world.expect_labels("web")


@scenario("slices of another manager are left alone")
def others(world):
    path = f"/apis/discovery.k8s.io/v1/namespaces/{world.namespace}/endpointslices"
    made = [world.api.create(path, {
        "metadata": {"name": name, "labels": {SERVICE_NAME: "web", **labels}},
        "addressType": "IPv4", "endpoints": [{"addresses": ["10.9.9.9"]}], "ports": []})
        for name, labels in (("by-me", {MANAGED_BY: "me"}), ("by-nobody", {}))]
    world.service()
    world.expect("web")
    for item in made:
        now = world.api.get(f"{path}/{item['metadata']['name']}")
        assert now["metadata"]["resourceVersion"] == item["metadata"]["resourceVersion"], now
