# SPDX-License-Identifier: Apache-2.0
"""Random objects and random patches and selectors for them, small worlds so that things meet."""
import copy

NAMES = ["a", "b", "c", "d", "e"]
NUMBERS = [0, 1, 2, 53, 80, 443]
WORDS = ["x", "y", "z", "a/b", "m~n", "<&>", ""]

# A shape is one of: "text", "number", "flag"; ("map",) for free keys; ("list", item, merge_key or
# None, pool of keys); a dict of fields. Merge keys are upstream's; the oracle knows them itself.
ENV = ("list", {"name": "text", "value": "text"}, "name", NAMES)
CONTAINER = {
    "name": "text", "image": "text", "tty": "flag", "command": ("list", "text", None, None),
    "env": ENV,
    "ports": ("list", {"containerPort": "number", "protocol": "text", "name": "text"}, "containerPort", NUMBERS),
    "volumeMounts": ("list", {"mountPath": "text", "name": "text"}, "mountPath", NAMES),
    "resources": {"limits": ("map",), "requests": ("map",)},
}
CONDITIONS = ("list", {"type": "text", "status": "text", "reason": "text"}, "type", NAMES)
METADATA = {
    "name": "text", "labels": ("map",), "annotations": ("map",),
    "finalizers": ("list", "text", "", NAMES),
    "ownerReferences": ("list", {"uid": "text", "name": "text", "controller": "flag"}, "uid", NAMES),
}
SHAPES = {
    ("v1", "Pod"): {
        "metadata": METADATA,
        "spec": {
            "nodeName": "text", "hostNetwork": "flag", "nodeSelector": ("map",), "priority": "number",
            "containers": ("list", CONTAINER, "name", NAMES),
            "initContainers": ("list", CONTAINER, "name", NAMES),
            "volumes": ("list", {"name": "text", "emptyDir": {"medium": "text"}, "hostPath": {"path": "text", "type": "text"}},
                        "name", NAMES),
            "tolerations": ("list", {"key": "text", "effect": "text"}, None, NAMES),
            "imagePullSecrets": ("list", {"name": "text"}, "name", NAMES),
            "hostAliases": ("list", {"ip": "text", "hostnames": ("list", "text", None, None)}, "ip", NAMES),
            "securityContext": {"runAsUser": "number", "supplementalGroups": ("list", "number", None, None)},
        },
        "status": {"phase": "text", "conditions": CONDITIONS, "podIPs": ("list", {"ip": "text"}, "ip", NAMES)},
    },
    ("v1", "Service"): {
        "metadata": METADATA,
        "spec": {
            "type": "text", "selector": ("map",), "clusterIPs": ("list", "text", None, None),
            "ports": ("list", {"port": "number", "name": "text", "protocol": "text", "targetPort": "number"}, "port", NUMBERS),
            "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": "number"}},
        },
        "status": {"conditions": CONDITIONS},
    },
    ("v1", "Node"): {
        "metadata": METADATA,
        "spec": {"podCIDR": "text", "podCIDRs": ("list", "text", "", NAMES), "unschedulable": "flag",
                 "taints": ("list", {"key": "text", "effect": "text"}, None, NAMES)},
        "status": {"capacity": ("map",), "conditions": CONDITIONS,
                   "addresses": ("list", {"type": "text", "address": "text"}, "type", NAMES)},
    },
    ("v1", "ConfigMap"): {"metadata": METADATA, "data": ("map",), "immutable": "flag"},
    ("v1", "Namespace"): {"metadata": METADATA, "spec": {"finalizers": ("list", "text", None, None)}},
    ("discovery.k8s.io/v1", "EndpointSlice"): {
        "metadata": METADATA, "addressType": "text",
        "endpoints": ("list", {"addresses": ("list", "text", None, None), "nodeName": "text",
                               "conditions": {"ready": "flag"}}, None, NAMES),
        "ports": ("list", {"name": "text", "port": "number"}, None, NUMBERS),
    },
    ("coordination.k8s.io/v1", "Lease"): {"metadata": METADATA, "spec": {"holderIdentity": "text", "leaseTransitions": "number"}},
    ("networking.k8s.io/v1", "ServiceCIDR"): {"metadata": METADATA, "spec": {"cidrs": ("list", "text", None, None)},
                                              "status": {"conditions": CONDITIONS}},
}


def is_list(shape):
    return isinstance(shape, tuple) and shape[0] == "list"


def make(random, shape, key=None):
    """A value of the shape. `key` is the item's (field, value) when it is one of a merged list."""
    if shape == "text":
        return random.choice(WORDS)
    if shape == "number":
        return random.choice(NUMBERS)
    if shape == "flag":
        return random.random() < 0.5
    if shape == ("map",):
        return {name: random.choice(WORDS) for name in random.sample(NAMES, random.randint(0, 3))}
    if is_list(shape):
        return make_list(random, shape)
    out = {field: make(random, below) for field, below in shape.items() if random.random() < 0.6}
    if key:
        out[key[0]] = key[1]
    return out


def make_list(random, shape):
    _, item, merge_key, pool = shape
    if merge_key:
        return [make(random, item, (merge_key, value)) for value in random.sample(pool, random.randint(0, 4))]
    if merge_key == "":
        return random.sample(pool, random.randint(0, 4))
    return [make(random, item) for _ in range(random.randint(0, 3))]


def mistaken(random):
    """Something that does not belong where it is put."""
    return copy.deepcopy(random.choice([None, 1, 1.5, "text", True, [], {}, ["q"], [1], [{"q": 1}], [["q"]], {"q": None},
                                        {"$patch": "delete"}, {"$patch": "replace", "a": "1"}, {"$patch": "merge"},
                                        {"$patch": 1}, [{"$patch": "replace"}], [None]]))


def strategic_list(random, shape, current, patch, field):
    """Puts a patch of a list into `patch`, with the directives that go with it."""
    _, item, merge_key, pool = shape
    current = current if isinstance(current, list) else []
    if merge_key is None:
        patch[field] = make_list(random, shape)
        return
    if merge_key == "":
        patch[field] = random.sample(pool, random.randint(0, 3))
        gone = [name for name in pool if name not in patch[field]]
        if random.random() < 0.4:
            patch["$deleteFromPrimitiveList/" + field] = random.sample(gone, random.randint(0, 2))
        if random.random() < 0.4:
            order = list(dict.fromkeys(patch[field] + random.sample(pool, random.randint(0, 3))))
            patch["$setElementOrder/" + field] = order
            if random.random() < 0.8:
                patch[field] = [name for name in order if name in patch[field]]
        if random.random() < 0.2:
            del patch[field]
        return
    items = []
    by_key = {entry.get(merge_key): entry for entry in current if isinstance(entry, dict)}
    for value in random.sample(pool, random.randint(0, 3)):
        dice = random.random()
        if dice < 0.2:
            items.append({merge_key: value, "$patch": "delete"})
        elif dice < 0.7:
            items.append({**strategic(random, item, by_key.get(value, {})), merge_key: value})
        else:
            items.append(make(random, item, (merge_key, value)))
    if random.random() < 0.08:
        items.append({"$patch": random.choice(["replace", "replace", "merge", "other"])})
    if random.random() < 0.04:
        items.append(make(random, item))
    if random.random() < 0.4:
        wanted = [entry[merge_key] for entry in items if merge_key in entry and "$patch" not in entry]
        order = wanted + [value for value in random.sample(pool, random.randint(0, 3)) if value not in wanted]
        if random.random() < 0.2:
            random.shuffle(order)
        patch["$setElementOrder/" + field] = [{merge_key: value} for value in order]
        if random.random() < 0.05:
            patch["$setElementOrder/" + field] = mistaken(random)
    if "$setElementOrder/" + field not in patch or random.random() < 0.8:
        patch[field] = items


def strategic(random, shape, current):
    """A strategic merge patch for an object of this shape."""
    patch = {}
    current = current if isinstance(current, dict) else {}
    for field, below in shape.items():
        dice = random.random()
        if dice < 0.5:
            continue
        if dice < 0.56:
            patch[field] = None
        elif dice < 0.58:
            patch[field] = mistaken(random)
        elif is_list(below):
            strategic_list(random, below, current.get(field), patch, field)
        elif below == ("map",):
            patch[field] = {name: random.choice(WORDS + [None, None]) for name in random.sample(NAMES, random.randint(0, 3))}
        elif isinstance(below, dict):
            patch[field] = strategic(random, below, current.get(field))
        else:
            patch[field] = make(random, below)
    directives(random, shape, patch)
    return patch


def directives(random, shape, patch):
    dice = random.random()
    if dice < 0.04:
        patch["$patch"] = random.choice(["replace", "delete", "merge", "other"])
    elif dice < 0.12:
        named = [field for field in patch if not field.startswith("$")]
        kept = named + random.sample(list(shape), random.randint(0, min(2, len(shape))))
        if random.random() < 0.1:
            kept = kept[1:]
        patch["$retainKeys"] = kept
    elif dice < 0.13:
        patch["$retainKeys"] = mistaken(random)
    elif dice < 0.14:
        patch["$deleteFromPrimitiveList/" + random.choice(list(shape))] = mistaken(random)
    elif dice < 0.15:
        patch["$setElementOrder/" + random.choice(list(shape) + ["bogus"])] = mistaken(random)


def pointers(value, at=""):
    yield at
    if isinstance(value, dict):
        for key, member in value.items():
            yield from pointers(member, at + "/" + key.replace("~", "~0").replace("/", "~1"))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from pointers(item, f"{at}/{index}")


def value_at(value, pointer):
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def json_patch(random, document):
    known = list(pointers(document))
    ends = ["", "/0", "/1", "/-", "/-1", "/-9", "/q", "/99", "/99999999999999999999", "/+0", "/a~1b", "/01"]

    def pointer():
        if random.random() < 0.05:
            return random.choice(["", "/", "q", "q/metadata", "//", "/metadata/~2"])
        return random.choice(known) + random.choice(ends if random.random() < 0.5 else [""])

    operations = []
    for _ in range(random.randint(0, 4)):
        operation = {"op": random.choice(["add", "remove", "replace", "move", "test", "copy"]), "path": pointer()}
        if random.random() < 0.02:
            operation["op"] = random.choice(["sing", "", None])
        if operation["op"] in ("move", "copy"):
            operation["from"] = pointer()
        if operation["op"] in ("add", "replace", "test") and random.random() < 0.97:
            operation["value"] = mistaken(random)
            if operation["op"] == "test" and random.random() < 0.7 and operation["path"] in known:
                operation["value"] = copy.deepcopy(value_at(document, operation["path"]))
        if random.random() < 0.02:
            del operation["path"]
        operations.append(operation)
    return operations


def merge_patch(random, document):
    patch = {}
    for key, member in document.items():
        dice = random.random()
        if dice < 0.4:
            continue
        if dice < 0.5:
            patch[key] = None
        elif dice < 0.65:
            patch[key] = mistaken(random)
        elif isinstance(member, dict):
            patch[key] = merge_patch(random, member)
        else:
            patch[key] = make(random, "text")
    if random.random() < 0.3:
        patch[random.choice(NAMES)] = mistaken(random)
    return patch


def label_text(random):
    key = random.choice(NAMES + ["a.b/c", "in", "notin", "-a", "a-", "X/y", "/a", "a/", "a/b/c", "k" * 64, "é"])
    value = random.choice(NAMES + ["1", "-5", "+7", "x-", "v" * 64, "", "in", "99999999999999999999"])
    form = random.choice(["{k}", "!{k}", "{k}={v}", "{k}=={v}", "{k}!={v}", "{k} in ({v},{w})", "{k} notin ({v})", "{k}>{v}",
                          "{k}<{v}", "{k} in ()", "{k} in (,{v})", "{k} in ({v},,)", "{k} in {v}", "{k} {v}", "!!{k}", "{k}=({v}",
                          "{k} in ({v}", "{k} in ({v} {w})", "{k}=!{v}", "{k} in (=", "", "=", "{k}!", "{k} in (,="])
    return form.format(k=key, v=value, w=random.choice(NAMES))


def label_question(random):
    text = random.choice([",", ", ", ",,", " "] if random.random() < 0.2 else [","]).join(
        label_text(random) for _ in range(random.randint(0, 3)))
    sets = [{name: random.choice(["a", "1", "7", "-5", "", "in", "x"]) for name in random.sample(NAMES + ["in", "a.b/c"], 3)}
            for _ in range(4)]
    return {"do": "labels", "text": text, "labels": sets}


def field_question(random):
    fields = ["metadata.name", "metadata.namespace", "spec.nodeName", "status.phase", "spec.bogus", "", "é"]
    terms = [random.choice(fields) + random.choice(["=", "==", "!=", "!", "", "===", "!=="]) +
             random.choice(["a", "b", "", "a\\,b", "a\\=b", "a\\\\", "a\\b", "a\\é", "a\\", "a=b", "é"])
             for _ in range(random.randint(0, 3))]
    pods = [{"metadata": {"name": random.choice("ab"), "namespace": random.choice("ab")},
             "spec": {"nodeName": random.choice("ab"), "containers": None}, "status": {"phase": random.choice("ab")}}
            for _ in range(4)]
    return {"do": "fields", "text": ",".join(terms), "objects": pods}


def question(random):
    dice = random.random()
    if dice < 0.1:
        return label_question(random)
    if dice < 0.15:
        return field_question(random)
    (api_version, kind), shape = random.choice(list(SHAPES.items()))
    shape = {"metadata": METADATA, **shape}
    document = {"apiVersion": api_version, "kind": kind, **make(random, shape)}
    about = {"apiVersion": api_version, "kind": kind, "object": document}
    if dice < 0.3:
        return {"do": "json-patch", **about, "patch": json_patch(random, document)}
    if dice < 0.4:
        return {"do": "merge-patch", **about, "patch": merge_patch(random, document)}
    return {"do": "strategic-patch", **about, "patch": strategic(random, shape, document)}
