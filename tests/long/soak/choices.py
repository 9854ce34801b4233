# SPDX-License-Identifier: Apache-2.0
"""What may be done to a lab in a state such that no request has a reason to fail: a Service keeps an
endpoint that serves, and never are two failures there at once. Pure: a state and a generator of random
numbers give one action."""
import dataclasses
import json

POLICIES = ("cluster-wide", "topology-keys", "auto", "prefer-same-zone", "prefer-same-node",
            "zone-aware", "balanced")
OVERLOADS = ("0%", "10%", "20%", "50%")
ZONE = "topology.kubernetes.io/zone"
# The last key fits every endpoint: without it requests of a zone that has none are rejected.
TOPOLOGY_KEYS = (f"{ZONE},*", f"kubernetes.io/hostname,{ZONE},*", "kubernetes.io/hostname,*", "*")
DISTRIBUTIONS = ("PreferClose", "PreferSameZone", "PreferSameNode", None)
PODS_OF_A_ZONE_MAX = 4
APPLIED_NAMES = 9  # of a Service's Pods that are applied
NODES_MAX = 9


@dataclasses.dataclass(frozen=True)
class Action:
    kind: str  # for the count
    program: str  # "lab" or "kubectl"
    words: tuple
    given: str = ""  # on standard input

    def __str__(self):
        return " ".join((self.program, *self.words, self.given)).strip()


def serving(state, without_node=None, without_zone=None, without_pod=None):
    """Service → Pods that answer, leaving some out."""
    dead = {node["name"] for node in state["nodes"] if node["power"] is False or not node["ready"]}
    found = {service["service"]: [] for service in state["services"]}
    for pod in state["pods"]:
        name = f"{pod['namespace']}/{pod['name']}"
        if not pod["ready"] or pod["terminating"] or pod["node"] in dead:
            continue
        if without_node == pod["node"] or without_zone == pod["zone"] or without_pod == name:
            continue
        for service in pod["services"]:
            found.setdefault(service, []).append(pod)
    return found


def survives(state, **without):
    return all(serving(state, **without).values())


def is_whole(state):
    return (not any(zone["failed"] for zone in state["zones"]) and
            all(node["ready"] and node["power"] is not False for node in state["nodes"]))


def lab(kind, *words):
    return Action(kind, "lab", words)


def kubectl(kind, *words, given=""):
    return Action(kind, "kubectl", words, given)


def failures(state):
    """Only into a whole lab, and only where every Service has endpoints elsewhere."""
    if not is_whole(state):
        return []
    actions = [lab("fail-zone", "fail-zone", zone["name"]) for zone in state["zones"]
               if survives(state, without_zone=zone["name"])]
    return actions + [lab("kill-node", "kill-node", node["name"]) for node in state["nodes"]
                      if survives(state, without_node=node["name"])]


def deletions(state):
    """Pods whose Services keep two others: one may still be on its way."""
    actions = []
    for pod in state["pods"]:
        if not pod["services"] or pod["terminating"]:
            continue
        left = serving(state, without_pod=f"{pod['namespace']}/{pod['name']}")
        if all(len(left[service]) >= 2 for service in pod["services"]):
            actions.append(kubectl("delete-pod", "-n", pod["namespace"], "delete", "pod",
                                   pod["name"], "--wait=false"))
    return actions


def scalings(state, random):
    """A zone gets some Pods; to fewer only where other zones serve."""
    actions = []
    for service in state["services"]:
        name = service["service"]
        for zone in state["zones"]:
            if zone["failed"]:
                continue
            least = 0 if len(serving(state, without_zone=zone["name"])[name]) >= 2 else 2
            count = random.randint(least, PODS_OF_A_ZONE_MAX)
            actions.append(lab("scale", "scale", name, f"{zone['name']}={count}"))
    return actions


def takes_pods(state, zone, without):
    """Whether a node of the zone does, leaving one out; a Pod that nobody takes would wait for ever."""
    return any(node["zone"] == zone and node != without and not node["cordoned"]
               for node in state["nodes"])


def cordons(state):
    actions = [kubectl("uncordon", "uncordon", node["name"]) for node in state["nodes"]
               if node["cordoned"]]
    return actions + [kubectl("cordon", "cordon", node["name"]) for node in state["nodes"]
                      if not node["cordoned"] and takes_pods(state, node["zone"], node)]


def policy_annotations(random):
    """Name → value, None where there is to be none: what belongs to another policy goes."""
    policy = random.choice(POLICIES)
    overload, keys = random.choice(OVERLOADS), random.choice(TOPOLOGY_KEYS)
    return {"proxima.io/policy": policy,
            "proxima.io/overload": overload if policy == "balanced" else None,
            "proxima.io/topology-keys": keys if policy == "topology-keys" else None}


def annotated(service, random):
    words = [f"{name}-" if value is None else f"{name}={value}"
             for name, value in policy_annotations(random).items()]
    return kubectl("annotate", "-n", service["namespace"], "annotate", "--overwrite", "service",
                   service["name"], *words)


def patched(service, body, kind):
    return kubectl(kind, "-n", service["namespace"], "patch", "service", service["name"],
                   "--type=merge", "-p", json.dumps(body))


def patched_policy(service, random):
    return patched(service, {"metadata": {"annotations": policy_annotations(random)}},
                   "patch-policy")


def patched_distribution(service, random):
    """The field counts where no annotation speaks."""
    nothing = dict.fromkeys(policy_annotations(random))
    return patched(service, {"metadata": {"annotations": nothing},
                             "spec": {"trafficDistribution": random.choice(DISTRIBUTIONS)}},
                   "patch-distribution")


def applied_service(service, random):
    annotations = {name: value for name, value in policy_annotations(random).items() if value}
    manifest = {"apiVersion": "v1", "kind": "Service",
                "metadata": {"name": service["name"], "namespace": service["namespace"],
                             "annotations": annotations},
                "spec": {"selector": {"app": service["name"]},
                         "ports": [{"name": "http", "port": 80, "targetPort": 8080}]}}
    return kubectl("apply-service", "apply", "-f", "-", given=json.dumps(manifest))


def policies(state, random):
    """One for each Service, in any of the ways in which people write one."""
    ways = (annotated, patched_policy, patched_distribution, applied_service)
    return [random.choice(ways)(service, random) for service in state["services"]]


def applied_pods(state, random):
    """A Pod of a name that is free, in a zone that has power and is not full."""
    taken = {(pod["namespace"], pod["name"]) for pod in state["pods"]}
    actions = []
    for service in state["services"]:
        name = f"{service['name']}-applied-{random.randint(1, APPLIED_NAMES)}"
        zones = [zone["name"] for zone in state["zones"] if not zone["failed"] and
                 sum(pod["zone"] == zone["name"] and service["service"] in pod["services"]
                     for pod in state["pods"]) < PODS_OF_A_ZONE_MAX]
        if not zones or (service["namespace"], name) in taken:
            continue
        manifest = {"apiVersion": "v1", "kind": "Pod",
                    "metadata": {"name": name, "namespace": service["namespace"],
                                 "labels": {"app": service["name"]}},
                    "spec": {"nodeSelector": {ZONE: random.choice(zones)},
                             "containers": [{"name": "web", "image": "lab"}]}}
        actions.append(kubectl("apply-pod", "apply", "-f", "-", given=json.dumps(manifest)))
    return actions


def demands(state, random):
    return [lab("demand", "demand", f"{random.choice(state['zones'])['name']}="
                                    f"{random.randint(10, 80)}%")]


def nodes(state, random):
    if not is_whole(state):
        return []
    if len(state["nodes"]) < NODES_MAX:
        return [lab("add-node", "add-node", random.choice(state["zones"])["name"])]
    zones = [node["zone"] for node in state["nodes"]]
    return [kubectl("delete-node", "delete", "node", node["name"], "--wait=false")
            for node in state["nodes"]
            if zones.count(node["zone"]) > 2 and takes_pods(state, node["zone"], node) and
            survives(state, without_node=node["name"])]


def choose(state, random):
    """An action, or None when there is none."""
    heal = [] if is_whole(state) else [lab("heal", "heal")]
    groups = [(3, scalings(state, random)), (3, deletions(state)), (2, cordons(state)),
              (4, policies(state, random)), (2, applied_pods(state, random)),
              (2, demands(state, random)), (1, nodes(state, random)), (3, failures(state)), (6, heal)]
    groups = [(weight, group) for weight, group in groups if group]
    if not groups:
        return None
    (_, group), = random.choices(groups, weights=[weight for weight, _ in groups])
    return random.choice(group)
