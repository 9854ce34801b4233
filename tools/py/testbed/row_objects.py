# SPDX-License-Identifier: Apache-2.0
"""Nodes, Services and EndpointSlices of a bed, from the words of packet rows."""
import re

from testbed import bed as beds
from testbed.api import Refused

NAMESPACE = "rows"
SLICES = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"
SERVICES = f"/api/v1/namespaces/{NAMESPACE}/services"
PORT = 80
# All are said, so that none that the server chooses can be in the way.
FIRST_NODE_PORT = 30100
FIRST_HEALTH_PORT = 31500
MARKS = "@%!~?+^"

# Names that rows use for Pods and nodes of the bed. L is an endpoint on the node, R one elsewhere.
PLACES = {"L": "pod-1-1", "L2": "pod-1-2", "pod": "pod-1-3", "R": "pod-2-1", "R2": "pod-2-2",
          "node": "node-1", "here": "node-1", "there": "node-2", "outside": "outside-1",
          "blocked": "outside-2"}


def create(api, path, body):
    try:
        return api.create(path, body)
    except Refused as refusal:
        if refusal.status != 409:
            raise
        return None


def make_nodes(api, bed):
    create(api, "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    for host in bed.hosts.values():
        if host.kind != "node":
            continue
        create(api, "/api/v1/nodes", {"metadata": {"name": host.name, "labels": {
            "kubernetes.io/hostname": host.name, "topology.kubernetes.io/zone": host.zone}}})
        api.patch(f"/api/v1/nodes/{host.name}/status", {"status": {"addresses": [
            {"type": "InternalIP", "address": host.v4},
            {"type": "InternalIP", "address": host.v6}],
            "allocatable": {"cpu": "4"},
            "conditions": [{"type": "Ready", "status": "True"}]}})


def words_after(word, mark):
    """"b" of "$R@there+b" after "+"; marks may come several times."""
    return re.findall(re.escape(mark) + rf"([^{re.escape(MARKS)}]*)", word)


def endpoint_of(word, bed, family):
    host = bed[PLACES[re.match(r"\$?(\w+)", word).group(1)]]
    unready = any(mark in word for mark in "!~?")
    endpoint = {"addresses": [host.address(family)], "nodeName": host.node, "zone": host.zone,
                "conditions": {"ready": not unready, "serving": "!" not in word,
                               "terminating": "~" in word}}
    hints = {"forZones": [{"name": name} for name in words_after(word, "+")],
             "forNodes": [{"name": PLACES[name]} for name in words_after(word, "^")]}
    hints = {key: value for key, value in hints.items() if value}
    return {**endpoint, **({"hints": hints} if hints else {})}


def make_slice(name, family, endpoints, annotations=None):
    return {"metadata": {"name": f"{name}-{family}", "annotations": annotations or {},
                         "labels": {"kubernetes.io/service-name": name}},
            "addressType": "IPv4" if family == "v4" else "IPv6",
            "endpoints": endpoints,
            "ports": [{"name": protocol.lower(), "protocol": protocol, "port": beds.BACKEND_PORT}
                      for protocol in ("TCP", "UDP")]}


def balancer(family, kind, number):
    """The `number`th address of a kind: "vip" or "external"."""
    third = {"vip": 0, "external": 1}[kind]
    return beds.BALANCERS[family] + (f"{third}.{number}" if family == "v4"
                                     else f"{third + 1:x}:{number:x}")


class RowService:
    """A dual-stack Service with TCP and UDP, and its slices, from words: "LoadBalancer iLocal
    eLocal affinity=60 range=outside" and "$L@here $R@there~"."""

    def __init__(self, number, words, endpoints):
        self.number, self.name = number, f"row-{number}"
        self.words, self.endpoints = words.split(), endpoints.split()
        self.node_port = FIRST_NODE_PORT + number
        self.cluster = {}

    def ranges(self, bed):
        names = [word[6:] for word in self.words if word.startswith("range=")]
        return [bed[PLACES[name]].address(family) + ("/32" if family == "v4" else "/128")
                for name in names for family in beds.FAMILIES]

    def spec(self, bed):
        kind = next((word for word in self.words if word in ("ClusterIP", "NodePort")),
                    "LoadBalancer")
        ports = [{"name": protocol.lower(), "protocol": protocol, "port": PORT,
                  "targetPort": beds.BACKEND_PORT,
                  **({} if kind == "ClusterIP" else {"nodePort": self.node_port})}
                 for protocol in ("TCP", "UDP")]
        spec = {"type": kind, "ipFamilyPolicy": "RequireDualStack", "ports": ports,
                "ipFamilies": ["IPv4", "IPv6"],
                "internalTrafficPolicy": "Local" if "iLocal" in self.words else "Cluster"}
        if kind != "ClusterIP":
            spec["externalTrafficPolicy"] = "Local" if "eLocal" in self.words else "Cluster"
            spec["externalIPs"] = [balancer(family, "external", self.number)
                                   for family in beds.FAMILIES]
        if kind == "LoadBalancer" and "eLocal" in self.words:
            spec["healthCheckNodePort"] = FIRST_HEALTH_PORT + self.number
        if ranges := self.ranges(bed):
            spec["loadBalancerSourceRanges"] = ranges
        for word in self.words:
            if word.startswith("affinity="):
                spec["sessionAffinity"] = "ClientIP"
                spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": int(word[9:])}}
        return spec

    def make(self, api, bed):
        made = api.create(SERVICES, {"metadata": {"name": self.name}, "spec": self.spec(bed)})
        for address in made["spec"]["clusterIPs"]:
            self.cluster["v6" if ":" in address else "v4"] = address
        if made["spec"]["type"] == "LoadBalancer":
            api.patch(f"{SERVICES}/{self.name}/status", {"status": {"loadBalancer": {"ingress": [
                {"ip": balancer(family, "vip", self.number)} for family in beds.FAMILIES]}}})
        for family in beds.FAMILIES:
            endpoints = [endpoint_of(word, bed, family) for word in self.endpoints]
            api.create(SLICES, make_slice(self.name, family, endpoints))

    def target(self, to, bed, family):
        """Address and port behind a word of a row."""
        if to == "cluster":
            return self.cluster[family], PORT
        if to == "unknown-port":
            return self.cluster[family], PORT + 1
        if to == "unused":
            return ("172.30.255.250", PORT) if family == "v4" else ("fd00:172:30::fffa", PORT)
        if to in ("vip", "external"):
            return balancer(family, to, self.number), PORT
        if to == "loopback":
            return ("127.0.0.1" if family == "v4" else "::1"), self.node_port
        return bed[PLACES[to]].address(family), self.node_port
