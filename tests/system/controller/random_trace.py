# SPDX-License-Identifier: Apache-2.0
"""Random lives of a cluster: rounds of requests that any API server can be given, from a seed.

The makers keep a small model of what they have asked for, so that what they ask next makes sense.
"""
import dataclasses

from testbed.objects import (CONTROL_PLANE, HEADLESS, MANAGED_BY, TOPOLOGY_HINTS, TOPOLOGY_MODE, ZONE, node,
                     node_status, pod, pod_status, service, web_port)

ZONES = ("zone-a", "zone-b", "zone-c")
APPS = ("cart", "shop", "pay")
NODES_MAX = 9
PODS_MAX = 24
SERVICES_MAX = 5


@dataclasses.dataclass
class Step:
    method: str  # of HTTP; or COLLECT, LOSE, RELABEL: see drive.py
    path: str  # "NS" stands for the trace's namespace
    body: dict | None = None

    def __str__(self):
        return f"{self.method} {self.path} {self.body if self.body is not None else ''}"


def patch(path, body):
    return Step("PATCH", path, body)


class NodeMaker:
    """Nodes in three zones, most of them healthy."""

    def __init__(self, rng):
        self.rng = rng
        self.made = 0
        self.there = {}  # name → zone or None

    def begin(self):
        steps = []
        for zone in ZONES:
            for _ in range(self.rng.randint(1, 2)):
                steps += self.add(zone, self.rng.choice(("2", "4", "4", "3500m")))
        return steps

    def add(self, zone, cpu, ready=True, **labels):
        self.made += 1
        name = f"node-{self.made}"
        self.there[name] = zone
        return [Step("POST", "/api/v1/nodes", node(name, zone, **labels)),
                patch(f"/api/v1/nodes/{name}/status", node_status(ready, cpu))]

    def round(self):
        steps = []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            steps += self.one()
        return steps

    def one(self):
        kind = self.rng.choices(("add", "ready", "cpu", "zone", "bare", "drop", "master"),
                                (4, 4, 3, 3, 1, 2, 1))[0]
        if kind == "add" and len(self.there) < NODES_MAX:
            return self.add(self.rng.choice(ZONES), self.rng.choice(("1", "4", "8")))
        if kind == "master" and len(self.there) < NODES_MAX:
            return self.add(self.rng.choice(ZONES), "8", **{CONTROL_PLANE: ""})
        name = self.rng.choice(sorted(self.there))
        path = f"/api/v1/nodes/{name}"
        if kind == "ready":
            return [patch(path + "/status", node_status(self.rng.random() < 0.7, "4"))]
        if kind == "cpu":
            return [patch(path + "/status",
                          node_status(True, self.rng.choice(("1", "2500m", "4", "16"))))]
        if kind in ("zone", "bare"):
            self.there[name] = self.rng.choice(ZONES) if kind == "zone" else None
            return [patch(path, {"metadata": {"labels": {ZONE: self.there[name]}}})]
        if kind == "drop" and len(self.there) > 3:
            del self.there[name]
            return [Step("DELETE", path)]
        return []


PORTS = (
    [web_port()],
    [web_port(target=8080, name="")],
    [web_port(), web_port(90, "metrics", "metrics")],
    [web_port(), web_port(443, 8443, "https", appProtocol="example.com/tls")],
    [web_port(53, 5353, "dns", protocol="UDP"), web_port(53, 5353, "dns-tcp")],
    [web_port(target="nowhere")],
)
LABELS = ({}, {"team": "a"}, {"team": "b", "tier": "front"}, {"team": "a", HEADLESS: ""},
          {MANAGED_BY: "somebody"})
DISTRIBUTIONS = (None, None, "PreferClose", "PreferSameZone", "PreferSameNode")
ANNOTATIONS = ({}, {}, {TOPOLOGY_MODE: "Auto"}, {TOPOLOGY_MODE: "Auto"}, {TOPOLOGY_HINTS: "auto"},
               {TOPOLOGY_MODE: "Disabled"}, {TOPOLOGY_MODE: "PreferZone"})


class NamespaceMaker:
    """Services and the Pods that they may select, in one namespace."""

    def __init__(self, rng, number, nodes):
        self.rng = rng
        self.number = number % 200 + 1
        self.nodes = nodes
        self.made = 0
        self.clock = 0
        self.pods = {}  # name → {"ips", "ready", "leaving", "phase", "body"}
        self.services = {}  # name → {"type", "gone"}

    # Whole rounds

    def begin(self):
        steps = []
        for _ in range(self.rng.randint(1, 3)):
            steps += self.add_service()
        for _ in range(self.rng.randint(2, 12)):
            steps += self.add_pod()
        return steps

    def round(self):
        steps = []
        for _ in range(self.rng.randint(2, 7)):
            steps += self.one()
        return steps

    def one(self):
        kinds = {"add_pod": 8, "flip": 8, "readdress": 2, "relabel": 3, "leave": 4, "gone": 4,
                 "finish": 1, "again": 2, "add_service": 3, "change_service": 9, "drop_service": 1,
                 "remake_service": 1, "lose_slice": 1, "relabel_slice": 1}
        kind = self.rng.choices(list(kinds), kinds.values())[0]
        return getattr(self, kind)()

    # Pods

    def moment(self):
        self.clock += 1
        return f"2026-01-01T{self.clock // 3600:02}:{self.clock // 60 % 60:02}:{self.clock % 60:02}Z"

    def addresses(self, number):
        four, six = f"10.{self.number}.{number // 250}.{number % 250 + 1}", f"fd00:{self.number}::{number + 1:x}"
        return self.rng.choices(([four, six], [four], [six], []), (12, 5, 1, 2))[0]

    def status(self, name):
        about = self.pods[name]
        return patch(f"/api/v1/namespaces/NS/pods/{name}/status",
                     pod_status(about["ips"], about["ready"], about["phase"], self.moment()))

    def add_pod(self):
        if len(self.pods) >= PODS_MAX:
            return []
        self.made += 1
        name = f"pod-{self.made}"
        nodes = sorted(self.nodes)
        place = self.rng.choice(nodes) if self.rng.random() < 0.96 else "node-nowhere"
        shape = self.rng.choices(("plain", "other", "two", "sidecar", "silent", "datagrams"),
                                 (10, 2, 3, 1, 1, 1))[0]
        named = {"hostname": name, "subdomain": "service-1"} if self.rng.random() < 0.2 else {}
        labels = {"app": self.rng.choice(APPS), "track": self.rng.choice(("new", "old"))}
        self.pods[name] = {"ips": self.addresses(self.made), "ready": self.rng.random() < 0.8,
                           "leaving": False, "phase": "Running",
                           "body": pod(name, labels, place, shape, **named)}
        return [Step("POST", "/api/v1/namespaces/NS/pods", self.pods[name]["body"]),
                self.status(name)]

    def some_pod(self):
        return self.rng.choice(sorted(self.pods)) if self.pods else None

    def flip(self):
        name = self.some_pod()
        if not name:
            return []
        self.pods[name]["ready"] = not self.pods[name]["ready"]
        return [self.status(name)]

    def readdress(self):
        name = self.some_pod()
        if not name:
            return []
        self.made += 1
        self.pods[name]["ips"] = self.addresses(self.made)
        return [self.status(name)]

    def finish(self):
        name = self.some_pod()
        if not name:
            return []
        self.pods[name].update(phase=self.rng.choice(("Failed", "Succeeded")), ready=False)
        return [self.status(name)]

    def relabel(self):
        name = self.some_pod()
        if not name:
            return []
        return [patch(f"/api/v1/namespaces/NS/pods/{name}",
                      {"metadata": {"labels": {"app": self.rng.choice(APPS)}}})]

    def leave(self):
        name = self.some_pod()
        if not name or self.pods[name]["leaving"]:
            return []
        self.pods[name]["leaving"] = True
        return [Step("DELETE", f"/api/v1/namespaces/NS/pods/{name}", {"gracePeriodSeconds": 60})]

    def gone(self):
        leaving = [name for name in sorted(self.pods) if self.pods[name]["leaving"]]
        name = self.rng.choice(leaving) if leaving else self.some_pod()
        if not name:
            return []
        del self.pods[name]
        return [Step("DELETE", f"/api/v1/namespaces/NS/pods/{name}", {"gracePeriodSeconds": 0})]

    def again(self):
        """A Pod of a set comes back under its name and its addresses."""
        name = self.some_pod()
        if not name:
            return []
        self.pods[name].update(leaving=False, phase="Running", ready=True)
        return [Step("DELETE", f"/api/v1/namespaces/NS/pods/{name}", {"gracePeriodSeconds": 0}),
                Step("POST", "/api/v1/namespaces/NS/pods", self.pods[name]["body"]),
                self.status(name)]

    # Services

    def selector(self):
        return self.rng.choice([{"app": app} for app in APPS] +
                               [{"app": "cart", "track": "new"}, {"track": "old"}])

    def families(self):
        return self.rng.choices(({"ipFamilyPolicy": "SingleStack", "ipFamilies": ["IPv4"]},
                                 {"ipFamilyPolicy": "RequireDualStack"},
                                 {"ipFamilyPolicy": "SingleStack", "ipFamilies": ["IPv6"]}),
                                (6, 3, 1))[0]

    def add_service(self, name=None):
        if not name and len(self.services) >= SERVICES_MAX:
            return []
        name = name or f"service-{len(self.services) + 1}"
        spec = {"selector": self.selector(), "ports": self.rng.choice(PORTS), **self.families(),
                "publishNotReadyAddresses": self.rng.random() < 0.1}
        distribution = self.rng.choice(DISTRIBUTIONS)
        if distribution:
            spec["trafficDistribution"] = distribution
        if self.rng.random() < 0.2:
            spec["clusterIP"] = "None"
            if self.rng.random() < 0.3:
                del spec["ports"]
        if self.rng.random() < 0.05:
            del spec["selector"]
        self.services[name] = {"headless": "clusterIP" in spec, "gone": False}
        return [Step("POST", "/api/v1/namespaces/NS/services",
                     service(name, labels=self.rng.choice(LABELS),
                             annotations=self.rng.choice(ANNOTATIONS), **spec))]

    def some_service(self):
        there = [name for name in sorted(self.services) if not self.services[name]["gone"]]
        return self.rng.choice(there) if there else None

    def change_service(self):
        name = self.some_service()
        if not name:
            return []
        kind = self.rng.choice(("ports", "selector", "labels", "families", "unready",
                                "distribution", "distribution", "annotations", "annotations"))
        spec, metadata = {}, {}
        if kind == "ports":
            spec["ports"] = self.rng.choice(PORTS)
        elif kind == "selector":
            spec["selector"] = {"app": None, "track": None, **self.selector()}
        elif kind == "labels":
            metadata["labels"] = {"team": None, "tier": None, HEADLESS: None, MANAGED_BY: None,
                                  **self.rng.choice(LABELS)}
        elif kind == "families":
            spec["ipFamilyPolicy"] = self.rng.choice(("SingleStack", "RequireDualStack"))
        elif kind == "unready":
            spec["publishNotReadyAddresses"] = self.rng.random() < 0.5
        elif kind == "distribution":
            spec["trafficDistribution"] = self.rng.choice(DISTRIBUTIONS)
        else:
            metadata["annotations"] = {TOPOLOGY_MODE: None, TOPOLOGY_HINTS: None,
                                       **self.rng.choice(ANNOTATIONS)}
        return [patch(f"/api/v1/namespaces/NS/services/{name}",
                      {"spec": spec, "metadata": metadata})]

    def drop_service(self):
        name = self.some_service()
        if not name:
            return []
        self.services[name]["gone"] = True
        return [Step("DELETE", f"/api/v1/namespaces/NS/services/{name}"), Step("COLLECT", name)]

    def remake_service(self):
        """A new Service under an old name; what the old one left is collected after."""
        name = self.some_service()
        if not name:
            return []
        return [Step("DELETE", f"/api/v1/namespaces/NS/services/{name}"),
                *self.add_service(name), Step("COLLECT", name)]

    # Slices that somebody meddles with

    def lose_slice(self):
        name = self.some_service()
        return [Step("LOSE", name)] if name else []

    def relabel_slice(self):
        name = self.some_service()
        return [Step("RELABEL", name)] if name else []
