# SPDX-License-Identifier: Apache-2.0
"""What the documents say about packets, as rows: a Service, its Pods, and who answers where.

Nodes of the cluster, by number (CORES has their CPU: each zone has 4 cores):

  1  zone a, region r1, rack 7        3  zone b, region r1, rack 7
  2  zone a, region r1, rack 8        4  zone c, region r2, rack 9

Pods: "1a" is the first endpoint on node 1; "1a!" is not ready, "1a~" shuts down, "1a*8" has the weight
8. In slices that a row writes by hand: "1a+b" has a hint for zone b.

Who is asked: 1 is a Pod on node 1 that uses the cluster address, "n1" a host outside that uses the
node port of node 1, ZONES are Pods of all three zones together. Answers: "1a 3a" are these and nobody
else; "1a=2 3a=1" in that proportion, by chi-square; REJECT and DROP.
"""
import dataclasses

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
RACK = "example.com/rack"
PLACES = {"node-1": {REGION: "r1", RACK: "7"}, "node-2": {REGION: "r1", RACK: "8"},
          "node-3": {REGION: "r1", RACK: "7"}, "node-4": {REGION: "r2", RACK: "9"}}
CORES = {"node-1": "2", "node-2": "2", "node-3": "4", "node-4": "4"}
REJECT, DROP, ZONES = "reject", "drop", "zones"

HINTS = "service.kubernetes.io/topology-aware-hints"
MODE = "service.kubernetes.io/topology-mode"
POLICY = "proxima.io/policy"


@dataclasses.dataclass(frozen=True)
class Row:
    sentence: str
    asked: dict  # who asks → who answers
    pods: str = ""  # of a Service with a selector; the controller makes its slices
    slices: tuple = ()  # written by hand, of a Service without one
    annotations: dict = dataclasses.field(default_factory=dict)
    spec: dict = dataclasses.field(default_factory=dict)
    clients: str = ""  # "NAME: 1 3!": a workload that demand is counted from, and the nodes of its Pods
    hinted: bool = False  # every endpoint must have a zone hint


def keys(*names):
    return {"topologyKeys": list(names)}


def distribution(value, **more):
    return {"trafficDistribution": value, **more}


def zone_aware(**more):
    return {POLICY: "zone-aware", **more}


NODE_PORT = {"type": "NodePort"}
LOCAL_OUTSIDE = {**NODE_PORT, "externalTrafficPolicy": "Local"}
LOCAL_INSIDE = {"internalTrafficPolicy": "Local"}
# The port of the four examples of the Service Topology document.
MY_SERVICE = {"ports": [{"protocol": "TCP", "port": 80, "targetPort": 9376}]}
ONE_EACH = "1a 3a 4a"
TWO_EACH = "1a 2a 3a 3b 4a 4b"
OWN_ZONE = {1: "1a", 2: "1a", 3: "3a", 4: "4a"}

TOPOLOGY_KEYS = (
    Row("without topology keys any backend answers, at the cluster address and at a node port",
        {1: ONE_EACH, 4: ONE_EACH, "n1": ONE_EACH}, ONE_EACH, spec=NODE_PORT),
    Row("the first key that matches takes all the traffic",
        {1: "2a", 3: "3a"}, "2a 3a", spec=keys(ZONE, REGION)),
    Row("the key of the zone: endpoints of the node's zone",
        {1: "1a 2a", 2: "1a 2a", 3: "3a"}, "1a 2a 3a", spec=keys(ZONE)),
    Row("the key of the region: endpoints of the node's region, in any zone",
        {1: "2a 3a", 3: "2a 3a", 4: "4a"}, "2a 3a 4a", spec=keys(REGION)),
    Row("no key matches: traffic is rejected",
        {1: "1a", 3: REJECT, 4: REJECT}, "1a", spec=keys(HOSTNAME, ZONE)),
    Row("the key * matches any node",
        {1: ONE_EACH, 2: ONE_EACH}, ONE_EACH, spec=keys("*")),
    Row("an empty list of keys constrains nothing",
        {1: ONE_EACH, 4: ONE_EACH}, ONE_EACH, spec=keys()),
    Row("a label of the operator's own: endpoints behind the same switch first",
        {1: "1a 3a", 2: ONE_EACH, 3: "1a 3a", 4: "4a"}, ONE_EACH, spec=keys(RACK, "*")),
    Row("example 1: only endpoints on the node, otherwise dropped",
        {1: "1a", 2: REJECT, 3: "3a"}, "1a 3a", spec={**MY_SERVICE, **keys(HOSTNAME)}),
    Row("example 2: endpoints on the node, otherwise those of the whole cluster",
        {1: "1a", 2: "1a 3a", 4: "1a 3a"}, "1a 3a", spec={**MY_SERVICE, **keys(HOSTNAME, "*")}),
    Row("example 3: the zone, then the region, otherwise dropped",
        {1: "3a", 2: "3a", 3: "3a", 4: REJECT}, "3a", spec={**MY_SERVICE, **keys(ZONE, REGION)}),
    Row("example 4: the node, the zone, the region, then the whole cluster",
        {1: "1a", 2: "1a", 3: "1a", 4: "1a"}, "1a",
        spec={**MY_SERVICE, **keys(HOSTNAME, ZONE, REGION, "*")}),
    Row("example 4: traffic stays in the region while it has an endpoint",
        {1: "3a", 2: "3a", 3: "3a", 4: "4a 4b"}, "3a 4a 4b",
        spec={**MY_SERVICE, **keys(HOSTNAME, ZONE, REGION, "*")}),
    Row("the node, the zone, the region, and nothing else",
        {1: "1a", 2: "1a", 3: "3a", 4: REJECT}, "1a 3a", spec=keys(HOSTNAME, ZONE, REGION)),
    Row("the zone, otherwise any endpoint",
        {1: "1a", 3: "3a", 4: "1a 3a"}, "1a 3a", spec=keys(ZONE, "*")),
    Row("traffic to a node port follows the keys of the node that it comes to",
        {"n1": "1a", "n3": "3a", "n4": REJECT}, "1a 3a", spec={**NODE_PORT, **keys(ZONE)}),
)

HINTS_ROWS = (
    Row("topology-aware-hints: auto keeps requests in their zone",
        OWN_ZONE, ONE_EACH, annotations={HINTS: "auto"}, hinted=True),
    Row("trafficPolicy: PreferZone filters endpoints by their hints",
        OWN_ZONE, ONE_EACH, spec={"trafficPolicy": "PreferZone"}, hinted=True),
    Row("an endpoint without a hint in another slice: all are used",
        {1: "1a 3a", 3: "1a 3a"}, slices=("1a+a", "3a")),
    Row("a zone in no hint uses all endpoints",
        {1: "1a", 3: "3a", 4: "1a 3a"}, slices=("1a+a 3a+b",)),
    Row("internalTrafficPolicy Local: hints are not used, also beside a Service that uses them",
        {1: "1a", 2: DROP, 3: "3a"}, ONE_EACH, annotations={HINTS: "auto"}, spec=LOCAL_INSIDE),
    Row("hints are followed whatever annotation and field say",
        {1: "3a", 3: "1a"}, slices=("1a+b 3a+a",), annotations={MODE: "Disabled"}),
    Row("hints that nobody asked for are followed, and explained",
        {1: "3a", 3: "1a"}, slices=("1a+b 3a+a",)),
)

DISTRIBUTION = (
    Row("no trafficDistribution: every endpoint gets the same share",
        {1: "1a=1 3a=1 4a=1 4b=1"}, "1a 3a 4a 4b"),
    Row("PreferClose: requests stay in a zone that has endpoints",
        {1: "1a 2a", 2: "1a 2a", 3: "3a"}, "1a 2a 3a", spec=distribution("PreferClose"),
        hinted=True),
    Row("PreferClose: a zone without endpoints is served by the others",
        {4: "1a 2a 3a"}, "1a 2a 3a", spec=distribution("PreferClose"), hinted=True),
    Row("PreferSameNode: the node, then the zone, then anywhere",
        {1: "1a", 2: "1a", 3: "3a 3b", 4: "1a 3a 3b"}, "1a 3a 3b",
        spec=distribution("PreferSameNode"), hinted=True),
    Row("no traffic policy: internal and external traffic follow the distribution",
        {1: "1a", 3: "3a", "n1": "1a", "n3": "3a"}, ONE_EACH,
        spec=distribution("PreferClose", **NODE_PORT), hinted=True),
    Row("external Local: external traffic stays on its node, internal traffic follows the distribution",
        {1: "1a", 2: "1a", 3: "3a", "n1": "1a", "n2": DROP}, ONE_EACH,
        spec=distribution("PreferClose", **LOCAL_OUTSIDE), hinted=True),
    Row("external Local with the annotation: internal traffic follows the hints",
        {1: "1a", 2: "1a", 3: "3a", "n1": "1a", "n2": DROP}, ONE_EACH,
        annotations={HINTS: "auto"}, spec=LOCAL_OUTSIDE, hinted=True),
    Row("both Local: internal and external traffic stay on their node",
        {1: "1a", 2: DROP, "n1": "1a", "n2": DROP}, ONE_EACH,
        spec=distribution("PreferClose", **LOCAL_OUTSIDE, **LOCAL_INSIDE)),
    Row("a distribution without hints: routes are those without a distribution",
        {1: "1a 3a", 3: "1a 3a"}, slices=("1a 3a",), spec=distribution("PreferClose")),
    Row("proxima.io/balanced as a distribution: what a zone cannot carry leaves it",
        {1: "1a 1b", 3: "3a=6 1a=1 1b=1"}, "1a 1b 3a 4a", annotations={"proxima.io/overload": "0"},
        spec=distribution("proxima.io/balanced")),
    Row("Pods of different capacity: each gets traffic by its weight",
        {1: "1a=8 1b=1 2a=1", 3: "1a=8 1b=1 2a=1"}, "1a*8 1b 2a",
        annotations={POLICY: "balanced", "proxima.io/overload": "inf"}),
)

# What the documents left to others, as our own heuristics.
FALLBACK, FAILOVER = "proxima.io/fallback", "proxima.io/failover"
OWN_HEURISTICS = (
    Row("weights beside hints: endpoints of the zone get traffic by their weight",
        {1: "1a=8 1b=1 2a=1", 3: "3a"}, "1a*8 1b 2a 3a 4a", spec=distribution("PreferClose"),
        hinted=True),
    Row("fallback to the region: a zone without endpoints uses its region before all others",
        {1: "3a", 3: "3a", 4: "4a"}, "3a 4a", annotations={FALLBACK: "region"},
        spec=distribution("PreferClose"), hinted=True),
    Row("a required zone: traffic stays, and is rejected where the zone has no endpoint",
        {1: "1a", 2: "1a", 3: "3a", 4: REJECT}, "1a 3a", annotations={POLICY: "require-zone"}),
    Row("a required zone with a failover budget: a zone without endpoints uses its region",
        {1: "3a", 3: "3a", 4: "4a"}, "3a 4a",
        annotations={POLICY: "require-zone", FAILOVER: "min-endpoints=1,for=10m"}),
)

ALONE = "1a 3a 3b 3c 4a 4b 4c"  # one of seven endpoints in zone a, which starts a third of the traffic
ZONE_AWARE = (
    Row("zone aware: traffic stays in its zone where endpoints suffice",
        {1: "1a 2a", 3: "3a 3b", 4: "4a 4b"}, TWO_EACH, annotations=zone_aware()),
    Row("zone aware: 42.8 % stays, the rest goes where capacity is left",
        {1: "1a=9 3a=2 3b=2 3c=2 4a=2 4b=2 4c=2"}, ALONE, annotations=zone_aware()),
    Row("zone aware: a zone that starts less than its share keeps everything",
        {3: "3a 3b 3c", 4: "4a 4b 4c"}, ALONE, annotations=zone_aware()),
    Row("zone aware: every endpoint gets the same load from all zones together",
        {ZONES: "1a=1 3a=1 3b=1 3c=1 4a=1 4b=1 4c=1"}, ALONE, annotations=zone_aware()),
    Row("zone aware: the rest goes to the zone with spare capacity alone",
        {1: "1a=9 3a=3 3b=3 3c=3", 4: "4a 4b"}, "1a 3a 3b 3c 4a 4b", annotations=zone_aware()),
    Row("zone aware: only healthy endpoints count and are used",
        {1: "1a 2a", 3: "3a 3b"}, "1a 1b! 2a 3a 3b 4a 4b", annotations=zone_aware()),
    Row("zone aware: in a panic zones are ignored and ready endpoints used alike",
        {1: "1a=1 4a=1 4b=1", 3: "1a=1 4a=1 4b=1"}, "1a 1b! 1c! 3a! 3b! 3c! 4a 4b 4c!",
        annotations=zone_aware()),
    Row("zone aware: in a panic all endpoints are used, ready or not, where the Service says so",
        {1: "1a 1b 1c 3a 3b 3c 4a 4b 4c"}, "1a 1b! 1c! 3a! 3b! 3c! 4a 4b 4c!",
        annotations=zone_aware(**{"proxima.io/panic": "all"})),
    Row("zone aware: while too few clients are healthy zones are ignored",
        {1: TWO_EACH, 3: TWO_EACH}, TWO_EACH, clients="few: 1 1! 1! 3 3! 3! 3! 4! 4! 4!",
        annotations=zone_aware(**{"proxima.io/demand": "clients=StatefulSet/few"})),
    Row("zone aware: with enough healthy clients zones count again",
        {1: "1a=5 2a=5 4a=1 4b=1", 4: "4a 4b"}, TWO_EACH, clients="most: 1 1 3 3 4 4!",
        annotations=zone_aware(**{"proxima.io/demand": "clients=StatefulSet/most"})),
    Row("zone aware: the number of zones of clients and endpoints may differ",
        {1: "1a 1b 1c", 3: "3a 3b 3c"}, "1a 1b 1c 3a 3b 3c", annotations=zone_aware()),
    Row("zone aware: too few endpoints, zones are ignored",
        {1: "1a 2a 3a 3b 4a"}, "1a 2a 3a 3b 4a", annotations=zone_aware()),
    Row("zone aware: endpoints of the next rank, those that shut down, are used without zones",
        {1: TWO_EACH, 3: TWO_EACH}, "1a~ 2a~ 3a~ 3b~ 4a~ 4b~", annotations=zone_aware()),
)


@dataclasses.dataclass(frozen=True)
class World:
    title: str
    rows: tuple
    policy: tuple = ()  # flags of the controller and of explain
    gates: str = ""  # of the proxies and of explain
    controller_gates: str = ""


WORLDS = (
    World("as usual", TOPOLOGY_KEYS + HINTS_ROWS + DISTRIBUTION + OWN_HEURISTICS + ZONE_AWARE),
    World("zone aware routing off", policy=("--zone-aware-routing-enabled=0",), rows=(
        Row("zone aware routing switched off: zones are ignored", {1: TWO_EACH, 3: TWO_EACH},
            TWO_EACH, annotations=zone_aware()),)),
    World("equal zones required", policy=("--zone-aware-require-equal-zones",), rows=(
        Row("equal numbers of zones required, and not there: zones are ignored",
            {1: "1a 1b 1c 3a 3b 3c"}, "1a 1b 1c 3a 3b 3c", annotations=zone_aware()),
        Row("equal numbers of zones required, and there: traffic stays in its zone",
            {1: "1a 2a", 3: "3a 3b"}, TWO_EACH, annotations=zone_aware()))),
    World("proxies without TopologyAwareHints", gates="TopologyAwareHints=false", rows=(
        Row("a proxy without TopologyAwareHints does not filter by hints",
            {1: ONE_EACH, 3: ONE_EACH}, ONE_EACH, annotations={HINTS: "auto"}, hinted=True),
        Row("a proxy without TopologyAwareHints does not filter for PreferZone",
            {1: ONE_EACH}, ONE_EACH, spec={"trafficPolicy": "PreferZone"}, hinted=True))),
    World("proxies without ServiceTrafficDistribution", gates="ServiceTrafficDistribution=false", rows=(
        Row("a proxy without ServiceTrafficDistribution ignores hints that only the field asks for",
            {1: ONE_EACH, 3: ONE_EACH}, ONE_EACH, spec=distribution("PreferClose"), hinted=True),
        Row("a proxy without ServiceTrafficDistribution follows hints of the annotation",
            OWN_ZONE, ONE_EACH, annotations={MODE: "Auto"}, hinted=True),
        Row("with field and annotation such a proxy follows the hints of the annotation",
            OWN_ZONE, ONE_EACH, annotations={MODE: "Auto"}, spec=distribution("PreferClose"),
            hinted=True))),
    World("no ServiceTopology", gates="ServiceTopology=false", controller_gates="ServiceTopology=false",
          rows=(Row("without ServiceTopology topology keys count for nothing",
                    {1: "1a 3a", 3: "1a 3a", 4: "1a 3a"}, "1a 3a", spec=keys(ZONE)),)),
)
