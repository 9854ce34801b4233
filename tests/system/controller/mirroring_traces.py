# SPDX-License-Identifier: Apache-2.0
"""Random lives of Endpoints and of Services that may have a selector, as requests."""
import dataclasses

SKIP = "endpointslice.kubernetes.io/skip-mirror"
LEADER = "control-plane.alpha.kubernetes.io/leader"
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
SERVICES = "/api/v1/namespaces/NS/services"
ENDPOINTS = "/api/v1/namespaces/NS/endpoints"
NAMES = ("db", "cache", "queue")
V6_FORMS = ("2001:db8::{0:x}", "2001:DB8:0::{0:x}")  # the second is not how everybody writes it


@dataclasses.dataclass
class Step:
    method: str  # or LOSE, RELABEL, ANNOTATE, COPY: somebody's hands on a slice
    path: str
    body: dict | None = None

    def __str__(self):
        return f"{self.method} {self.path} {self.body or ''}"


class MirrorMaker:
    """One namespace."""

    def __init__(self, random):
        self.random = random

    def some(self, rate):
        return self.random.random() < rate

    def address(self, index):
        number = self.random.randrange(1, 12)
        ip = (f"10.3.{index}.{number}" if self.some(0.7) else
              self.random.choice(V6_FORMS).format(number))
        out = {"ip": ip}
        if self.some(0.2):
            out["hostname"] = f"host-{number}"
        if self.some(0.3):
            out["nodeName"] = f"node-{number % 3}"
        if self.some(0.3):
            out["targetRef"] = {"kind": "Pod", "namespace": "default", "name": f"pod-{number}",
                                "uid": f"uid-{self.random.randrange(3)}"}
        return out

    def port(self, index):
        number = self.random.choice((80, 443, 8080))
        port = {"name": f"p{number}", "port": number}
        if self.some(0.2):
            # One name for two protocols could never be written into one slice.
            port["protocol"] = self.random.choice(("TCP", "UDP", "SCTP"))
            port["name"] += "-" + port["protocol"].lower()
        if self.some(0.15):
            # Upstream takes the same port with an application protocol in two subsets for two.
            port["name"], port["appProtocol"] = f"a{index}", "example.com/app"
        return port

    def subset(self, index):
        # Upstream keeps addresses of one subset apart by their uids and the slice by their names:
        # which of two wins would be chance.
        addresses, seen = [], set()
        for _ in range(self.random.randrange(1, 9)):
            address = self.address(self.random.randrange(2))
            key = address["ip"].lower().replace(":0::", "::")
            if key not in seen:
                seen.add(key)
                addresses.append(address)
        cut = self.random.randrange(len(addresses) + 1)
        ports = [self.port(index) for _ in range(self.random.randrange(3))]
        names = {port["name"] for port in ports}
        out = {"ports": ports if len(names) == len(ports) else ports[:1]}
        if addresses[:cut]:
            out["addresses"] = addresses[:cut]
        if addresses[cut:]:
            out["notReadyAddresses"] = addresses[cut:]
        return out

    def endpoints(self, name):
        labels = {f"l{n}": str(self.random.randrange(3)) for n in range(2) if self.some(0.4)}
        notes = {f"n{n}": str(self.random.randrange(3)) for n in range(2) if self.some(0.4)}
        if self.some(0.1):
            labels[SKIP] = self.random.choice(("true", "false"))
        if self.some(0.05):
            notes[LEADER] = "{}"
        if self.some(0.3):
            notes[TRIGGER_TIME] = f"2026-01-0{self.random.randrange(1, 9)}T00:00:00Z"
        if self.some(0.3):
            notes[LAST_APPLIED] = "{}"
        return {"metadata": {"name": name, "labels": labels, "annotations": notes},
                "subsets": [self.subset(index) for index in range(self.random.randrange(4))]}

    def service(self, name):
        selector = {"selector": {"app": name}} if self.some(0.2) else {}
        return Step("POST", SERVICES, {"metadata": {"name": name},
                                       "spec": {"ports": [{"port": 80}], **selector}})

    def put(self, name):
        return Step("PUT", f"{ENDPOINTS}/{name}", self.endpoints(name))

    def begin(self):
        steps = [step for name in NAMES for step in (self.service(name), self.put(name))]
        self.random.shuffle(steps)
        return steps

    def step(self):
        name = self.random.choice(NAMES)
        kind = self.random.randrange(20)
        if kind < 10:
            return self.put(name)
        if kind < 11:
            return Step("DELETE", f"{ENDPOINTS}/{name}")
        if kind < 12:
            return Step("DELETE", f"{SERVICES}/{name}")
        if kind < 14:
            return self.service(name)
        if kind < 16:
            selector = self.random.choice((None, {"app": name}))
            return Step("PATCH", f"{SERVICES}/{name}", {"spec": {"selector": selector}})
        return Step(("LOSE", "RELABEL", "ANNOTATE", "COPY")[kind - 16], name)

    def round(self):
        return [self.step() for _ in range(self.random.randrange(1, 8))]
