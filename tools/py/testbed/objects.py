# SPDX-License-Identifier: Apache-2.0
"""Pods, Services and Nodes for the tests of the controller: the least that each needs."""

ZONE = "topology.kubernetes.io/zone"
MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
MANAGER = "endpointslice-controller.k8s.io"
SERVICE_NAME = "kubernetes.io/service-name"
HEADLESS = "service.kubernetes.io/headless"
TOPOLOGY_MODE = "service.kubernetes.io/topology-mode"
TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints"
CONTROL_PLANE = "node-role.kubernetes.io/control-plane"


def port(name, number, protocol="TCP"):
    return {"name": name, "containerPort": number, "protocol": protocol}


# What the containers of a Pod offer.
SHAPES = {
    "plain": {"containers": [[port("http", 8080)]]},
    "other": {"containers": [[port("http", 8081)]]},
    "two": {"containers": [[port("http", 8080)], [port("metrics", 9090)]]},
    "sidecar": {"containers": [[]], "initContainers": [[port("http", 8082)]]},
    "silent": {"containers": [[]]},
    "datagrams": {"containers": [[port("http", 8080, "UDP")]]},
}


def containers_of(shape):
    spec = {}
    for field, rows in SHAPES[shape].items():
        always = {"restartPolicy": "Always"} if field == "initContainers" else {}
        spec[field] = [{"name": f"{field[0]}{number}", "image": "example/app:1", "ports": ports,
                        **always} for number, ports in enumerate(rows)]
    return spec


def pod(name, labels, node, shape="plain", **spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels},
            "spec": {**containers_of(shape), **({"nodeName": node} if node else {}), **spec}}


def pod_status(ips, ready, phase="Running", moment="2026-01-01T00:00:00Z"):
    return {"status": {"phase": phase, "podIP": ips[0] if ips else None,
                       "podIPs": [{"ip": ip} for ip in ips],
                       "conditions": [{"type": "Ready", "status": "True" if ready else "False",
                                       "lastTransitionTime": moment}]}}


def node(name, zone=None, **labels):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {**({ZONE: zone} if zone else {}), **labels}}}


def node_status(ready, cpu="4"):
    return {"status": {"capacity": {"cpu": cpu}, "allocatable": {"cpu": cpu},
                       "conditions": [{"type": "Ready", "status": "True" if ready else "False",
                                       "reason": "KubeletReady", "message": "",
                                       "lastHeartbeatTime": None,
                                       "lastTransitionTime": None}]}}


def service(name, ports=None, selector=None, labels=None, annotations=None, **spec):
    return {"apiVersion": "v1", "kind": "Service",
            "metadata": {"name": name, "labels": labels or {}, "annotations": annotations or {}},
            "spec": {**({"ports": ports} if ports else {}),
                     **({"selector": selector} if selector is not None else {}), **spec}}


def web_port(number=80, target="http", name="http", **fields):
    return {**({"name": name} if name else {}), "port": number, "targetPort": target, **fields}
