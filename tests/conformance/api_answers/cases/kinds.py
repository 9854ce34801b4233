# SPDX-License-Identifier: Apache-2.0
"""Every kind through every verb."""
from objects import (configmap, lease, namespace, new_event, node, old_event, pod, port, service,
                     service_cidr, slice_of)
from steps import JSON_PATCH, MERGE, STRATEGIC, Case, create, delete, get, patch, put

TIMES = {"firstTimestamp": "2001-02-03T04:05:06Z", "lastTimestamp": "2001-02-03T04:05:06Z"}
NEW_EVENT = {"eventTime": "2001-02-03T04:05:06.000007Z", "action": "Binding", "reason": "Bound",
             "reportingController": "example.com/tests", "reportingInstance": "tests-1",
             "type": "Normal", "note": "bound"}
READY = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "is ready",
         "lastTransitionTime": "2001-02-03T04:05:06Z", "lastHeartbeatTime": "2001-02-03T04:05:06Z"}

# plural, how one is made, the status that is then written (None: the kind has no sub-resource)
KINDS = [
    ("nodes", node, {"conditions": [READY], "addresses": [{"type": "InternalIP", "address":
                                                           "10.0.0.1"}]}),
    ("pods", pod, {"phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}]}),
    ("services", lambda name, meta: service(name, [port(80)], meta),
     {"conditions": [{"type": "Fine", "status": "True", "reason": "Tested", "message": "",
                      "lastTransitionTime": "2001-02-03T04:05:06Z"}]}),
    ("configmaps", lambda name, meta: configmap(name, meta, data={"key": "value"}), None),
    ("endpointslices", lambda name, meta: slice_of(name, meta=meta), None),
    ("leases", lambda name, meta: lease(name, meta, holderIdentity="a", leaseDurationSeconds=15),
     None),
    ("events", lambda name, meta: old_event(name, meta, reason="Bound", message="bound", **TIMES),
     None),
    ("events.events.k8s.io", lambda name, meta: new_event(name, meta, **NEW_EVENT), None),
    ("servicecidrs", lambda name, meta: service_cidr(name, ["fd00:200::/112"], meta),
     {"conditions": [{**READY}]}),
    ("namespaces", namespace, {"phase": "Active"}),
]
# A collection of these cannot be deleted at once, or would take other cases' objects with it.
NO_COLLECTION = ("namespaces",)


def life_of(plural, make, status):
    """All verbs on two objects, selected by a label that is this case's own."""
    one, two = "<ns>-one", "<ns>-two"
    mine = {"labels": {"of": "<ns>"}}
    steps = [
        create(plural, make(one, mine)),
        create(plural, make(one, mine), says="create it again"),
        create(plural, make(two, mine)),
        get(f"{plural}/{one}"),
        get(f"{plural}/<ns>-absent", says="get one that is absent"),
        get(plural, query={"labelSelector": "of=<ns>"}),
        put(f"{plural}/{one}", make(one, {"labels": {"of": "<ns>", "put": "yes"}})),
        put(f"{plural}/<ns>-absent", make("<ns>-absent", mine), says="put one that is absent"),
        put(f"{plural}/{one}", make(two, mine), says="put another name than the path's"),
        patch(f"{plural}/{one}", {"metadata": {"labels": {"merge": "yes", "put": None}}}, MERGE),
        patch(f"{plural}/{one}", {"metadata": {"annotations": {"strategic": "yes"}}}, STRATEGIC,
              says="patch it strategically"),
        patch(f"{plural}/{one}", [{"op": "remove", "path": "/metadata/annotations/strategic"}],
              JSON_PATCH, says="patch it by JSON patch"),
        patch(f"{plural}/<ns>-absent", {"metadata": {"labels": {"a": "b"}}},
              says="patch an absent one"),
    ]
    if status:
        steps += status_of(plural, one, make, mine, status)
    steps += [delete(f"{plural}/{one}"),
              delete(f"{plural}/<ns>-absent", says="delete an absent one")]
    if plural not in NO_COLLECTION:
        steps += [get(f"{plural}/{one}", says="get what was deleted"),
                  delete(plural, query={"labelSelector": "of=<ns>"}, says="delete the collection"),
                  get(plural, query={"labelSelector": "of=<ns>"}, says="list what is left")]
    return Case(f"{plural} go through every verb", *steps)


def status_of(plural, name, make, meta, status):
    with_status = {**make(name, {**meta, "labels": {"of": "<ns>", "x": "y"}}), "status": status}
    return [
        put(f"{plural}/{name}", with_status, says="a put of the object leaves the status alone"),
        put(f"{plural}/{name}/status", with_status, says="put the status"),
        patch(f"{plural}/{name}/status", {"status": {"conditions": []}}, says="patch the status"),
        get(f"{plural}/{name}/status", says="get the status"),
    ]


CASES = [life_of(*row) for row in KINDS]
