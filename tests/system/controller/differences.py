# SPDX-License-Identifier: Apache-2.0
"""Where ours differs from upstream on purpose, for the comparison. docs/differences.md lists the
same names and says why; a test holds the two together.

Each row is a predicate over what it may excuse: a finding, and the Service and Nodes it is about.
"""
import dataclasses
import decimal
import math

from testbed.objects import CONTROL_PLANE, TOPOLOGY_HINTS, TOPOLOGY_MODE, ZONE

START_BELOW, STOP_ABOVE = 0.2, 0.3


def is_auto(service):
    notes = service["metadata"].get("annotations") or {}
    return notes.get(TOPOLOGY_HINTS, notes.get(TOPOLOGY_MODE)) in ("Auto", "auto")


def cpu_of(node):
    text = node.get("status", {}).get("allocatable", {}).get("cpu", "0")
    return decimal.Decimal(text[:-1]) / 1000 if text.endswith("m") else decimal.Decimal(text)


def is_ready(node):
    return any(condition["type"] == "Ready" and condition["status"] == "True"
               for condition in node.get("status", {}).get("conditions", []))


def cpu_shares(nodes):
    """Zone → share of the CPU; none when a worker lacks zone or CPU, or all are in one zone."""
    sums = {}
    for node in nodes:
        labels = node["metadata"].get("labels", {})
        if CONTROL_PLANE in labels or not is_ready(node):
            continue
        zone, cpu = labels.get(ZONE), cpu_of(node)
        if not zone or not cpu:
            return {}
        sums[zone] = sums.get(zone, 0) + cpu
    total = sum(sums.values())
    return {zone: float(cpu / total) for zone, cpu in sums.items()} if len(sums) > 1 else {}


def worst_overload(shares, hints):
    """How much more than its fair share the endpoints of the worst zone get."""
    total = sum(hints.values())
    if not shares or not total:
        return math.inf
    return max(math.inf if not hints.get(zone) else share * total / hints[zone] - 1
               for zone, share in shares.items())


@dataclasses.dataclass
class Difference:
    name: str
    covers: object  # (finding, service, nodes) → bool
    used: int = 0


def hints_stay_longer(finding, service, nodes):
    return (finding.field == "zone hints" and is_auto(service) and not finding.upstream and
            worst_overload(cpu_shares(nodes), finding.ours) <= STOP_ABOVE + 1e-9)


def kept_slices_are_measured(finding, service, nodes):
    """Upstream has left slices alone that leave a zone with far too few endpoints."""
    if finding.field != "zone hints" or not is_auto(service) or not finding.upstream:
        return False
    shares = cpu_shares(nodes)
    return (worst_overload(shares, finding.upstream) > STOP_ABOVE and
            worst_overload(shares, finding.ours) <= STOP_ABOVE + 1e-9)


def every_zone_bounded(finding, service, nodes):
    """Upstream loads a zone beyond the threshold to begin, and ours loads none."""
    if finding.field != "zone hints" or not is_auto(service) or not finding.upstream:
        return False
    shares = cpu_shares(nodes)
    return (worst_overload(shares, finding.upstream) > START_BELOW and
            worst_overload(shares, finding.ours) <= START_BELOW + 1e-9)


def another_allocation(finding, service, nodes):
    """Both are hinted, as many endpoints each, and ours keeps the bound or is no worse."""
    if finding.field != "zone hints" or not is_auto(service) or not finding.upstream:
        return False
    if sum(finding.ours.values()) != sum(finding.upstream.values()):
        return False
    shares = cpu_shares(nodes)
    bound = max(START_BELOW, worst_overload(shares, finding.upstream))
    return worst_overload(shares, finding.ours) <= bound + 1e-9


def stale_node_hints(finding, service, _nodes):
    return finding.field == "node hints" and is_auto(service) and not finding.ours


def differences():
    return [Difference("hints-stay-longer", hints_stay_longer),
            Difference("kept-slices-are-measured", kept_slices_are_measured),
            Difference("every-zone-bounded", every_zone_bounded),
            Difference("another-allocation", another_allocation),
            Difference("no-stale-node-hints", stale_node_hints)]


def unexplained(findings, services, nodes, table):
    """The findings that no row covers; counts the use of the rows."""
    left = []
    for finding in findings:
        service = services.get(finding.service)
        row = next((row for row in table if service and row.covers(finding, service, nodes)), None)
        if row:
            row.used += 1
        else:
            left.append(finding)
    return left
