# SPDX-License-Identifier: Apache-2.0
"""Events: one object behind two faces."""
from objects import about_pod, new_event, old_event
from steps import Case, create, each, get, patch

OLD = {"reason": "Pulled", "message": "pulled the image", "type": "Normal", "count": 3,
       "firstTimestamp": "2001-02-03T04:05:06Z", "lastTimestamp": "2001-02-03T05:05:06Z",
       "source": {"component": "kubelet", "host": "node-1"}}
NEW = {"eventTime": "2001-02-03T04:05:06.000007Z", "action": "Binding", "reason": "Bound",
       "reportingController": "example.com/tests", "reportingInstance": "tests-1",
       "type": "Normal", "note": "bound"}


def old(name="x", **fields):
    return old_event(name, **{**OLD, **fields})


def new(name="x", **fields):
    return new_event(name, **{**NEW, **fields})


CASES = [
    Case("an old Event through both faces",
         create("events", old("e")),
         get("events/e"),
         get("events.events.k8s.io/e"),
         get("events.events.k8s.io", says="list the new face"),
         patch("events.events.k8s.io/e", {"note": "changed"}, says="patch the new face"),
         get("events/e", says="the old face shows it")),
    Case("a new Event through both faces",
         create("events.events.k8s.io", new("e", related=about_pod("other"), series={
             "count": 2, "lastObservedTime": "2001-02-03T04:05:07.000008Z"})),
         get("events.events.k8s.io/e"),
         get("events/e"),
         patch("events/e", {"message": "changed"}, says="patch the old face"),
         get("events.events.k8s.io/e", says="the new face shows it")),
    Case("Events as the old face takes them", *each("events", [
        ("the least", old_event("least")),
        ("about another namespace", old(about={"kind": "Pod", "namespace": "other", "name": "a"})),
        ("about a node, in a namespace", old(about={"kind": "Node", "name": "a"})),
        ("a name in capitals", old("X")),
        ("an unknown type", old("odd", type="Odd")),
        ("a time of its own without the rest", old(eventTime="2001-02-03T04:05:06.000007Z")),
        ("a long reason", old("long", reason="r" * 129)),
    ])),
    Case("Events as the new face takes them", *each("events.events.k8s.io", [
        ("the least", new_event("least")),
        ("no time", new(eventTime=None)),
        ("no action", new(action="")),
        ("no reason", new(reason="")),
        ("no controller", new(reportingController="")),
        ("a controller that is no name", new(reportingController="a b")),
        ("no instance", new(reportingInstance="")),
        ("a long note", new(note="n" * 1025)),
        ("a long reason", new(reason="r" * 129)),
        ("an unknown type", new(type="Odd")),
        ("a series of one", new(series={"count": 1,
                                        "lastObservedTime": "2001-02-03T04:05:07.000008Z"})),
        ("deprecated fields", new(deprecatedCount=2)),
    ])),
    Case("what of a new Event may change",
         create("events.events.k8s.io", new("e")),
         patch("events.events.k8s.io/e", {"reason": "Other"}, says="not its reason"),
         patch("events.events.k8s.io/e", {"series": {
             "count": 2, "lastObservedTime": "2001-02-03T04:05:07.000008Z"}}, says="its series")),
]
