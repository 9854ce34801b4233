# SPDX-License-Identifier: Apache-2.0
"""What the slices of a namespace say, without what may differ from server to server: names, uids,
versions, the order of things and which slice an endpoint is in."""
import collections
import json

from testbed.objects import MANAGED_BY, MANAGER, SERVICE_NAME


def sorted_text(value):
    return json.dumps(value, sort_keys=True)


def ports_of(item):
    return tuple(sorted(sorted_text(port) for port in item.get("ports") or []))


def labels_of(item):
    return sorted_text({key: value for key, value in item["metadata"].get("labels", {}).items()})


def zone_hints(endpoint):
    return [hint["name"] for hint in (endpoint.get("hints") or {}).get("forZones") or []]


def node_hints(endpoint):
    return [hint["name"] for hint in (endpoint.get("hints") or {}).get("forNodes") or []]


class Published:
    """One Service."""

    def __init__(self):
        self.endpoints = collections.Counter()  # (family, ports, endpoint without hints) → slices
        self.groups = collections.Counter()  # (family, ports) → slices
        self.labels = set()
        self.owners = set()
        self.zones = collections.defaultdict(collections.Counter)  # family → zone → hints
        self.nodes = collections.defaultdict(collections.Counter)  # family → node → hints
        self.ready = collections.Counter()  # family → ready endpoints
        self.hinted = collections.Counter()  # family → ready endpoints with a hint

    def add(self, item):
        family, group = item["addressType"], ports_of(item)
        self.groups[family, group] += 1
        self.labels.add(labels_of(item))
        for owner in item["metadata"].get("ownerReferences") or []:
            self.owners.add((owner["apiVersion"], owner["kind"], owner["name"],
                             owner.get("controller"), owner.get("blockOwnerDeletion")))
        for endpoint in item.get("endpoints") or []:
            self.add_endpoint(family, group, endpoint)

    def add_endpoint(self, family, group, endpoint):
        bare = {key: value for key, value in endpoint.items() if key not in ("hints", "targetRef")}
        target = endpoint.get("targetRef") or {}
        bare["pod"] = [target.get("kind"), target.get("name")]
        self.endpoints[family, group, sorted_text(bare)] += 1
        if not endpoint["conditions"].get("ready"):
            return  # upstream leaves old hints on those; no proxy looks at them
        self.ready[family] += 1
        self.hinted[family] += 1 if zone_hints(endpoint) or node_hints(endpoint) else 0
        self.zones[family].update(zone_hints(endpoint))
        self.nodes[family].update(node_hints(endpoint))


def published(items):
    """Service name → Published, of the slices that the controller manages."""
    found = collections.defaultdict(Published)
    for item in items:
        labels = item["metadata"].get("labels", {})
        if labels.get(MANAGED_BY) == MANAGER:
            found[labels.get(SERVICE_NAME)].add(item)
    return dict(found)


def versions(items):
    return {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in items}
