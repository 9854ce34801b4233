# SPDX-License-Identifier: Apache-2.0
"""Objects whose rows in a Table are worth comparing: (path of the collection, object). A status is
written afterwards; an object with "doomed" in its name is deleted and stays for its finalizer."""

CORE = "/api/v1"
NAMESPACE = CORE + "/namespaces/tables"
LONG_AGO = ("2020-02-03T04:05:06Z", "2025-12-31T23:59:59Z", "2026-06-01T00:00:00Z")


def named(name, **more):
    return {"metadata": {"name": name, **more}}


def states(random, init):
    """A container's state, as kubelets write it or as nobody would."""
    running = {"running": {"startedAt": random.choice(LONG_AGO)}}
    waiting = {"waiting": {"reason": random.choice(["", "CrashLoopBackOff", "PodInitializing", "ImagePullBackOff"])}}
    done = {"terminated": {"exitCode": 0, "reason": random.choice(["", "Completed"]), "finishedAt": random.choice(LONG_AGO)}}
    failed = {"terminated": {"exitCode": random.choice([1, 137]), "signal": random.choice([0, 9]),
                             "reason": random.choice(["", "Error", "OOMKilled"]), "finishedAt": random.choice(LONG_AGO)}}
    return random.choice([running, waiting, failed, done, done] if init else [running, running, waiting, done, failed, {}])


def container_status(random, name, init):
    status = {"name": name, "image": "i", "imageID": "", "ready": random.random() < 0.6,
              "restartCount": random.choice([0, 0, 1, 7]), "state": states(random, init)}
    if random.random() < 0.5:
        status["lastState"] = {"terminated": {"exitCode": 1, "finishedAt": random.choice(LONG_AGO)}}
    if random.random() < 0.5:
        status["started"] = random.random() < 0.7
    return status


def random_pod(random, number):
    inits = [{"name": f"init-{i}", "image": "i", **({"restartPolicy": "Always"} if random.random() < 0.5 else {})}
             for i in range(random.choice([0, 0, 1, 2, 3]))]
    containers = [{"name": f"c-{i}", "image": "i"} for i in range(random.randint(1, 3))]
    pod = named(("doomed-" if random.random() < 0.2 else "pod-") + f"{number:04}")
    pod["spec"] = {"containers": containers, "initContainers": inits, "terminationGracePeriodSeconds": 0}
    if random.random() < 0.5:
        pod["spec"]["nodeName"] = "n1"
    if random.random() < 0.3:
        pod["spec"]["readinessGates"] = [{"conditionType": "a.io/x"}, {"conditionType": "a.io/y"}]
    status = {"phase": random.choice(["Pending", "Running", "Running", "Succeeded", "Failed", "Unknown"]), "conditions": []}
    for kind in ("Ready", "Initialized", "PodScheduled", "a.io/x", "a.io/y"):
        if random.random() < 0.5:
            status["conditions"].append({"type": kind, "status": random.choice(["True", "False"]),
                                         "reason": random.choice(["", "SchedulingGated"])})
    if random.random() < 0.15:
        status["reason"] = random.choice(["Evicted", "NodeLost"])
    if random.random() < 0.5:
        status["podIP"], status["podIPs"] = "10.1.2.3", [{"ip": "10.1.2.3"}, {"ip": "fd00::3"}]
    if "nodeName" not in pod["spec"] and random.random() < 0.2:
        status["nominatedNodeName"] = "n2"
    status["initContainerStatuses"] = [container_status(random, each["name"], True) for each in inits]
    status["containerStatuses"] = [container_status(random, each["name"], False) for each in containers]
    pod["status"] = status
    return NAMESPACE + "/pods", pod


def service(name, ports=(80,), status=None, **spec):
    made = named(name)
    made["spec"] = {"ports": [{"name": f"p{number}", "port": number} for number in ports], **spec}
    if status:
        made["status"] = status
    return NAMESPACE + "/services", made


def node(name, labels=None, status=None, **spec):
    return CORE + "/nodes", {**named(name, labels=labels or {}), "spec": spec, "status": status or {}}


def endpoints(name, *subsets):
    return NAMESPACE + "/endpoints", {**named(name), "subsets": list(subsets)}


def endpoint_slice(name, addresses, ports, family="IPv4"):
    return ("/apis/discovery.k8s.io/v1/namespaces/tables/endpointslices",
            {**named(name), "addressType": family, "ports": ports, "endpoints": [{"addresses": [each]} for each in addresses]})


def event(name, group="", **fields):
    return (("/apis/events.k8s.io/v1" if group else CORE) + "/namespaces/tables/events", {**named(name), **fields})


ABOUT = {"kind": "Pod", "namespace": "tables", "name": "web", "fieldPath": "spec.containers{c}"}
NEW_EVENT = {"action": "Doing", "reportingController": "a.io/b", "reportingInstance": "b-1", "type": "Normal", "reason": "Done",
             "eventTime": "2026-01-01T00:00:00.000001Z"}
INFO = {"kubeletVersion": "v1.36.4", "osImage": "An OS", "kernelVersion": "6.1", "containerRuntimeVersion": "c://2",
        "architecture": "arm64", "machineID": "", "systemUUID": "", "bootID": "", "kubeProxyVersion": "", "operatingSystem": "linux"}

OBJECTS = [
    (CORE + "/namespaces", named("doomed-namespace")),
    node("n1", {"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "extra"},
         {"conditions": [{"type": "Ready", "status": "True"}], "nodeInfo": INFO,
          "addresses": [{"type": "Hostname", "address": "n1"}, {"type": "InternalIP", "address": "192.0.2.1"},
                        {"type": "InternalIP", "address": "fd00::1"}, {"type": "ExternalIP", "address": "198.51.100.1"}]}),
    node("n2", {"kubernetes.io/role": ""}, {"conditions": [{"type": "Ready", "status": "Unknown"}]}, unschedulable=True),
    node("n3", {}, {"nodeInfo": {**INFO, "osImage": "", "kernelVersion": "", "containerRuntimeVersion": ""}}),
    service("plain", selector={"b": "1", "a": "2"}),
    service("nodes", (80, 443), type="NodePort", externalIPs=["192.0.2.7", "192.0.2.8"]),
    service("balanced", type="LoadBalancer"),
    service("balanced-done", type="LoadBalancer", externalIPs=["192.0.2.9"],
            status={"loadBalancer": {"ingress": [{"ip": "198.51.100.9"}, {"hostname": "b.example"}, {"ip": "198.51.100.10"},
                                                 {"ip": "198.51.100.9"}]}}),
    service("headless", clusterIP="None"),
    service("elsewhere", (), type="ExternalName", externalName="a.example"),
    service("two-families", ipFamilyPolicy="RequireDualStack"),
    endpoints("none"),
    endpoints("one", {"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}),
    endpoints("six", {"addresses": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}], "ports": [{"port": 80}]}),
    endpoints("many", {"addresses": [{"ip": f"10.0.0.{i}"} for i in range(1, 4)],
                       "ports": [{"name": "a", "port": 80}, {"name": "b", "port": 443}]}),
    endpoints("no-ports", {"addresses": [{"ip": f"10.0.0.{i}"} for i in range(1, 6)]}),
    endpoints("not-ready", {"notReadyAddresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}),
    endpoint_slice("s-none", [], []),
    endpoint_slice("s-one", ["10.0.0.1"], [{"name": "a", "port": 80}]),
    endpoint_slice("s-many", [f"10.0.0.{i}" for i in range(1, 6)], [{"name": n, "port": p} for n, p in zip("abcd", range(80, 84))]),
    endpoint_slice("s-names", ["fd00::1"], [{"name": "a"}, {"name": ""}], "IPv6"),
    (NAMESPACE + "/configmaps", {**named("data"), "data": {"a": "1", "b": "2"}, "binaryData": {"c": "AAA="}}),
    (NAMESPACE + "/configmaps", named("no-data")),
    ("/apis/coordination.k8s.io/v1/namespaces/tables/leases", {**named("held"), "spec": {"holderIdentity": "me"}}),
    ("/apis/coordination.k8s.io/v1/namespaces/tables/leases", {**named("free"), "spec": {}}),
    ("/apis/networking.k8s.io/v1/servicecidrs", {**named("two"), "spec": {"cidrs": ["10.200.0.0/24", "fd00:200::/112"]}}),
    ("/apis/networking.k8s.io/v1/servicecidrs", {**named("one"), "spec": {"cidrs": ["10.201.0.0/24"]}}),
    event("plain", involvedObject=ABOUT, type="Warning", reason="Bad", message="  it is so \n", count=3,
          source={"component": "kubelet", "host": "n1"}, firstTimestamp=LONG_AGO[0], lastTimestamp=LONG_AGO[1]),
    event("bare", involvedObject={"kind": "Node", "namespace": "tables"}),
    event("first-only", involvedObject=ABOUT, firstTimestamp=LONG_AGO[2]),
    event("last-only", involvedObject=ABOUT, lastTimestamp=LONG_AGO[2], source={"component": "x"}),
    event("newer", "events.k8s.io", regarding=ABOUT, note="so it is", **NEW_EVENT),
    event("series", "events.k8s.io", regarding=ABOUT, note="again",
          series={"count": 12, "lastObservedTime": "2026-02-01T00:00:00.500000Z"}, **NEW_EVENT),
]
