# SPDX-License-Identifier: Apache-2.0
"""Random worlds of one Service: its Pods, the nodes, slices that are there, and changes to them."""
import copy

from questions import chance

NAMESPACE = "shop"
SERVICE = "web"
MANAGED_BY = "endpointslice-controller.k8s.io"
PROTOCOLS = ["TCP", "UDP", "SCTP"]
RESERVED = ["kubernetes.io/service-name", "endpointslice.kubernetes.io/managed-by",
            "service.kubernetes.io/headless"]


def metadata(name, **more):
    return {"name": name, "namespace": NAMESPACE, "uid": f"uid-{name}", "resourceVersion": "7", **more}


# nodes

def node(rng, number):
    labels = {"kubernetes.io/hostname": f"node-{number}"}
    zone = rng.choice(["zone-a", "zone-b", "zone-c", "zone-c", None, ""])
    if zone is not None:
        labels["topology.kubernetes.io/zone"] = zone
    return {"metadata": {"name": f"node-{number}", "labels": labels}}


# the Service

def labels(rng):
    made = {key: rng.choice(["x", "y", ""]) for key in ["app", "team", "zz"] if chance(rng, 0.4)}
    if chance(rng, 0.15):
        made[rng.choice(RESERVED)] = "mine"
    return made


def service_port(rng, number):
    made = {"name": f"port-{number}" if number else rng.choice(["", "port-0"]),
            "port": 80 + number,
            "protocol": rng.choice(["TCP", "TCP", *PROTOCOLS]),
            "targetPort": rng.choice([8080, 8080 + number, "web", "web", "dns"])}
    if chance(rng, 0.3):
        made["appProtocol"] = rng.choice(["https", "h2c", ""])
    return made


def addresses(rng):
    """Families, the cluster address and whether Pods have addresses of both families."""
    return rng.choice([
        {"ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1"},
        {"ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1"},
        {"ipFamilies": ["IPv4"], "clusterIP": "None"},
        {"ipFamilies": ["IPv6"], "clusterIP": "fd00::a"},
        {"ipFamilies": ["IPv4", "IPv6"], "clusterIP": "10.96.0.1"},
        {"ipFamilies": ["IPv6", "IPv4"], "clusterIP": "None"},
        {"clusterIP": "10.96.0.1"},
        {"clusterIP": "fd00::a"},
        {"clusterIP": "None"},
        {},
    ])


def service(rng):
    spec = addresses(rng)
    if "clusterIP" in spec:
        spec["clusterIPs"] = [spec["clusterIP"]]
    spec["selector"] = {"app": "web"}
    spec["ports"] = [service_port(rng, i) for i in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    if chance(rng, 0.2):
        spec["publishNotReadyAddresses"] = True
    return {"metadata": metadata(SERVICE, labels=labels(rng)), "spec": spec}


# Pods

def container_ports(rng, style):
    made = []
    for name in ["web", "dns"]:
        if chance(rng, style["named"]):
            made.append({"name": name, "containerPort": 8000 + rng.randrange(style["ports"]),
                         "protocol": rng.choice(["TCP", "TCP", "TCP", *PROTOCOLS])})
    return made


def pod_addresses(rng, number, style):
    four = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    six = f"fd00::{number:x}"
    if chance(rng, 0.05):
        four, six = f"10.0{number >> 16}.{number >> 8 & 255:03}.{number & 255:03}", f"FD00:0::{number:04X}"
    if chance(rng, 0.02):
        four = f"::ffff:{four}"
    if chance(rng, 0.02):
        return [four, f"10.200.{number >> 8 & 255}.{number & 255}"]
    if chance(rng, 0.05):
        return []
    if chance(rng, style["dual"]):
        return rng.choice([[four, six], [six, four]])
    return [rng.choice([four, four, six])]


def pod(rng, number, style, nodes):
    spec = {"containers": [{"name": "main", "ports": container_ports(rng, style)}]}
    if chance(rng, 0.1):
        spec["initContainers"] = [{"name": "side", "ports": container_ports(rng, style),
                                   **({"restartPolicy": "Always"} if chance(rng, 0.7) else {})}]
    if nodes and chance(rng, 0.97):
        spec["nodeName"] = rng.choice(nodes)["metadata"]["name"]
    elif chance(rng, 0.5):
        spec["nodeName"] = "gone"
    if chance(rng, 0.1):
        spec["hostname"] = rng.choice(["", "host"])
    if chance(rng, 0.2):
        spec["subdomain"] = rng.choice(["", SERVICE, "other"])
    made = {"metadata": metadata(f"pod-{number:05}", labels={"app": "web"}), "spec": spec,
            "status": {"phase": "Running"}}
    ips = pod_addresses(rng, number, style)
    if ips:
        made["status"].update({"podIP": ips[0], "podIPs": [{"ip": ip} for ip in ips]})
    change_pod(rng, made)
    return made


def change_pod(rng, made):
    """Another state; the same Pod."""
    status = made["status"]
    status["phase"] = rng.choice(["Running"] * 12 + ["Pending", "Failed", "Succeeded", "Unknown"])
    status["conditions"] = [{"type": "Initialized", "status": "True"}]
    if chance(rng, 0.95):
        status["conditions"].append({"type": "Ready",
                                     "status": rng.choice(["True"] * 6 + ["False", "Unknown"])})
    made["metadata"].pop("deletionTimestamp", None)
    if chance(rng, 0.1):
        made["metadata"]["deletionTimestamp"] = "2026-03-01T00:00:00Z"
    if chance(rng, 0.05):
        made["metadata"]["uid"] += "-again"


# slices that nobody's reconciler left

def odd_endpoint(rng, pods):
    base = rng.choice(pods) if pods and chance(rng, 0.8) else None
    made = {"addresses": [f"10.9.0.{rng.randrange(255)}"], "conditions": {}}
    if base and base["status"].get("podIPs"):
        made["addresses"] = [base["status"]["podIPs"][0]["ip"]]
    if base:
        made["targetRef"] = {"kind": "Pod", "namespace": NAMESPACE, "name": base["metadata"]["name"],
                             "uid": base["metadata"]["uid"]}
    for condition in ["ready", "serving", "terminating"]:
        if chance(rng, 0.7):
            made["conditions"][condition] = chance(rng, 0.5)
    if chance(rng, 0.3):
        made["zone"] = rng.choice(["zone-a", ""])
    if chance(rng, 0.3):
        made["nodeName"] = rng.choice(["node-0", ""])
    return made


def odd_slice(rng, number, world):
    uid = world["service"]["metadata"]["uid"] if chance(rng, 0.7) else "uid-earlier"
    made = {"metadata": {
        "name": f"odd-{number}", "namespace": NAMESPACE, "generateName": "odd-",
        "labels": {**labels(rng), RESERVED[0]: SERVICE, RESERVED[1]: MANAGED_BY},
        "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": SERVICE, "uid": uid,
                             "controller": True, "blockOwnerDeletion": True}]},
        "addressType": rng.choice(["IPv4", "IPv4", "IPv6"]),
        "ports": [], "endpoints": []}
    if chance(rng, 0.8):
        made["endpoints"] = [odd_endpoint(rng, world["pods"]) for _ in range(rng.randrange(8))]
    if chance(rng, 0.5):
        made["ports"] = [{"name": "port-0", "protocol": "TCP", "port": 8080}]
    return made


# worlds

def world(rng, size):
    nodes = [node(rng, i) for i in range(rng.choice([1, 3, 6]))]
    style = {"named": rng.choice([1, 1, 0.7]), "ports": rng.choice([1, 1, 2, 4]),
             "dual": rng.choice([0, 0.5, 1])}
    count = rng.choice([0, 1, 3, 10, 40, size])
    made = {"service": service(rng), "nodes": nodes,
            "pods": [pod(rng, i, style, nodes) for i in range(count)],
            "slices": [], "maxEndpointsPerSlice": rng.choice([1, 3, 10, 10, 100])}
    if chance(rng, 0.4):
        made["slices"] = [odd_slice(rng, i, made) for i in range(rng.randrange(1, 5))]
    return made, style


def change_pods(rng, made, style):
    pods = made["pods"]
    for _ in range(rng.choice([0, 1, 1, 3, 10])):
        if pods:
            change_pod(rng, rng.choice(pods))
    for _ in range(min(len(pods), rng.choice([0, 0, 1, 3, 20]))):
        pods.pop(rng.randrange(len(pods)))
    first = 1 + max([int(p["metadata"]["name"][4:]) for p in pods], default=0)
    for i in range(rng.choice([0, 1, 1, 3, 20])):
        pods.append(pod(rng, first + i, style, made["nodes"]))


def change_service(rng, made):
    if chance(rng, 0.15):
        made["service"]["metadata"]["labels"] = labels(rng)
    ports = made["service"]["spec"]["ports"]
    if ports and chance(rng, 0.15):
        rng.choice(ports)["targetPort"] = rng.choice([8081, 8082, "web", "dns"])
    if chance(rng, 0.05):
        made["service"]["metadata"]["uid"] += "-again"
    if chance(rng, 0.05):
        made["service"]["spec"].update(addresses(rng))
        made["service"]["spec"]["clusterIPs"] = [made["service"]["spec"].get("clusterIP", "None")]
    if chance(rng, 0.1):
        made["maxEndpointsPerSlice"] = rng.choice([1, 3, 10, 100])


def change_nodes(rng, made):
    nodes = made["nodes"]
    if chance(rng, 0.1):
        number = rng.randrange(len(nodes))
        nodes[number] = node(rng, int(nodes[number]["metadata"]["name"][5:]))
    if len(nodes) > 1 and chance(rng, 0.05):
        nodes.pop()


def changed(rng, before, style):
    made = copy.deepcopy(before)
    change_pods(rng, made, style)
    change_service(rng, made)
    change_nodes(rng, made)
    rng.shuffle(made["pods"])
    return made
