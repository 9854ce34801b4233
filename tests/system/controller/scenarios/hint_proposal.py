# SPDX-License-Identifier: Apache-2.0
"""What KEP-2433 and the page about Topology Aware Hints say about the controller. Rows of the test plan
are called as the document calls them."""
from testbed.api import Refused, SliceWatch
from testbed.objects import CONTROL_PLANE, TOPOLOGY_HINTS, TOPOLOGY_MODE, node
from testbed.waiting import always, eventually

from . import scenario
from .hints import AUTO, THREE_NODES, own_zone

REGION = "topology.kubernetes.io/region"
TWO_NODES = ("n1 zone-a", "n2 zone-b")
TOO_HIGH = ("Unable to allocate minimum required endpoints to each zone without exceeding overload "
            "threshold ({} endpoints, {} zones), addressType: IPv4")


def pods_on(world, **counts):
    """n1=4: Pods on the node, named after it."""
    for place, count in counts.items():
        world.pods(*(f"{place}-{number} {place}" for number in range(count)))


def unhinted(world, count, name="web"):
    """All endpoints are published, and none has a hint."""
    eventually(lambda: len(world.lines(name)) == count and not world.hint_counts(name),
               f"{count} endpoints without hints", seen=lambda: world.lines(name))


@scenario("the annotation topology-aware-hints: auto gives hints")
def older_annotation(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service(annotations={TOPOLOGY_HINTS: "auto"})
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b", "p3 zone-c"))


@scenario("a zone with twice the cores gets twice the endpoints")
def twice_the_cores(world):
    world.nodes("n1 zone-a 2", "n2 zone-b 1")
    pods_on(world, n1=6)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=4, zone_b=2)


@scenario("endpoints are lent within a region before they are lent to another", ours_alone=True)
def within_a_region(world):
    for number, region in enumerate(("r1", "r1", "r2", "r2"), 1):
        world.nodes(f"n{number} zone-{number}")
        world.node_label(f"n{number}", REGION, region)
    pods_on(world, n1=4, n4=4)
    world.service(annotations=AUTO)
    world.expect_counts(zone_1=2, zone_2=2, zone_3=2, zone_4=2)
    crossing = [line for line in world.lines()
                if (line.split()[1] in ("zone-1", "zone-2")) != (line.split()[-1] in ("zone-1", "zone-2"))]
    assert not crossing, f"lent to another region: {crossing}"


@scenario("a slice with hints is stored as the document shows it, and written so")
def form_of_hints(world):
    path = f"/apis/discovery.k8s.io/v1/namespaces/{world.namespace}/endpointslices"
    shown = {"metadata": {"name": "example-hints",
                          "labels": {"kubernetes.io/service-name": "example-svc"}},
             "addressType": "IPv4", "ports": [{"name": "http", "protocol": "TCP", "port": 80}],
             "endpoints": [{"addresses": ["10.1.2.3"], "conditions": {"ready": True},
                            "hostname": "pod-1", "zone": "zone-a",
                            "hints": {"forZones": [{"name": "zone-a"}]}}]}
    stored = world.api.create(path, shown)
    for field in ("addressType", "ports", "endpoints"):
        assert stored[field] == shown[field], stored[field]
    world.nodes(*TWO_NODES)
    world.pods("p1 n1", "p2 n2")
    world.service(annotations=AUTO)
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))
    written = world.slices()[0]
    assert set(written["ports"][0]) == {"name", "protocol", "port"}, written["ports"]
    hints = [one["hints"] for one in written["endpoints"]]
    assert hints == [{"forZones": [{"name": one["zone"]}]} for one in written["endpoints"]], hints


@scenario("the form of hints in the first draft, hints: {zone}, is an unknown field")
def form_of_the_draft(world):
    path = f"/apis/discovery.k8s.io/v1/namespaces/{world.namespace}/endpointslices"
    try:
        world.api.create(path + "?fieldValidation=Strict", {
            "metadata": {"name": "draft"}, "addressType": "IPv4", "ports": [],
            "endpoints": [{"addresses": ["10.1.2.3"], "hints": {"zone": "zone-a"}}]})
    except Refused as refusal:
        assert refusal.status == 400 and "endpoints[0].hints.zone" in str(refusal), refusal
        return
    raise AssertionError("the field of the draft is known")


@scenario("a zone twice as large as the other and two endpoints: no hints, and an Event says why")
def too_uneven(world):
    world.nodes("n1 zone-a 8", "n2 zone-b 4")
    world.pods("p1 n1", "p2 n2")
    world.service(annotations=AUTO)
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled", TOO_HIGH.format(2, 2))
    unhinted(world, 2)


@scenario("no zone is loaded beyond the threshold because endpoints stay where no traffic starts",
          ours_alone=True)
def every_zone_bounded(world):
    world.nodes(*THREE_NODES)
    world.node_label("n3", CONTROL_PLANE, "")
    pods_on(world, n1=2, n2=2, n3=2)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=3, zone_b=3)


@scenario("a Node without allocatable CPU: no hints, and an Event says why")
def no_cpu(world):
    world.nodes(*TWO_NODES)
    world.api.create("/api/v1/nodes", {"metadata": {"name": "n3", "labels": {
        "topology.kubernetes.io/zone": "zone-b"}}})
    world.api.patch("/api/v1/nodes/n3/status", {"status": {"conditions": [
        {"type": "Ready", "status": "True"}]}})
    world.pods("p1 n1", "p2 n2")
    world.service(annotations=AUTO)
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled",
                       "Insufficient Node information: allocatable CPU or zone not specified on one "
                       "or more nodes, addressType: IPv4")
    unhinted(world, 2)


@scenario("a Node without allocatable CPU, and one core for each Node: hints by the number of Nodes",
          flags=["--missing-node-data=one-core"], ours_alone=True)
def one_core_each(world):
    world.nodes("n1 zone-a 64")
    world.api.create("/api/v1/nodes", {"metadata": {"name": "n2", "labels": {
        "topology.kubernetes.io/zone": "zone-b"}}})
    world.api.patch("/api/v1/nodes/n2/status", {"status": {"conditions": [
        {"type": "Ready", "status": "True"}]}})
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)


@scenario("a new zone gets its endpoints", ours_alone=True)
def new_zone(world):
    world.nodes(*TWO_NODES)
    pods_on(world, n1=3, n2=3)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=3, zone_b=3)
    world.nodes("n3 zone-c")
    world.expect_counts(zone_a=2, zone_b=2, zone_c=2)


@scenario("Nodes that are not ready and control-plane Nodes do not count")
def other_nodes(world):
    world.nodes(*TWO_NODES, "n3 zone-b 400 !")
    world.api.create("/api/v1/nodes", node("n4", "zone-b", **{CONTROL_PLANE: ""}))
    world.node_state("n4", cpu="400")
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)


@scenario("a Node counts although its taint keeps the Pods of the Service away")
def tainted(world):
    world.nodes(*TWO_NODES, "n3 zone-b")
    world.api.patch("/api/v1/nodes/n3", {"spec": {"taints": [
        {"key": "example.com/batch", "value": "only", "effect": "NoSchedule"}]}})
    pods_on(world, n1=3, n2=3)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=4)


@scenario("trafficPolicy: PreferZone is all that a Service needs", embedded_alone=True)
def one_field(world):
    world.nodes(*TWO_NODES)
    world.pods("p1 n1", "p2 n2")
    world.service(trafficPolicy="PreferZone")
    world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))


@scenario("a new Pod costs one write for each Service that it belongs to", ours_alone=True)
def one_write(world):
    world.nodes(*TWO_NODES)
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n2")
    for name in ("web", "also"):
        world.service(name, annotations=AUTO)
        world.expect_counts(name, zone_a=2, zone_b=2)
    world.rest()
    watch = SliceWatch(world.endpoint)
    try:
        world.pods("p5 n1")
        for name in ("web", "also"):
            eventually(lambda: len(world.lines(name)) == 5, "five endpoints")
        world.rest()
        written = [kind for _, kind, item in watch.since(0)
                   if item["metadata"]["namespace"] == world.namespace]
    finally:
        watch.close()
    assert written == ["MODIFIED", "MODIFIED"], written


@scenario("the controller's test plan: 400 endpoints, 4 zones with slightly different cores")
def four_hundred(world):
    world.nodes("n1 zone-a 4100m", "n2 zone-b 4", "n3 zone-c 3900m", "n4 zone-d 4050m")
    pods_on(world, n1=130, n2=90, n3=80, n4=100)
    world.service()
    unhinted(world, 400)
    world.expect_slices("web", 4)
    world.change(annotations=AUTO)
    eventually(lambda: sum(world.hint_counts().values()) == 400 and len(world.hint_counts()) == 4,
               "400 hints for 4 zones", seen=world.hint_counts)
    world.expect_slices("web", 4)


@scenario("the example of the proposal: two Pods in zone-a and one in zone-b serve a zone each")
def example(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n1", "p3 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)
    assert "p3 zone-b ready for zone-b" in world.lines(), world.lines()


@scenario("20, 16 and 14 cores get 40, 32 and 28 % of the endpoints, those of their own zone first")
def proportions(world):
    world.nodes("n1 zone-a 20", "n2 zone-b 16", "n3 zone-c 14")
    pods_on(world, n1=12, n2=8, n3=5)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=10, zone_b=8, zone_c=7)
    moved = [line.split()[1::3] for line in world.lines() if line.split()[1] != line.split()[-1]]
    assert moved == [["zone-a", "zone-c"]] * 2, moved


@scenario("hints do not begin with an expected overload of 25 %", ours_alone=True)
def not_started(world):
    world.nodes("n1 zone-a 10", "n2 zone-b 6")
    pods_on(world, n1=2, n2=2)
    world.service(annotations=AUTO)
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled", TOO_HIGH.format(4, 2))
    unhinted(world, 4)


@scenario("hints that are there stay with an expected overload of 25 %", ours_alone=True)
def held(world):
    world.nodes("n1 zone-a 8", "n2 zone-b 8")
    pods_on(world, n1=2, n2=2)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)
    world.rest()
    before = world.versions()
    world.node_state("n1", cpu="10")
    world.node_state("n2", cpu="6")
    always(lambda: world.versions() == before, "no slice is written", 1.5, seen=world.lines)


@scenario("an expected overload above 30 % redistributes endpoints", ours_alone=True)
def redistributed(world):
    world.nodes("n1 zone-a 8", "n2 zone-b 8")
    pods_on(world, n1=2, n2=2)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2)
    world.node_state("n1", cpu="24")
    world.expect_counts(zone_a=3, zone_b=1)


@scenario("an expected overload above 30 % that nothing reduces ends the hints", ours_alone=True)
def removed(world):
    world.nodes("n1 zone-a 8", "n2 zone-b 8")
    world.pods("p1 n1", "p2 n2")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1)
    world.node_state("n1", cpu="24")
    unhinted(world, 2)
    world.expect_event("web", "Warning", "TopologyAwareHintsDisabled", TOO_HIGH.format(2, 2))


@scenario("a deleted Node that takes a Service over the threshold has its slices written",
          ours_alone=True)
def deleted_node(world):
    world.nodes(*TWO_NODES, "n3 zone-a", "n4 zone-b")
    pods_on(world, n1=3, n2=3)
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=3, zone_b=3)
    world.drop_node("n4")
    world.expect_counts(zone_a=4, zone_b=2)


@scenario("a Service may have thresholds of its own", ours_alone=True)
def own_thresholds(world):
    world.nodes("n1 zone-a 10", "n2 zone-b 6")
    pods_on(world, n1=2, n2=2)
    world.service(annotations={**AUTO, "proxima.io/auto-start": "26%"})
    world.expect_counts(zone_a=2, zone_b=2)
    world.service("strict", annotations={**AUTO, "proxima.io/auto-start": "24%"})
    unhinted(world, 4, "strict")


@scenario("a Service that asks for nothing gets no hints, annotations, conditions or Events")
def default(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service()
    unhinted(world, 3)
    world.rest()
    found = [*world.events(), *(world.find_service().get("status", {}).get("conditions") or []),
             *(key for item in world.slices() for key in item["metadata"].get("annotations", {})
               if key.startswith("proxima.io/"))]
    assert not found, found


PREFER_ZONE = {"trafficPolicy": "PreferZone"}
OFF = ("--feature-gates=TopologyAwareHints=false",)
# What the test plan of the controller says, in its words: nodes, Pods by node, fields, flags, hints.
# Fields that only the embedded server has are left to it.
TEST_PLAN = (
    ("the controller's test plan: gate on, PreferZone, 2+ zones",
     TWO_NODES, {"n1": 2, "n2": 2}, PREFER_ZONE, (), True),
    ("the controller's test plan: gate on, PreferZone, 1 zone",
     ("n1 zone-a", "n2 zone-a"), {"n1": 2, "n2": 2}, PREFER_ZONE, (), False),
    ("the controller's test plan: gate on, Local, 2+ zones",
     TWO_NODES, {"n1": 2, "n2": 2}, {"trafficPolicy": "Local"}, (), False),
    ("the controller's test plan: gate on, unset, 2+ zones",
     TWO_NODES, {"n1": 2, "n2": 2}, {}, (), False),
    ("the controller's test plan: gate off, PreferZone, 2+ zones",
     TWO_NODES, {"n1": 2, "n2": 2}, PREFER_ZONE, OFF, False),
    ("the controller's test plan: gate off, unset, 2+ zones",
     TWO_NODES, {"n1": 2, "n2": 2}, {}, OFF, False),
    ("the controller's test plan: 2 endpoints, 3 zones", THREE_NODES, {"n1": 1, "n2": 1}, AUTO, (), False),
    ("the controller's test plan: 3 endpoints, 3 zones", THREE_NODES, {"n1": 3}, AUTO, (), True),
    ("the controller's test plan: 4 endpoints, 3 zones", THREE_NODES, {"n1": 2, "n2": 2}, AUTO, (), False),
    ("the controller's test plan: 4 endpoints, 2 zones", TWO_NODES, {"n1": 2, "n2": 2}, AUTO, (), True),
    ("the controller's test plan: 4 endpoints all from 1 zone, 2 zones", TWO_NODES, {"n1": 4}, AUTO, (), True),
    ("the controller's test plan: 4 endpoints, 3 zones, 1 zone with 2x cores",
     ("n1 zone-a 8", "n2 zone-b 4", "n3 zone-c 4"), {"n1": 2, "n2": 1, "n3": 1}, AUTO, (), True),
)


def planned(nodes, pods, fields, hinted):
    def run(world):
        world.nodes(*nodes)
        pods_on(world, **pods)
        is_annotation = TOPOLOGY_MODE in fields
        world.service(annotations=fields if is_annotation else {}, **({} if is_annotation else fields))
        count = sum(pods.values())
        if hinted:
            eventually(lambda: sum(world.hint_counts().values()) == count, f"{count} hints",
                       seen=world.lines)
            return
        unhinted(world, count)
        world.expect_still()
        unhinted(world, count)
    return run


for sentence, nodes, pods, fields, flags, hinted in TEST_PLAN:
    scenario(sentence, flags, ours_alone=bool(flags), embedded_alone="trafficPolicy" in fields)(
        planned(nodes, pods, fields, hinted))


@scenario("the controller's test plan: endpoint additions that require redistribution")
def additions(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n2", "p3 n3")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)
    world.pods("p4 n1", "p5 n1", "p6 n1")
    world.expect_counts(zone_a=2, zone_b=2, zone_c=2)


@scenario("the controller's test plan: endpoint removals that require redistribution")
def removals(world):
    world.nodes(*THREE_NODES)
    world.pods("p1 n1", "p2 n1", "p3 n2", "p4 n3", "p5 n3", "p6 n3")
    world.service(annotations=AUTO)
    world.expect_counts(zone_a=2, zone_b=2, zone_c=2)
    for name in ("p4", "p5", "p6"):
        world.drop_pod(name)
    world.expect_counts(zone_a=1, zone_b=1, zone_c=1)
