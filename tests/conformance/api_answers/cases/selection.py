# SPDX-License-Identifier: Apache-2.0
"""Selectors, pages, and which version a list shows."""
from objects import configmap, node, old_event, pod, port, service
from steps import Case, create, delete, get

ALL_LABELS = ["app=web", "app==web", "app!=web", "app in (web,db)", "app notin (web)", "app",
              "!app",
              "app=web,tier=front", "app=", "size>1", "size<5", "size>one", "app in ()", "a b",
              "app in (web", "=", "app=-", ",", "app=web,", "a/b/c=d", "in", "x in (in,notin)"]
ALL_FIELDS = {
    "configmaps": ["metadata.name=a", "metadata.name!=a", "metadata.name==a,metadata.name!=b",
                   "metadata.namespace=<ns>", "data=x", "metadata.name", "=", ""],
    "pods": ["spec.nodeName=node-1", "status.phase=Pending", "status.phase!=Pending",
             "spec.restartPolicy=Always", "spec.schedulerName=default-scheduler",
             "spec.serviceAccountName=", "spec.hostNetwork=true", "status.podIP=10.1.0.1",
             "status.nominatedNodeName=", "spec.bogus=1"],
    "services": ["spec.clusterIP=None", "spec.type=ClusterIP", "spec.ports=80"],
    "events": ["involvedObject.kind=Pod", "involvedObject.name=web-1", "reason=Odd", "type=Normal",
               "source=kubelet", "reportingComponent=", "message=x"],
    "endpointslices": ["metadata.name=a", "addressType=IPv4"],
    "leases": ["metadata.name=a", "spec.holderIdentity=a"],
}


def labelled(name, **labels):
    return configmap(name, {"labels": labels})


def listing(path, **query):
    words = " ".join(f"{key}={value!r}" for key, value in query.items())
    return get(path, query=query, says=f"list {path} {words}")


CASES = [
    Case("label selectors",
         create("configmaps", labelled("a", app="web", tier="front", size="3")),
         create("configmaps", labelled("b", app="db", size="7")),
         create("configmaps", labelled("c", tier="front", app="")),
         create("configmaps", configmap("d")),
         *[listing("configmaps", labelSelector=text) for text in ALL_LABELS]),
    Case("field selectors",
         create("configmaps", configmap("a")), create("configmaps", configmap("b")),
         create("pods", pod("free")), create("pods", pod("placed", nodeName="node-1")),
         create("services", service("headless", [port(80)], clusterIP="None")),
         create("services", service("web", [port(80)])),
         create("events", old_event("e", reason="Odd", type="Normal",
                                    source={"component": "kubelet"})),
         *[listing(path, fieldSelector=text) for path, texts in ALL_FIELDS.items()
           for text in texts]),
    Case("field selectors of what is in no namespace",
         create("nodes", node("<ns>-a", spec={"unschedulable": True})),
         create("nodes", node("<ns>-b")),
         listing("nodes", fieldSelector="spec.unschedulable=true", labelSelector=""),
         listing("nodes", fieldSelector="metadata.name=<ns>-b"),
         listing("nodes", fieldSelector="metadata.namespace=a"),
         listing("namespaces", fieldSelector="metadata.name=<ns>"),
         listing("namespaces", fieldSelector="status.phase=Active,metadata.name=<ns>")),
    Case("a delete of a collection by selectors",
         create("configmaps", labelled("a", app="web")),
         create("configmaps", labelled("b", app="db")),
         create("configmaps", labelled("c", app="web")),
         delete("configmaps", query={"labelSelector": "app=web", "fieldSelector":
                                     "metadata.name!=c"}),
         get("configmaps")),
    Case("lists come in pages",
         *[create("configmaps", labelled(name, even=str(ord(name) % 2))) for name in "abcde"],
         get("configmaps", query={"limit": "2"}, save={"next": "metadata/continue"}),
         get("configmaps", query={"limit": "2", "continue": "<next>"},
             save={"last": "metadata/continue"}, says="the second page"),
         create("configmaps", configmap("between-pages-z")),
         delete("configmaps/e"),
         get("configmaps", query={"limit": "2", "continue": "<last>"},
             says="the third shows what was there at the first"),
         get("configmaps", query={"limit": "10"}, says="one that is large enough"),
         get("configmaps", query={"limit": "2", "labelSelector": "even=1"}, says="with a selector",
             save={"next": "metadata/continue"}),
         get("configmaps", query={"limit": "2", "labelSelector": "even=1", "continue": "<next>"},
             says="the rest with the selector"),
         get("configmaps", query={"limit": "2", "continue": "rubbish"},
             says="a token that is none"),
         get("configmaps", query={"limit": "2", "continue": "<last>", "resourceVersion": "1"},
             says="a token and a version"),
         get("configmaps", query={"limit": "0"}, says="limit=0 is no limit")),
    Case("which version a list shows",
         create("configmaps", configmap("a"), save={"rv": "metadata/resourceVersion"}),
         create("configmaps", configmap("b")),
         get("configmaps"),
         get("configmaps", query={"resourceVersion": "0"}, says="any version"),
         get("configmaps", query={"resourceVersion": "<rv>"}, says="not older than"),
         get("configmaps", query={"resourceVersion": "<rv>",
                                  "resourceVersionMatch": "NotOlderThan"},
             says="not older than, in words"),
         get("configmaps", query={"resourceVersion": "<rv>", "resourceVersionMatch": "Exact"},
             says="exactly"),
         get("configmaps", query={"resourceVersion": "0", "resourceVersionMatch": "Exact"},
             says="exactly any"),
         get("configmaps", query={"resourceVersionMatch": "Exact"}, says="exactly nothing"),
         get("configmaps", query={"resourceVersion": "<rv>", "resourceVersionMatch": "Odd"},
             says="a rule that is none"),
         get("configmaps", query={"resourceVersion": "abc"}, says="a version that is none"),
         get("configmaps", query={"resourceVersion": "<rv>", "limit": "1",
                                  "resourceVersionMatch": "Exact"}, says="a page of that version"),
         get("configmaps/a", query={"resourceVersion": "0"}, says="one object, any version"),
         get("configmaps/a", query={"resourceVersion": "abc"},
             says="one object, a version that is none"),
         get("configmaps", query={"sendInitialEvents": "true"},
             says="initial events without a watch")),
    Case("a version that is yet to come",
         get("configmaps", query={"resourceVersion": "99999999", "timeoutSeconds": "1"}),
         get("configmaps/a", query={"resourceVersion": "99999999"}, says="one object")),
]
