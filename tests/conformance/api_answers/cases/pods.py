# SPDX-License-Identifier: Apache-2.0
"""Pods: completion, refusals, what may change, and how they go."""
from objects import container, pod
from steps import STRATEGIC, Case, create, delete, each, get, patch, put

ACCEPTED = [
    ("the least", pod("least")),
    ("the newest image is pulled always", pod("latest", containers=[container(image="app")])),
    ("ports get a protocol", pod("ports", containers=[container(
        ports=[{"containerPort": 80}, {"name": "dns", "containerPort": 53, "protocol": "UDP"}])])),
    ("probes are completed", pod("probes", containers=[container(
        readinessProbe={"httpGet": {"port": 80}}, livenessProbe={"tcpSocket": {"port": "http"}},
        startupProbe={"exec": {"command": ["true"]}}, ports=[{"name": "http", "containerPort": 80}]
    )])),
    ("requests follow limits", pod("limits", containers=[container(
        resources={"limits": {"cpu": "500m", "memory": "64Mi"}})])),
    ("requests and limits", pod("burst", containers=[container(
        resources={"limits": {"cpu": "1"}, "requests": {"cpu": "0.5", "memory": "1e3"}})])),
    ("the host's network", pod("host", hostNetwork=True, containers=[container(
        ports=[{"containerPort": 80}])])),
    ("environment and volumes", pod("volumes", volumes=[
        {"name": "a"}, {"name": "b", "configMap": {"name": "c"}}], containers=[container(
            env=[{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {
                "fieldRef": {"fieldPath": "metadata.name"}}}],
            volumeMounts=[{"name": "a", "mountPath": "/a"}])])),
    ("an init container", pod("init", initContainers=[container("first")])),
    ("labels, host name and readiness gates", pod("gates", {"labels": {"app": "web"}},
                                                  hostname="web-1", subdomain="web",
                                                  readinessGates=[{"conditionType": "a.b/c"}])),
    ("a node and tolerations", pod("placed", nodeName="node-1",
                                   tolerations=[{"operator": "Exists"}])),
    ("a negative grace period", pod("negative", terminationGracePeriodSeconds=-1)),
    ("a status that a client made up", {**pod("status"), "status": {"phase": "Running"}}),
]

REFUSED = [
    ("no containers", pod("x", containers=[])),
    ("a container without a name", pod("x", containers=[{"image": "a"}])),
    ("a container without an image", pod("x", containers=[{"name": "c"}])),
    ("a container's name in capitals", pod("x", containers=[container("C")])),
    ("the same container twice", pod("x", containers=[container(), container()])),
    ("port 0", pod("x", containers=[container(ports=[{"containerPort": 0}])])),
    ("an unknown protocol", pod("x", containers=[container(
        ports=[{"containerPort": 80, "protocol": "X"}])])),
    ("the same port name twice", pod("x", containers=[container(
        ports=[{"name": "a", "containerPort": 80}, {"name": "a", "containerPort": 81}])])),
    ("an unknown restart policy", pod("x", restartPolicy="Sometimes")),
    ("an unknown DNS policy", pod("x", dnsPolicy="Mine")),
    ("a node name in capitals", pod("x", nodeName="Node")),
    ("a host name with dots", pod("x", hostname="a.b")),
    ("a name in capitals", pod("X")),
    ("a label that is none", pod("x", {"labels": {"a b": "c"}})),
    ("a quantity that is none", pod("x", containers=[container(
        resources={"limits": {"cpu": "much"}})])),
    ("a request above its limit", pod("x", containers=[container(
        resources={"limits": {"cpu": "1"}, "requests": {"cpu": "2"}})])),
]

CASES = [
    Case("Pods are completed", *each("pods", ACCEPTED)),
    Case("Pods that are refused", *each("pods", REFUSED)),
    Case("what of a Pod may change",
         create("pods", pod("web")),
         patch("pods/web", {"spec": {"containers": [{"name": "c", "image": "new:2"}]}}, STRATEGIC,
               says="its image"),
         patch("pods/web", {"spec": {"nodeName": "node-1"}}, says="not its node"),
         patch("pods/web", {"spec": {"hostNetwork": True}}, says="not its network"),
         patch("pods/web", {"spec": {"containers": [{"name": "d", "image": "d"}]}}, STRATEGIC,
               says="not its number of containers"),
         patch("pods/web", {"metadata": {"labels": {"a": "b"}}}, says="its labels")),
    Case("a Pod that no node has goes at once",
         create("pods", pod("web")),
         delete("pods/web"), get("pods/web")),
    Case("a Pod on a node goes when its node says so",
         create("pods", pod("web", nodeName="node-1")),
         delete("pods/web"), get("pods/web"),
         delete("pods/web", says="delete it again"),
         delete("pods/web", {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 10},
                says="with less patience"),
         patch("pods/web", {"metadata": {"labels": {"a": "b"}}}, says="it can still be patched"),
         delete("pods/web", {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0},
                says="the node has stopped it"),
         get("pods/web")),
    Case("the grace period in the query",
         create("pods", pod("web", nodeName="node-1")),
         delete("pods/web", query={"gracePeriodSeconds": "5"}),
         delete("pods/web", query={"gracePeriodSeconds": "0"}),
         get("pods/web")),
    Case("a Pod that has ended goes at once",
         create("pods", pod("web", nodeName="node-1")),
         patch("pods/web/status", {"status": {"phase": "Succeeded"}}),
         delete("pods/web"), get("pods/web")),
    Case("the status of a Pod is written by its node",
         create("pods", pod("web", nodeName="node-1")),
         patch("pods/web/status", {"status": {
             "phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}],
             "hostIP": "10.0.0.1", "conditions": [{"type": "Ready", "status": "True"}],
             "containerStatuses": [{"name": "c", "image": "i", "imageID": "", "ready": True,
                                    "restartCount": 2}]}}, STRATEGIC, says="it runs"),
         patch("pods/web/status", {"status": {"conditions": [
             {"type": "ContainersReady", "status": "True"}, {"type": "Ready", "status": "False"}]}},
               STRATEGIC, says="conditions are merged by type"),
         patch("pods/web/status", {"status": {"podIPs": [{"ip": "10.1.0.2"}, {"ip": "10.1.0.3"}]}},
               says="addresses that disagree"),
         put("pods/web", pod("web", nodeName="node-1"), says="a put keeps the status")),
    Case("a Pod needs its namespace",
         create("/api/v1/namespaces/nowhere/pods", pod("web")),
         get("/api/v1/namespaces/nowhere/pods"),
         create("pods", pod("web", {"namespace": "elsewhere"}), says="another than the path's")),
]
