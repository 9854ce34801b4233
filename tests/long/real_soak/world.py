# SPDX-License-Identifier: Apache-2.0
"""The cluster as the soak has written it, what may be done to it next, and which requests then have a
reason to fail. Pure: a world and a generator of random numbers give one action."""
import dataclasses

# A Pod that shuts down still serves (LEAVING) if it was ready before, else not (CLOSING).
READY, UNREADY, LEAVING, CLOSING, DEAD = "ready", "unready", "leaving", "closing", "dead"
GOING = (LEAVING, CLOSING, DEAD)
SHUT_DOWN = {READY: LEAVING, UNREADY: CLOSING}
REFUSED, TIMEOUT = "refused", "timeout"
ZONES = ("a", "b", "c")
POLICY, OVERLOAD, KEYS = "proxima.io/policy", "proxima.io/overload", "proxima.io/topology-keys"
ZONE_KEY = "topology.kubernetes.io/zone"
REQUIRE_ZONE, CLUSTER_WIDE = "require-zone", "cluster-wide"
POLICIES = (CLUSTER_WIDE, "topology-keys", "auto", "prefer-same-zone", "prefer-same-node", "zone-aware",
            "balanced", REQUIRE_ZONE)
OVERLOADS = ("0%", "10%", "50%")
SERVICES_MIN, SERVICES_MAX = 3, 6
PODS_OF_A_SERVICE_MAX = 5
EMPTYING = 0.3  # part of the draws that may take all endpoints of a Service


@dataclasses.dataclass
class Pod:
    name: str
    service: str
    host: str
    node: str
    state: str = READY


@dataclasses.dataclass
class World:
    zones: dict  # node → zone
    cordoned: set = dataclasses.field(default_factory=set)
    policies: dict = dataclasses.field(default_factory=dict)  # Service → annotations
    pods: dict = dataclasses.field(default_factory=dict)  # name → Pod
    ending: set = dataclasses.field(default_factory=set)  # Services that are called no more

    def of(self, service, *states):
        return [pod for pod in self.pods.values()
                if pod.service == service and (not states or pod.state in states)]

    def living(self):
        return [name for name in self.policies if name not in self.ending]


@dataclasses.dataclass(frozen=True)
class Action:
    kind: str
    subject: str = ""  # a Service, a Pod or a Node
    value: object = None

    def __str__(self):
        return " ".join(str(word) for word in (self.kind, self.subject, self.value)
                        if word not in ("", None))


def reasons(world):
    """(Service, node of the client, kind) of the failures that the state explains."""
    found = set()
    for service in world.policies:
        dead = bool(world.of(service, DEAD))
        ready = world.of(service, READY)
        # Endpoints that shut down are used where no other is ready.
        usable = ready or world.of(service, LEAVING)
        required = world.policies[service].get(POLICY) == REQUIRE_ZONE
        here = {world.zones[pod.node] for pod in ready}
        for node, zone in world.zones.items():
            if dead:
                found.add((service, node, TIMEOUT))
            if not usable or (required and zone not in here):
                found.add((service, node, REFUSED))
    return found


def strict_services(world):
    return {name for name, annotations in world.policies.items()
            if annotations.get(POLICY) == REQUIRE_ZONE}


def reasons_on_the_way(world, action, strict):
    """Besides reasons(), once the action has made this world: parts may see a change of zones or of a
    policy before or after the Pods and policies that it was meant for. Until all agree, Services may reject
    everywhere that have require-zone or had it since all agreed (`strict`)."""
    if action.kind not in ("zone", "policy", "add-service"):
        return set()
    return {(name, node, REFUSED) for name in strict | strict_services(world)
            if action.kind == "zone" or name == action.subject for node in world.zones}


class Ledger:
    """When which failures had a reason. A reason counts from before the write that makes it until all
    parts are seen to agree on a state without it."""

    KEPT_SECONDS = 120

    def __init__(self):
        self.begun = {}  # reason → time
        self.ended = []  # (reason, begin, end)

    def note(self, found, now):
        for reason in found:
            self.begun.setdefault(reason, now)

    def settle(self, found, now):
        """All agree on a state with these reasons alone."""
        for reason in [one for one in self.begun if one not in found]:
            self.ended.append((reason, self.begun.pop(reason), now))
        self.ended = [one for one in self.ended if one[2] > now - self.KEPT_SECONDS]
        self.note(found, now)

    def explains(self, reason, begun, ended):
        """Whether a request between these times may have failed so."""
        if reason in self.begun and ended >= self.begun[reason]:
            return True
        return any(one == reason and ended >= first and begun <= last
                   for one, first, last in self.ended)


def annotations(random):
    policy = random.choice(POLICIES + (None,))
    if policy is None:
        return {}
    return {POLICY: policy,
            **({OVERLOAD: random.choice(OVERLOADS)} if policy == "balanced" else {}),
            **({KEYS: f"{ZONE_KEY},*"} if policy == "topology-keys" else {})}


def additions(world, free):
    """Pods where there is room; `free`: hosts by name → node."""
    hosts = [host for host, node in free.items() if node not in world.cordoned]
    return [Action("add-pod", service, host) for service in world.living() for host in hosts
            if len(world.of(service)) < PODS_OF_A_SERVICE_MAX]


def refills(world, free):
    return [one for one in additions(world, free) if not world.of(one.subject, READY)]


def pod_changes(world):
    """Each kind on its own: there are many Pods. Others stay ready, or most failures would have a
    reason; `empty` is for taking all."""
    kinds = {"leave": (READY, UNREADY), "unready": (READY,), "ready": (UNREADY,),
             "kill-pod": (READY,)}
    return [[Action(kind, pod.name) for pod in world.pods.values()
             if pod.state in states and pod.service not in world.ending and
             (pod.state != READY or len(world.of(pod.service, READY)) > 1)]
            for kind, states in kinds.items()]


def service_changes(world, random, made):
    changes = [Action("policy", name, annotations(random)) for name in world.living()]
    if len(world.policies) < SERVICES_MAX:
        changes.append(Action("add-service", f"s{made + 1}", annotations(random)))
    if len(world.living()) > SERVICES_MIN:
        changes.append(Action("remove-service", random.choice(world.living())))
    if random.random() < EMPTYING:
        changes.append(Action("empty", random.choice(world.living())))
    return changes


def node_changes(world, random):
    node = random.choice(list(world.zones))
    changes = [Action("label", node, f"v{random.randrange(100)}"),
               Action("zone", node, random.choice(ZONES))]
    if node in world.cordoned:
        return changes + [Action("uncordon", node)]
    return changes + ([Action("cordon", node)] if not world.cordoned else [])


def choose(world, free, made, random):
    """An action; `free`: hosts without a Pod → node, `made`: Services that there ever were."""
    leave, unready, ready, kill = pod_changes(world)
    groups = [(14, additions(world, free)), (40, refills(world, free)), (4, leave), (2, unready),
              (6, ready), (1, kill), (3, service_changes(world, random, made)),
              (2, node_changes(world, random))]
    groups = [(weight, group) for weight, group in groups if group]
    (_, group), = random.choices(groups, weights=[weight for weight, _ in groups])
    return random.choice(group)


def after(world, action):
    """The world once the action is done; Pods that an action makes are named by its caller."""
    pods = {name: dataclasses.replace(pod) for name, pod in world.pods.items()}
    new = World(dict(world.zones), set(world.cordoned), dict(world.policies), pods,
                set(world.ending))
    if action.kind in ("empty", "remove-service"):
        for pod in new.of(action.subject, READY, UNREADY):
            pod.state = SHUT_DOWN[pod.state]
    if action.kind == "remove-service":
        new.ending.add(action.subject)
    elif action.kind in ("policy", "add-service"):
        new.policies[action.subject] = action.value
    elif action.kind == "zone":
        new.zones[action.subject] = action.value
    elif action.kind == "cordon":
        new.cordoned.add(action.subject)
    elif action.kind == "uncordon":
        new.cordoned.discard(action.subject)
    elif action.kind == "add-pod":
        name, service, host, node = action.value
        pods[name] = Pod(name, service, host, node)
    elif action.kind == "leave":
        pods[action.subject].state = SHUT_DOWN[pods[action.subject].state]
    elif action.kind in ("unready", "ready", "kill-pod"):
        pods[action.subject].state = {"unready": UNREADY, "ready": READY,
                                      "kill-pod": DEAD}[action.kind]
    return new
