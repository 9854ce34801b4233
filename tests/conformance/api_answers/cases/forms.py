# SPDX-License-Identifier: Apache-2.0
"""The other forms of an answer: tables and bare metadata."""
from objects import (configmap, lease, new_event, node, old_event, pod, port,
                     service, service_cidr, slice_of)
from steps import METADATA, METADATA_LIST, TABLE, Case, accepting, create, delete, get, patch

READY = {"type": "Ready", "status": "True"}
RUNNING = {"phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}],
           "conditions": [READY], "containerStatuses": [
               {"name": "c", "image": "i", "imageID": "", "ready": True, "restartCount": 2,
                "state": {"running": {"startedAt": "2001-02-03T04:05:06Z"}}}]}
WAITING = {"phase": "Pending", "containerStatuses": [
    {"name": "c", "image": "i", "imageID": "", "ready": False, "restartCount": 0,
     "state": {"waiting": {"reason": "ImagePullBackOff"}}}]}
FAILED = {"phase": "Failed", "reason": "Evicted"}
EVENT = {"reason": "Pulled", "message": "pulled the image", "type": "Normal", "count": 3,
         "source": {"component": "kubelet", "host": "node-1"}}
NEW_EVENT = {"eventTime": "2001-02-03T04:05:06.000007Z", "action": "Binding", "reason": "Bound",
             "reportingController": "example.com/tests", "reportingInstance": "tests-1",
             "type": "Normal", "note": "bound"}
ADDRESSES = [{"type": "InternalIP", "address": "10.0.0.1"},
             {"type": "ExternalIP", "address": "192.0.2.1"}]


def rows(path, *steps):
    return Case(f"rows of {path}", *steps, accepting(path, TABLE))


CASES = [
    rows("services",
         create("services", service("a", [port(80)])),
         create("services", service("b", [port(80, "x"), port(53, "y", protocol="UDP")],
                                    type="NodePort", selector={"app": "b", "tier": "c"})),
         create("services", service("c", [port(80)], type="LoadBalancer")),
         create("services", service("d", [port(80)], clusterIP="None")),
         create("services", service("e", type="ExternalName", externalName="example.com")),
         create("services", service("f", [port(80)], externalIPs=["192.0.2.1", "192.0.2.2"])),
         create("services", service("g", [port(80)], type="LoadBalancer")),
         patch("services/g/status", {"status": {"loadBalancer": {"ingress": [
             {"ip": "192.0.2.3"}, {"hostname": "a.example"}]}}})),
    rows("pods",
         create("pods", pod("a", nodeName="node-1")), patch("pods/a/status", {"status": RUNNING}),
         create("pods", pod("b")), patch("pods/b/status", {"status": WAITING}),
         create("pods", pod("c")), patch("pods/c/status", {"status": FAILED}),
         create("pods", pod("d", {"finalizers": ["a.b/c"]}, nodeName="node-1")),
         patch("pods/d", {"metadata": {"labels": {"a": "b"}}}),
         create("pods", pod("e", initContainers=[{"name": "i", "image": "i"}],
                            readinessGates=[{"conditionType": "a.b/c"}]))),
    Case("rows of nodes",
         create("nodes", node("<ns>-a", {"labels": {
             "of": "<ns>", "node-role.kubernetes.io/worker": "",
             "node-role.kubernetes.io/control-plane": ""}}, spec={"unschedulable": True})),
         patch("nodes/<ns>-a/status", {"status": {"conditions": [READY], "addresses": ADDRESSES,
                                                  "nodeInfo": {"kubeletVersion": "v1.36.4",
                                                               "osImage": "Debian",
                                                               "kernelVersion": "6.1",
                                                               "containerRuntimeVersion": "c://1",
                                                               "machineID": "", "systemUUID": "",
                                                               "bootID": "", "kubeProxyVersion": "",
                                                               "operatingSystem": "",
                                                               "architecture": ""}}}),
         create("nodes", node("<ns>-b", {"labels": {"of": "<ns>"}})),
         accepting("nodes", TABLE, query={"labelSelector": "of=<ns>"})),
    rows("endpointslices",
         create("endpointslices", slice_of("a", ["10.1.0.1"], ports=[{"port": 80}])),
         create("endpointslices", slice_of("b", endpoints=[])),
         create("endpointslices", slice_of("c", endpoints=[
             {"addresses": [f"10.1.0.{i}"]} for i in range(1, 6)],
             ports=[{"name": f"p{i}", "port": i} for i in range(1, 6)])),
         create("endpointslices", slice_of("d", ports=[{"name": "any"}]))),
    rows("configmaps", create("configmaps", configmap("a", data={"x": "1"}, binaryData={"y": "AA=="}
                                                      )), create("configmaps", configmap("b"))),
    rows("leases", create("leases", lease("a", holderIdentity="me")),
         create("leases", lease("b"))),
    rows("events", create("events", old_event("a", **EVENT)),
         create("events", old_event("b", message="two\nlines")),
         create("events.events.k8s.io", new_event("c", **NEW_EVENT))),
    rows("events.events.k8s.io", create("events", old_event("a", **EVENT))),
    rows("endpoints"),
    Case("rows of namespaces",
         accepting("namespaces", TABLE, query={"fieldSelector": "metadata.name=<ns>"})),
    Case("rows of servicecidrs",
         create("servicecidrs", service_cidr("<ns>-a", ["fd00:203::/112"],
                                             {"labels": {"of": "<ns>"}})),
         accepting("servicecidrs", TABLE, query={"labelSelector": "of=<ns>"}),
         delete("servicecidrs/<ns>-a")),
    Case("rows of ipaddresses",
         create("services", service("a", [port(80)], clusterIP="10.96.0.200")),
         accepting("ipaddresses/10.96.0.200", TABLE)),
    Case("what a row carries",
         create("configmaps", configmap("a", {"labels": {"a": "b"}}, data={"x": "1"})),
         accepting("configmaps/a", TABLE),
         accepting("configmaps", TABLE, query={"includeObject": "None"}),
         accepting("configmaps", TABLE, query={"includeObject": "Object"}),
         accepting("configmaps", TABLE, query={"includeObject": "Metadata"}),
         accepting("configmaps", TABLE, query={"includeObject": "Odd"}),
         accepting("configmaps", TABLE, query={"limit": "1"}),
         accepting("configmaps/absent", TABLE),
         accepting("leases", TABLE),
         accepting("configmaps", TABLE + ",application/json"),
         accepting("configmaps", "application/json;as=Table;v=v1beta1;g=meta.k8s.io"),
         accepting("configmaps",
                   "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"),
         accepting("configmaps", "application/json;as=Fish;v=v1;g=meta.k8s.io")),
    Case("bare metadata",
         create("configmaps", configmap("a", {"labels": {"a": "b"}}, data={"x": "1"})),
         accepting("configmaps/a", METADATA),
         accepting("configmaps", METADATA_LIST),
         accepting("configmaps", METADATA),
         accepting("configmaps/a", METADATA_LIST),
         get("configmaps", headers={"Accept": METADATA_LIST + ",application/json"},
             says="as kubectl asks"),
         patch("configmaps/a", {"metadata": {"labels": {"c": "d"}}}, headers={"Accept": METADATA},
               says="the answer of a patch"),
         create("configmaps", configmap("b"), headers={"Accept": METADATA},
                says="the answer of a create")),
]
