# SPDX-License-Identifier: Apache-2.0
"""Metrics that the proposals ask for, of a controller at work."""
from testbed.waiting import eventually

from . import scenario
from .hints import AUTO, own_zone

CHANGED = "endpoint_slice_controller_endpointslices_changed_per_sync_count"
SYNCS = "endpoint_slice_controller_syncs"
BY_DISTRIBUTION = "endpoint_slice_controller_services_count_by_traffic_distribution"


@scenario("changes of slices are counted by approach, so that its use can be seen", flags=None)
def by_approach(world):
    world.nodes("n1 zone-a", "n2 zone-b")
    world.pods("p1 n1", "p2 n2")
    with world.controller() as status:
        world.service("plain")
        world.expect("plain", "p1 zone-a ready", "p2 zone-b ready")
        eventually(lambda: status.metric(CHANGED, approach="random"), "random is counted")
        assert not status.metric(CHANGED, approach="auto"), "auto is not in use"
        world.service(annotations=AUTO)
        world.expect("web", *own_zone("p1 zone-a", "p2 zone-b"))
        eventually(lambda: status.metric(CHANGED, approach="auto"), "auto is counted")


@scenario("syncs are counted by result", flags=None)
def syncs(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    world.service()
    with world.controller() as status:
        world.expect("web", "p1 zone-a ready")
        eventually(lambda: status.metric(SYNCS, result="success"), "a success")
        assert not status.metric(SYNCS, result="error"), "and no error"


@scenario("syncs that fail are counted", flags=None, embedded_alone=True)
def failures(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    world.service()
    readonly = world.endpoint.kubeconfig.with_name(world.endpoint.kubeconfig.name + "-readonly")
    with world.controller(kubeconfig=readonly) as status:
        eventually(lambda: status.metric(SYNCS, result="error"), "an error is counted")
    assert not world.slices(), "whoever may only read writes nothing"


@scenario("Services are counted by their trafficDistribution", flags=None)
def by_distribution(world):
    world.nodes("n1 zone-a")
    world.pods("p1 n1")
    with world.controller() as status:
        for name, value in (("a", "PreferClose"), ("b", "PreferClose"), ("c", "PreferSameNode")):
            world.service(name, trafficDistribution=value)
        eventually(lambda: status.metric(BY_DISTRIBUTION, traffic_distribution="PreferClose") == 2 and
                   status.metric(BY_DISTRIBUTION, traffic_distribution="PreferSameNode") == 1,
                   "two and one")
        world.change("a", trafficDistribution=None)
        eventually(lambda: status.metric(BY_DISTRIBUTION, traffic_distribution="PreferClose") == 1,
                   "one less")
