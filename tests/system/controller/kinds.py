# SPDX-License-Identifier: Apache-2.0
"""A small cluster that has every kind of Service at once."""
from testbed.objects import TOPOLOGY_HINTS, TOPOLOGY_MODE, web_port

NODES = ("n1 zone-a", "n2 zone-a", "n3 zone-b", "n4 zone-b", "n5 zone-c", "n6 zone-c")
AUTO = {TOPOLOGY_MODE: "Auto"}

# name, where its Pods are, what is said of it
SERVICES = (
    ("plain", "n1 n3 n5", {}),
    ("labelled", "n1", {"labels": {"team": "a", "tier": "front"}}),
    ("empty", "", {}),
    ("numbered", "n1 n2", {"ports": [web_port(target=8080, name="")]}),
    ("several-ports", "n1 n4", {"ports": [web_port(), web_port(90, "metrics", "metrics"),
                                          web_port(53, 53, "dns", protocol="UDP")]}),
    ("headless", "n1 n6", {"clusterIP": "None"}),
    ("headless-bare", "n2", {"clusterIP": "None", "ports": []}),
    ("both-families", "n1 n3", {"ipFamilyPolicy": "RequireDualStack"}),
    ("six", "n1 n3", {"ipFamilies": ["IPv6"], "ipFamilyPolicy": "SingleStack"}),
    ("unready-too", "n1 n3", {"publishNotReadyAddresses": True}),
    ("close", "n1 n3 n5", {"trafficDistribution": "PreferClose"}),
    ("same-zone", "n1 n3 n3", {"trafficDistribution": "PreferSameZone"}),
    ("same-node", "n1 n3 n5 n6", {"trafficDistribution": "PreferSameNode"}),
    ("auto-even", "n1 n3 n5", {"annotations": AUTO}),
    ("auto-lent", "n5 n5 n5 n6 n6 n6", {"annotations": AUTO}),
    ("auto-refused", "n1 n3", {"annotations": AUTO}),
    ("auto-old-name", "n1 n2 n3 n4 n5 n6", {"annotations": {TOPOLOGY_HINTS: "auto"}}),
    ("auto-both", "n1 n2 n3 n4 n5 n6", {"annotations": AUTO,
                                        "ipFamilyPolicy": "RequireDualStack"}),
    ("auto-and-close", "n1 n3 n5", {"annotations": AUTO, "trafficDistribution": "PreferClose"}),
)


def fill(world):
    """Makes them all; of each Service with three Pods or more one is unready, except Auto's."""
    world.nodes(*NODES)
    for number, (name, places, more) in enumerate(SERVICES):
        world.service(name, selector={"app": name}, **more)
        for index, place in enumerate(places.split()):
            unready = index == 2 and not name.startswith("auto")
            pod = f"{name}-{index}"
            shape = "other" if index == 1 and name == "plain" else "two"
            world.pods(f"{pod} {place} {shape}", labels={"app": name})
            four = f"10.8.{number}.{index + 1}"
            world.pod_state(pod, not unready, [four, f"fd00:8:{number}::{index + 1}"])
    world.leave("plain-0")
    world.api.create(world.base + "/services", {
        "metadata": {"name": "no-selector"}, "spec": {"ports": [{"port": 80}]}})
    world.api.create(world.base + "/services", {
        "metadata": {"name": "elsewhere"},
        "spec": {"type": "ExternalName", "externalName": "example.com"}})
