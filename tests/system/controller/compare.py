# SPDX-License-Identifier: Apache-2.0
"""Compares what upstream and ours have published for the Services of one namespace."""
import dataclasses

from published import Published


@dataclasses.dataclass
class Finding:
    service: str
    field: str  # "endpoints", "groups", "labels", "owners", "zone hints", "node hints"
    family: str
    upstream: object
    ours: object

    def __str__(self):
        return (f"{self.service} {self.family}: {self.field}\n      upstream {self.upstream}\n"
                f"      ours     {self.ours}")


def only(left, right):
    return sorted((left - right).elements()) if hasattr(left, "elements") else sorted(left - right)


def compare(upstream, ours):
    """Findings, for the Services of either side."""
    found = []
    for name in sorted(set(upstream) | set(ours)):
        left, right = upstream.get(name, Published()), ours.get(name, Published())
        found += compare_sets(name, left, right)
        found += compare_hints(name, left, right)
    return found


def compare_sets(name, left, right):
    rows = (("endpoints", left.endpoints, right.endpoints),
            ("groups", set(left.groups), set(right.groups)),
            ("labels", left.labels, right.labels), ("owners", left.owners, right.owners))
    return [Finding(name, field, "", only(a, b), only(b, a)) for field, a, b in rows if a != b]


def compare_hints(name, left, right):
    found = []
    for field, a, b in (("zone hints", left.zones, right.zones),
                        ("node hints", left.nodes, right.nodes)):
        for family in sorted(set(a) | set(b)):
            if a[family] != b[family]:
                found.append(Finding(name, field, family, dict(a[family]), dict(b[family])))
    return found
