# SPDX-License-Identifier: Apache-2.0
"""What may be done to a lab in a state such that no request has a reason to fail: a Service keeps an
endpoint that serves, and never are two failures there at once. Pure: a state and a generator of random
numbers give one action."""
import dataclasses

POLICIES = ("cluster-wide", "auto", "prefer-same-zone", "prefer-same-node", "zone-aware", "balanced")
OVERLOADS = ("0%", "10%", "20%", "50%")
PODS_OF_A_ZONE_MAX = 4
NODES_MAX = 9


@dataclasses.dataclass(frozen=True)
class Action:
    kind: str  # for the count
    program: str  # "lab" or "kubectl"
    words: tuple


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


def kubectl(kind, *words):
    return Action(kind, "kubectl", words)


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


def cordons(state):
    actions = [kubectl("uncordon", "uncordon", node["name"]) for node in state["nodes"]
               if node["cordoned"]]
    for node in state["nodes"]:
        others = [other for other in state["nodes"]
                  if other["zone"] == node["zone"] and other != node and not other["cordoned"]]
        if others and not node["cordoned"]:
            actions.append(kubectl("cordon", "cordon", node["name"]))
    return actions


def policies(state, random):
    actions = []
    for service in state["services"]:
        policy = random.choice(POLICIES)
        words = [f"proxima.io/policy={policy}",
                 f"proxima.io/overload={random.choice(OVERLOADS)}" if policy == "balanced"
                 else "proxima.io/overload-"]
        actions.append(kubectl("policy", "-n", service["namespace"], "annotate", "--overwrite",
                               "service", service["name"], *words))
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
            if zones.count(node["zone"]) > 2 and survives(state, without_node=node["name"])]


def choose(state, random):
    """An action, or None when there is none."""
    heal = [] if is_whole(state) else [lab("heal", "heal")]
    groups = [(3, scalings(state, random)), (3, deletions(state)), (2, cordons(state)),
              (3, policies(state, random)), (2, demands(state, random)), (1, nodes(state, random)),
              (3, failures(state)), (6, heal)]
    groups = [(weight, group) for weight, group in groups if group]
    if not groups:
        return None
    (_, group), = random.choices(groups, weights=[weight for weight, _ in groups])
    return random.choice(group)
