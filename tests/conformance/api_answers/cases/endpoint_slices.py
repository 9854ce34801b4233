# SPDX-License-Identifier: Apache-2.0
"""EndpointSlices: completion, limits, refusals, generation; Endpoints."""
from objects import endpoints, service, slice_of
from steps import STRATEGIC, Case, create, delete, each, get, patch, put


def endpoint(address="10.1.2.3", **fields):
    return {"addresses": [address], **fields}


def with_endpoint(**fields):
    return slice_of("x", endpoints=[endpoint(**fields)])


def hints(zones=(), nodes=()):
    return {"hints": {"forZones": [{"name": name} for name in zones],
                      "forNodes": [{"name": name} for name in nodes]}}


ACCEPTED = [
    ("the least", slice_of("least")),
    ("no endpoints", slice_of("none", endpoints=[])),
    ("null endpoints and ports", slice_of("null", endpoints=None, ports=None)),
    ("ports get a name and a protocol", slice_of("ports", ports=[{"port": 80}])),
    ("a port without a number", slice_of("any-port", ports=[{"name": "http"}])),
    ("a port whose number is not looked at", slice_of("odd-port", ports=[{"port": 70000}])),
    ("conditions, zone, node and hints", slice_of("full", endpoints=[endpoint(
        conditions={"ready": True, "serving": True, "terminating": False}, hostname="web-1",
        nodeName="node-1", zone="zone-a", targetRef={"kind": "Pod", "name": "web-1"},
        **hints(["zone-a"], ["node-1"]))])),
    ("IPv6", slice_of("v6", ["2001:db8::1"], address_type="IPv6")),
    ("names", slice_of("fqdn", ["web.example.com"], address_type="FQDN")),
    ("the same address twice", slice_of("twice", ["10.1.2.3", "10.1.2.3"])),
    ("an empty zone hint", slice_of("empty-hint", endpoints=[endpoint(**hints([""]))])),
    ("deprecated topology is dropped", slice_of("topology", endpoints=[endpoint(
        deprecatedTopology={"kubernetes.io/hostname": "node-1", "a": "b"})])),
    ("an address with leading zeros under a controller's name", slice_of(
        "managed", ["10.1.2.3"], {"labels": {"endpointslice.kubernetes.io/managed-by":
                                             "endpointslice-controller.k8s.io"}})),
]

REFUSED = [
    ("no address type", slice_of("x", address_type=None)),
    ("an unknown address type", slice_of("x", address_type="IP")),
    ("an address of the other family", slice_of("x", ["2001:db8::1"])),
    ("an IPv4 address in IPv6", slice_of("x", ["10.1.2.3"], address_type="IPv6")),
    ("an IPv6 address that is not canonical", slice_of("x", ["2001:DB8::0:1"],
                                                       address_type="IPv6")),
    ("an address that is none", slice_of("x", ["web"])),
    ("an address with leading zeros", slice_of("x", ["010.001.002.003"])),
    ("a loopback address", slice_of("x", ["127.0.0.1"])),
    ("an unspecified address", slice_of("x", ["0.0.0.0"])),
    ("a link-local address", slice_of("x", ["169.254.1.1"])),
    ("a link-local multicast address", slice_of("x", ["224.0.0.1"])),
    ("a name with one label", slice_of("x", ["web"], address_type="FQDN")),
    ("an endpoint without addresses", slice_of("x", [])),
    ("an endpoint with 101 addresses", slice_of("x", ["10.1.2.3"] * 101)),
    ("1001 endpoints", slice_of("x", endpoints=[endpoint()] * 1001)),
    ("nine zone hints", with_endpoint(**hints([f"z{i}" for i in range(9)]))),
    ("nine node hints", with_endpoint(**hints((), [f"n{i}" for i in range(9)]))),
    ("the same zone hint twice", with_endpoint(**hints(["a", "a"]))),
    ("the same node hint twice", with_endpoint(**hints((), ["a", "a"]))),
    ("a zone hint that is no label", with_endpoint(**hints(["a b"]))),
    ("a node hint that is no name", with_endpoint(**hints((), ["A_"]))),
    ("a host name with dots", with_endpoint(hostname="a.b")),
    ("a node name in capitals", with_endpoint(nodeName="Node")),
    ("two ports without names", slice_of("x", ports=[{"port": 80}, {"port": 81}])),
    ("a port's name in capitals", slice_of("x", ports=[{"name": "HTTP", "port": 80}])),
    ("an unknown protocol", slice_of("x", ports=[{"port": 80, "protocol": "tcp"}])),
    ("an application protocol that is no name", slice_of("x", ports=[{"appProtocol": "a b"}])),
    ("a name in capitals", slice_of("X")),
    ("everything missing", {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice"}),
]


def subset(addresses=("10.1.2.3",), not_ready=(), ports=(), **fields):
    out = {}
    if addresses:
        out["addresses"] = [{"ip": ip, **fields} for ip in addresses]
    if not_ready:
        out["notReadyAddresses"] = [{"ip": ip, **fields} for ip in not_ready]
    if ports:
        out["ports"] = list(ports)
    return out


def written(name, *subsets):
    return endpoints(name, subsets=list(subsets) or [subset(ports=[{"port": 80}])])


WRITTEN_ENDPOINTS = [
    ("the least", endpoints("least")),
    ("no subsets", endpoints("none", subsets=[])),
    ("ports get a protocol", written("ports", subset(ports=[{"port": 80}]))),
    ("no ports", written("no-ports", subset())),
    ("not ready", written("not-ready", subset((), ["10.1.2.3"]))),
    ("both families", written("both", subset(["10.1.2.3", "2001:db8::1"]))),
    ("an IPv6 address that is not canonical", written("v6", subset(["2001:DB8::0:1"]))),
    ("every field", written("full", subset(
        ["10.1.2.3"], hostname="web-1", nodeName="node-1",
        targetRef={"kind": "Pod", "name": "web-1", "namespace": "default", "uid": "u"},
        ports=[{"name": "a", "port": 80, "appProtocol": "h2c"},
               {"name": "b", "port": 53, "protocol": "UDP"}]))),
    ("the same address and port twice", written("twice", subset(["10.1.2.3", "10.1.2.3"], ports=[
        {"name": "a", "port": 80}, {"name": "a", "port": 80}]))),
    ("a name with dots", written("a.b.c")),
    ("an odd address under a controller's name", endpoints(
        "managed", {"labels": {"endpoints.kubernetes.io/managed-by": "endpoint-controller"}},
        subsets=[subset(["2001:DB8::0:1"])])),
]

REFUSED_ENDPOINTS = [
    ("a subset without addresses", written("x", subset((), ports=[{"port": 80}]))),
    ("an address that is none", written("x", subset(["web"]))),
    ("no address", written("x", {"addresses": [{}]})),
    ("an address with leading zeros", written("x", subset(["010.001.002.003"]))),
    ("an IPv4 address in IPv6", written("x", subset(["::ffff:10.1.2.3"]))),
    ("a loopback address", written("x", subset(["127.0.0.1"]))),
    ("an unspecified address", written("x", subset(["0.0.0.0"]))),
    ("a link-local address that is not ready", written("x", subset((), ["169.254.1.1"]))),
    ("a link-local multicast address", written("x", subset(["224.0.0.1"]))),
    ("a host name with dots", written("x", subset(hostname="a.b"))),
    ("a node name in capitals", written("x", subset(nodeName="Node"))),
    ("an empty node name", written("x", subset(nodeName=""))),
    ("two ports without names", written("x", subset(ports=[{"port": 80}, {"port": 81}]))),
    ("a port's name in capitals", written("x", subset(ports=[{"name": "HTTP", "port": 80}]))),
    ("a port of 0", written("x", subset(ports=[{"port": 0}]))),
    ("a port that is too large", written("x", subset(ports=[{"port": 70000}]))),
    ("an unknown protocol", written("x", subset(ports=[{"port": 80, "protocol": "tcp"}]))),
    ("an application protocol that is no name",
     written("x", subset(ports=[{"port": 80, "appProtocol": "a b"}]))),
    ("a name in capitals", written("X")),
    ("several at once", written("x", subset(["web"], ["127.0.0.1"], [{"port": 0}, {"port": -1}]),
                                subset((), ports=[{"port": 80}]))),
]

CASES = [
    Case("EndpointSlices are completed", *each("endpointslices", ACCEPTED)),
    Case("EndpointSlices that are refused", *each("endpointslices", REFUSED)),
    Case("the generation of a slice follows its content and its labels",
         create("endpointslices", slice_of("web")),
         patch("endpointslices/web", {"metadata": {"annotations": {"a": "b"}}},
               says="an annotation leaves it"),
         patch("endpointslices/web", {"metadata": {"labels": {"a": "b"}}},
               says="a label raises it"),
         patch("endpointslices/web", {"endpoints": [{"addresses": ["10.1.2.4"]}]},
               says="an endpoint raises it"),
         put("endpointslices/web", slice_of("web", ["10.1.2.4"], {"labels": {"a": "b"}}),
             says="the same again leaves it")),
    Case("the address type of a slice stays",
         create("endpointslices", slice_of("web")),
         put("endpointslices/web", slice_of("web", ["2001:db8::1"], address_type="IPv6"))),
    Case("a strategic patch replaces the lists of a slice",
         create("endpointslices", slice_of("web", ports=[{"name": "a", "port": 80}])),
         patch("endpointslices/web", {"endpoints": [{"addresses": ["10.9.9.9"]}],
                                      "ports": [{"name": "b", "port": 81}]}, STRATEGIC)),
    Case("Endpoints that are not there",
         get("endpoints"), get("endpoints/web"),
         get("endpoints", query={"labelSelector": "a=b"})),
    Case("Endpoints can be written",
         create("endpoints", endpoints("web", subsets=[
             {"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}])),
         get("endpoints/web")),
    Case("Endpoints are completed", *each("endpoints", WRITTEN_ENDPOINTS)),
    Case("Endpoints that are refused", *each("endpoints", REFUSED_ENDPOINTS)),
    Case("Endpoints change",
         create("endpoints", written("web")),
         put("endpoints/web", written("web", subset(["10.1.2.4"], ports=[{"port": 81}]))),
         patch("endpoints/web", {"subsets": [{"addresses": [{"ip": "10.9.9.9"}]}]}, STRATEGIC),
         put("endpoints/web", written("web", subset(["x"])), says="what is wrong is refused"),
         put("endpoints/web", written("web"), says="the same again"),
         put("endpoints/web", written("web"), says="and again"),
         delete("endpoints/web"), get("endpoints/web")),
    Case("a PUT creates Endpoints",
         put("endpoints/web", written("web")), get("endpoints/web")),
    Case("a Service takes its Endpoints with it",
         create("services", service("web")),
         create("endpoints", written("web")),
         create("endpoints", written("other")),
         delete("services/web"), get("endpoints/web"), get("endpoints/other")),
]
