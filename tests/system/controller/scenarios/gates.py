# SPDX-License-Identifier: Apache-2.0
"""Feature gates that go off and on again, in the controller and in the embedded API server; and an API
server that goes away."""
import contextlib
import json
import tempfile

from peers import servers
from testbed.waiting import eventually

from . import scenario
from .hint_proposal import unhinted
from .hints import AUTO, own_zone
from .told import ACCEPTED, PROGRAMMED, conditions

NO_HINTS = "--feature-gates=TopologyAwareHints=false"
NO_DISTRIBUTION = "--feature-gates=ServiceTrafficDistribution=false"
NO_TRAFFIC_POLICY = "--feature-gates=ServiceTrafficPolicy=false"


def two_zones(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    return own_zone("p1 zone-a", "p2 zone-b")


def on_off_on(world, gate):
    """Hints that are there go with the gate, and come back with it."""
    hints = two_zones(world)
    for flags, lines in (((), hints), ((gate,), None), ((), hints)):
        with world.controller(*flags):
            if lines:
                world.expect("web", *lines)
            else:
                unhinted(world, 2)


@scenario("the gate ServiceTrafficDistribution off takes the hints of the field away, on brings them back",
          flags=None)
def distribution_off(world):
    world.service(trafficDistribution="PreferClose")
    on_off_on(world, NO_DISTRIBUTION)


@scenario("the gate TopologyAwareHints off takes the hints of the annotation away, on brings them back",
          flags=None)
def hints_off(world):
    world.service(annotations=AUTO)
    on_off_on(world, NO_HINTS)


@scenario("a feature that is switched off is seen: conditions, an Event and explain name the gate",
          flags=None)
def seen(world):
    hints = two_zones(world)
    world.service(annotations=AUTO)
    with world.controller():
        world.expect("web", *hints)
        eventually(lambda: conditions(world).get(PROGRAMMED) == "True", "it is programmed")
    with world.controller(NO_HINTS):
        unhinted(world, 2)
        eventually(lambda: conditions(world).get(ACCEPTED) == "False" and
                   conditions(world).get(PROGRAMMED) == "False", "neither accepted nor programmed",
                   seen=lambda: conditions(world))
        eventually(lambda: any(event[:2] == ("Warning", "FeatureGateOff") and
                               "TopologyAwareHints" in event[2] for event in world.events()),
                   "an Event names the gate", seen=world.events)
        service = f"service/{world.namespace}/web"
        told = json.loads(world.proxima("explain", service, "--from-zone", "zone-a", "-o", "json"))
        assert "onNodeNow" in told and {one["shareNow"] for one in told["endpoints"]} == {0.5}, told
        told = json.loads(world.proxima("explain", service, "--from-zone", "zone-a", "-o", "json",
                                        NO_HINTS))
        assert "feature_gate_off" in [note["code"] for note in told["policyChain"]], told


@contextlib.contextmanager
def another_server(world, *flags):
    """A World on a new embedded server with these flags."""
    with servers.embedded_server(world.program, servers.DUAL_STACK, flags=flags) as endpoint:
        yield type(world)(endpoint, world.namespace, world.program)


@scenario("an API server without ServiceTrafficDistribution drops the field from new Services",
          flags=None, embedded_alone=True)
def server_without_distribution(world):
    with another_server(world, NO_DISTRIBUTION) as other:
        made = other.service(trafficDistribution="PreferClose")
        assert "trafficDistribution" not in made["spec"], made
    with another_server(world) as other:
        made = other.service(trafficDistribution="PreferClose")
        assert made["spec"]["trafficDistribution"] == "PreferClose", made


@scenario("an API server without a feature keeps the fields that Services have already",
          flags=None, embedded_alone=True)
def server_keeps_fields(world):
    fields = {"trafficDistribution": "PreferClose", "topologyKeys": ["*"]}
    gates = "--feature-gates=ServiceTrafficDistribution=false,ServiceTopology=false"
    with tempfile.TemporaryDirectory() as folder:
        with servers.embedded_server(world.program, servers.DUAL_STACK, folder) as endpoint:
            type(world)(endpoint, world.namespace).service(**fields)
        with servers.embedded_server(world.program, servers.DUAL_STACK, folder,
                                     flags=(gates,)) as endpoint:
            other = type(world)(endpoint, world.namespace + "-later")
            path = f"/api/v1/namespaces/{world.namespace}/services/web"
            other.api.patch(path, {"metadata": {"labels": {"a": "b"}}})
            kept = other.api.get(path)["spec"]
            assert {key: kept.get(key) for key in fields} == fields, kept
            made = other.service(**fields)["spec"]
            assert not fields.keys() & made.keys(), made


@scenario("an API server without ServiceTrafficPolicy drops the field", flags=None, embedded_alone=True)
def server_without_traffic_policy(world):
    with another_server(world, NO_TRAFFIC_POLICY) as other:
        made = other.service(trafficPolicy="PreferZone")
        assert "trafficPolicy" not in made["spec"], made


@scenario("TopologyAwareHints depends on ServiceTrafficPolicy: without it there are no hints", flags=None,
          embedded_alone=True)
def depends(world):
    two_zones(world)
    world.service(annotations=AUTO)
    world.service("field", trafficPolicy="PreferZone")
    with world.controller(NO_TRAFFIC_POLICY):
        for name in ("web", "field"):
            unhinted(world, 2, name)
        world.expect_still()
        for name in ("web", "field"):
            unhinted(world, 2, name)


@scenario("while the API server is away slices stay, and the controller goes on when it is back",
          flags=None, embedded_alone=True)
def server_away(world):
    port = servers.free_port()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        with servers.embedded_server(world.program, servers.DUAL_STACK, folder, port) as endpoint:
            other = type(world)(endpoint, "shop", world.program)
            other.nodes("n1 zone-a", "n2 zone-b")
            other.pods("p1 n1", "p2 n2")
            other.service(annotations=AUTO)
            stack.enter_context(other.controller())
            other.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))
        with servers.embedded_server(world.program, servers.DUAL_STACK, folder, port):
            other.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))
            other.pods("p3 n1", "p4 n2")
            other.expect_counts(zone_a=2, zone_b=2)
            stack.close()
