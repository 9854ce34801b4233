# SPDX-License-Identifier: Apache-2.0
"""Whether the routes of a node are what the published slices say. Pure."""
import collections
import re

from testbed.objects import SERVICE_NAME, ZONE
from world import CLUSTER_WIDE, POLICY, REQUIRE_ZONE

SLOTS, SLOTS_KEPT = ("slots", "sticky-slots"), 4
REMEMBERED = ("sizes", "sticky-sizes", "affinity")
POD_ADDRESS = re.compile(r"\b10\.180\.\d+\.\d+\b(?!/)")


def usable_endpoints(slices):
    """Service → address → zone, of those that may be used: all that are ready, or where none is, those that
    shut down and still serve."""
    ready, serving = collections.defaultdict(dict), collections.defaultdict(dict)
    for item in slices:
        service = item["metadata"]["labels"][SERVICE_NAME]
        for endpoint in item.get("endpoints") or []:
            for kind, found in (("ready", ready), ("serving", serving)):
                if endpoint["conditions"][kind]:
                    found[service][endpoint["addresses"][0]] = endpoint.get("zone")
    return {service: ready[service] or endpoints for service, endpoints in serving.items()}


def routed(document, namespace):
    """Service → addresses that connections from this node go to, of /debug/routes."""
    found = {}
    for family in document["families"]:
        if family["family"] != "IPv4":
            continue
        for port in family["ports"]:
            if port["namespace"] == namespace:
                found[port["service"]] = {one["endpoint"].rpartition(":")[0] for one in port["cluster"]}
    return found


def problem_of(policy, usable, got, zone):
    """What is wrong with the addresses that a node uses; "" when nothing is."""
    at_home = {address for address, where in usable.items() if where == zone}
    if policy == REQUIRE_ZONE and got != at_home:
        return f"uses {sorted(got)}, and its zone has {sorted(at_home)}"
    if policy == REQUIRE_ZONE:
        return ""
    if policy in (CLUSTER_WIDE, None) and got != set(usable):
        return f"uses {sorted(got)} of {sorted(usable)}"
    if not got <= set(usable) or bool(got) != bool(usable):
        return f"uses {sorted(got)}, and {sorted(usable)} can be used"
    return ""


def route_problems(node, services, slices, document, namespace):
    """Sentences. `node`: the Node object."""
    usable, got = usable_endpoints(slices), routed(document, namespace)
    name, zone = node["metadata"]["name"], node["metadata"]["labels"].get(ZONE)
    told = []
    for service in services:
        key = service["metadata"]["name"]
        policy = (service["metadata"].get("annotations") or {}).get(POLICY)
        if key not in got:
            told.append(f"{name}: {key} is not routed")
        elif wrong := problem_of(policy, usable.get(key, {}), got[key], zone):
            told.append(f"{name}: {key} ({policy}) {wrong}")
    there = {service["metadata"]["name"] for service in services}
    return told + [f"{name}: {key} is routed, and there is no such Service" for key in got.keys() - there]


def kernel_problems(name, document, rules, namespace):
    """`rules`: the text of the node's table."""
    want = set().union(*routed(document, namespace).values())
    got = set(POD_ADDRESS.findall(rules))
    return [] if want == got else [f"{name}: the kernel has {sorted(got)}, not {sorted(want)}"]


def element_counts(listing):
    """Set or map → elements in it, of `nft -j list table`."""
    return {one[kind]["name"]: len(one[kind].get("elem", ())) for one in listing["nftables"]
            for kind in ("set", "map") if kind in one}


def count_problems(counts, fresh):
    """What is wrong with element_counts() of a table that has lived, beside one of the same routes that is
    new. A list keeps its size while it has at most four times the slots that it needs, and numbers of
    slots that were once used stay known (src/proxy/slot_assignment.h, nft_renderer.h)."""
    wrong = []
    for name, count in counts.items():
        new = fresh.get(name)
        if name in REMEMBERED:
            continue
        if new is None or not new <= count <= new * (SLOTS_KEPT if name in SLOTS else 1):
            wrong.append(f"{name} has {count} elements, and {new} when it is new")
    return wrong + [f"{name} is missing" for name in fresh.keys() - counts.keys()]
