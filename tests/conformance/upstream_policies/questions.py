# SPDX-License-Identifier: Apache-2.0
"""Random questions: small worlds, because every rule shows in a small one, and many odd ones."""

ZONES = ["zone-a", "zone-b", "zone-c", "zone-d", "zone-e"]
QUANTITIES = ["1", "2", "4", "8", "16", "500m", "1500m", "3920m", "0.1", "1.5", "2.5e0", "1e1",
              "4Ki", "100u", "1n", "0.0000000001", "8413m", "7E-1"]
ODD_QUANTITIES = ["0", "", "0m", "two", "1.2.3", "4KI", "+3", "1e", "-1", ".5", "5."]


def chance(rng, probability):
    return rng.random() < probability


def present(fields):
    """Without what is None: absent, as the API writes it. Null is asked for as [None]."""
    return {key: (None if value == [None] else value)
            for key, value in fields.items() if value is not None}


# hints

def node(rng, number, zones, odd):
    zone = rng.choice(zones)
    cpu = rng.choice(QUANTITIES) if chance(rng, 0.3) else rng.choice(["4", "8"])
    if odd and chance(rng, 0.15):
        zone = rng.choice([None, ""])
    if odd and chance(rng, 0.1):
        cpu = rng.choice([None, *ODD_QUANTITIES])
    return present({
        "name": f"node-{number}",
        "zone": zone,
        "allocatableCpu": cpu,
        "ready": not chance(rng, 0.1),
        "controlPlane": True if chance(rng, 0.08) else None,
    })


def nodes(rng):
    zones = ZONES[:rng.choice([1, 2, 2, 2, 3, 3, 3, 4, 5])]
    odd = chance(rng, 0.15)
    count = rng.choice([0, 1, 2, 3, 4, 6, 10, 20])
    made = [node(rng, i, zones, odd) for i in range(count)]
    if chance(rng, 0.7):  # every zone has somebody, so that there is something to share out
        made += [{"name": f"base-{zone}", "zone": zone, "allocatableCpu": "4", "ready": True}
                 for zone in zones]
    rng.shuffle(made)
    return made


class EndpointStyle:
    """What the endpoints of one question have in common."""

    def __init__(self, rng):
        self.weights = [rng.choice([0, 1, 1, 2, 8]) for _ in ZONES]
        if not any(self.weights):
            self.weights[0] = 1
        known = rng.choice([2, 3, 5])
        self.weights = self.weights[:known] if any(self.weights[:known]) else self.weights
        self.ready = rng.choice([1, 1, 0.9, 0.5])
        self.unplaced = rng.choice([0, 0, 0, 0, 0.02, 0.3])
        self.node_hinted = rng.choice([0, 0, 0, 0.02, 1])

    def zone(self, rng):
        if chance(rng, self.unplaced):
            return rng.choice([None, ""])
        return rng.choices(ZONES[:len(self.weights)], self.weights)[0]


def hinted(rng, style, zone, how):
    """Zones that an earlier run wrote: right, wrong, several, or none."""
    if how == "none" or chance(rng, 0.02):
        return None
    if how == "right" and zone:
        return [zone]
    if how == "many":
        return rng.sample(ZONES[:len(style.weights)], min(2, len(style.weights)))
    return [rng.choice([*ZONES, "zone-gone", ""])]


def endpoint(rng, style, number, how):
    zone = style.zone(rng)
    ready = True if chance(rng, style.ready) else rng.choice([False, None, [None]])
    hints = hinted(rng, style, zone, how)
    return present({
        "address": f"10.0.{number // 250}.{number % 250 + 1}",
        "zone": zone,
        "ready": ready,
        "forZones": hints,
        "forNodes": ["node-1"] if hints and chance(rng, style.node_hinted) else None,
    })


def hints_question(rng, number):
    style = EndpointStyle(rng)
    slices = []
    made = 0
    for i in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 5])):
        state = rng.choice(["create", "update", "unchanged", "unchanged"])
        kinds = ["none"] if state == "create" else ["none", "right", "right", "right", "many", "any"]
        how = rng.choice(kinds)
        count = rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 30, 60])
        slices.append({"name": f"s{i}", "state": state, "endpoints": [
            endpoint(rng, style, made + k, how) for k in range(count)]})
        made += count
    return {"name": f"hints-{number}", "nodes": nodes(rng), "slices": slices}


# categorize

def some(rng, names, probability):
    if not chance(rng, probability):
        return None
    return rng.sample(names, rng.choice([1, 1, 1, 2]))


def proxy_endpoint(rng, number, zone_hinted, node_hinted):
    condition = [True, False, None, [None]]
    ready = rng.choice([True, *condition])
    return present({
        "endpoint": f"10.1.{number}.{rng.randrange(1, 250)}:{rng.choice([80, 80, 8080])}",
        "ready": ready,
        "serving": rng.choice(condition),
        "terminating": rng.choice(condition),
        "onThisNode": chance(rng, 0.3),
        "forZones": some(rng, [*ZONES[:3], ""], zone_hinted),
        "forNodes": some(rng, ["node-0", "node-1", "node-2"], node_hinted),
    })


def categorize_question(rng, number):
    zone_hinted = rng.choice([0, 0.8, 1, 1])
    node_hinted = rng.choice([0, 0, 0.8, 1])
    endpoints = [proxy_endpoint(rng, i, zone_hinted, node_hinted)
                 for i in range(rng.choice([0, 1, 2, 3, 4, 6]))]
    return present({
        "name": f"categorize-{number}",
        "node": rng.choice(["node-0", "node-1", "node-9"]),
        "nodeZone": rng.choice([*ZONES[:4], "", None]),
        "internalTrafficPolicyLocal": chance(rng, 0.3),
        "externalTrafficPolicyLocal": chance(rng, 0.4),
        "externallyAccessible": chance(rng, 0.5),
        "endpoints": endpoints if endpoints or chance(rng, 0.5) else [None],
    })
