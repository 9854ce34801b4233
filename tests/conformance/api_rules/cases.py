# SPDX-License-Identifier: Apache-2.0
"""The questions: bodies that are created or updated, good ones and bad ones, every rule once.

A row is a sentence and what is different from the kind's plain object: {"spec.ports[0].port": 0}.
GONE takes a field away. An update's changes apply to the object as the server stored it.
"""

import copy
import json
import re
from dataclasses import dataclass, field
from typing import Any

GONE = object()


@dataclass
class Case:
    name: str
    kind: str
    do: str  # create, update, status
    body: Any  # changes to the plain object, or a text that is sent as it is
    before: dict = field(default_factory=dict)  # changes to the plain object that is stored first
    world: str = "dual"


PATHS = {
    "Namespace": ("/api/v1", "namespaces", False),
    "Node": ("/api/v1", "nodes", False),
    "Pod": ("/api/v1", "pods", True),
    "Service": ("/api/v1", "services", True),
    "ConfigMap": ("/api/v1", "configmaps", True),
    "Event": ("/api/v1", "events", True),
    "EventsV1": ("/apis/events.k8s.io/v1", "events", True),
    "EndpointSlice": ("/apis/discovery.k8s.io/v1", "endpointslices", True),
    "Lease": ("/apis/coordination.k8s.io/v1", "leases", True),
    "ServiceCIDR": ("/apis/networking.k8s.io/v1", "servicecidrs", False),
}

PLAIN = {
    "Namespace": {"metadata": {"name": "plain"}},
    "Node": {"metadata": {"name": "plain"}},
    "Pod": {"metadata": {"name": "plain"},
            "spec": {"containers": [{"name": "main", "image": "registry.test/web:1"}]}},
    "Service": {"metadata": {"name": "plain"},
                "spec": {"ports": [{"port": 80}], "selector": {"app": "web"}}},
    "ConfigMap": {"metadata": {"name": "plain"}, "data": {"key": "value"}},
    "Event": {"metadata": {"name": "plain"},
              "involvedObject": {"kind": "Pod", "name": "web", "namespace": "default"},
              "reason": "Seen", "message": "it was seen", "type": "Normal"},
    "EventsV1": {"metadata": {"name": "plain"}, "eventTime": "2026-01-02T03:04:05.000006Z",
                 "reportingController": "proxima.io/test", "reportingInstance": "test-1",
                 "action": "Look", "reason": "Seen", "type": "Normal", "note": "it was seen",
                 "regarding": {"kind": "Pod", "name": "web", "namespace": "default"}},
    "EndpointSlice": {"metadata": {"name": "plain"}, "addressType": "IPv4",
                      "endpoints": [{"addresses": ["10.1.2.3"]}], "ports": [{"port": 80}]},
    "Lease": {"metadata": {"name": "plain"}, "spec": {"holderIdentity": "me"}},
    "ServiceCIDR": {"metadata": {"name": "plain"}, "spec": {"cidrs": ["10.99.0.0/24"]}},
}


def steps(path: str) -> list:
    out: list = []
    # A step in quotes may have dots in it.
    for word in re.findall(r'"[^"]*"|[^.\[\]]+|\[\d+\]', path):
        if word[0] == "[":
            out.append(int(word[1:-1]))
        else:
            out.append(word.strip('"'))
    return out


def changed(plain: dict, changes: dict) -> dict:
    out = copy.deepcopy(plain)
    for path, value in changes.items():
        *way, last = steps(path)
        at = out
        for here, following in zip(way, [*way, last][1:]):
            if isinstance(at, list):
                while len(at) <= here:
                    at.append({})
            elif here not in at or at[here] is None:
                at[here] = [] if isinstance(following, int) else {}
            at = at[here]
        if value is GONE:
            if isinstance(at, list) or last in at:
                del at[last]
        elif isinstance(at, list) and last >= len(at):
            at.append(copy.deepcopy(value))
        else:
            at[last] = copy.deepcopy(value)
    return out


def creates(kind: str, rows: dict, world: str = "dual") -> list[Case]:
    return [Case(name, kind, "create", body, world=world) for name, body in rows.items()]


def updates(kind: str, before: dict, rows: dict, do: str = "update", world: str = "dual") -> list[Case]:
    return [Case(name, kind, do, body, before, world) for name, body in rows.items()]


LONG = "a" * 64
LABEL63 = "a" * 63
SUB253 = ".".join(["a" * 50] * 5)[:253]


def all_cases() -> list[Case]:
    from bodies import BODIES
    from other_cases import OTHERS
    from pod_cases import PODS
    from service_cases import SERVICES
    from slice_cases import SLICES
    cases = [*BODIES, *SERVICES, *SLICES, *PODS, *OTHERS]
    names = [f"{case.kind} {case.do} {case.world} {case.name}" for case in cases]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, twice
    return cases


def body_of(case: Case, stored: dict | None) -> str:
    if isinstance(case.body, str):
        return case.body
    return json.dumps(changed(stored if stored else PLAIN[case.kind], case.body))
