# SPDX-License-Identifier: Apache-2.0
"""The notation of the cases: a case is a sentence and the requests that show it.

    Case("a Service gets a cluster IP and keeps it",
         create("services", service("web", [port(80)]), save={"ip": "spec/clusterIP"}),
         put("services/web", service("web", [port(81)])))

Paths: "services/web" is in the case's own namespace, "*/services" are those of all namespaces, and
what begins with "/" is meant literally. `<ns>` is the case's namespace and `<NAME>` what an earlier
step saved, in paths, queries and bodies alike.
"""
import dataclasses
import hashlib

JSON = "application/json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY = "application/apply-patch+yaml"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

# Where each resource is served, and whether in namespaces.
PLACES = {
    "namespaces": ("/api/v1", False), "nodes": ("/api/v1", False), "pods": ("/api/v1", True),
    "services": ("/api/v1", True), "endpoints": ("/api/v1", True), "configmaps": ("/api/v1", True),
    "events": ("/api/v1", True), "events.events.k8s.io": ("/apis/events.k8s.io/v1", True),
    "endpointslices": ("/apis/discovery.k8s.io/v1", True),
    "leases": ("/apis/coordination.k8s.io/v1", True),
    "servicecidrs": ("/apis/networking.k8s.io/v1", False),
    "ipaddresses": ("/apis/networking.k8s.io/v1", False),
}


@dataclasses.dataclass
class Step:
    says: str
    method: str
    path: str
    query: dict = dataclasses.field(default_factory=dict)
    body: object = None
    headers: dict = dataclasses.field(default_factory=dict)
    save: dict = dataclasses.field(default_factory=dict)  # name → path in the answer's body
    who: str = "admin"  # "reader", "nobody", "stranger" (a token that nobody has)
    # A stream: None, or what to do with it: "open", "read" `count` events, "end" it.
    stream: str | None = None
    count: int = 0
    until: int | None = None  # ask again until this status comes
    only: tuple = ()  # the parts of the body that are compared; empty: all of it


@dataclasses.dataclass
class Case:
    says: str
    steps: list

    def __init__(self, says, *steps):
        self.says = says
        self.steps = list(steps)

    @property
    def namespace(self):
        return "case-" + hashlib.sha256(self.says.encode()).hexdigest()[:10]


def full_path(path):
    if path.startswith("/"):
        return path
    everywhere = path.startswith("*/")
    resource, _, rest = path.removeprefix("*/").partition("/")
    prefix, namespaced = PLACES[resource]
    plural = resource.partition(".")[0]
    middle = "/namespaces/<ns>" if namespaced and not everywhere else ""
    return f"{prefix}{middle}/{plural}" + ("/" + rest if rest else "")


def request(method, path, body=None, verb=None, says=None, **options):
    return Step(says or f"{verb or method} {path}", method, full_path(path), body=body, **options)


def each(path, rows, **options):
    """A create for each (sentence, object): a table of what is accepted or refused."""
    return [create(path, body, says=says, **options) for says, body in rows]


def create(path, body, **options):
    return request("POST", path, body, "create", **options)


def get(path, **options):
    return request("GET", path, verb="get", **options)


def put(path, body, **options):
    return request("PUT", path, body, "put", **options)


def delete(path, body=None, **options):
    return request("DELETE", path, body, "delete", **options)


def patch(path, body, kind=MERGE, **options):
    headers = {"Content-Type": kind, **options.pop("headers", {})}
    return request("PATCH", path, body, "patch", headers=headers, **options)


def accepting(path, media_type, **options):
    """A GET that asks for another form of the answer."""
    return request("GET", path, verb=f"get as {media_type}:", headers={"Accept": media_type},
                   **options)


def eventually(step, status):
    """What a controller does takes its time."""
    step.until = status
    step.says = "eventually " + step.says
    return step


def watch(path, headers=None, who="admin", **query):
    return Step(f"watch {path}", "GET", full_path(path), query={"watch": "1", **query},
                headers=headers or {}, who=who, stream="open")


def events(count, **options):
    """The next events of the watch that was opened last."""
    return Step(f"the next {count} events", "", "", stream="read", count=count, **options)


def ends():
    return Step("the stream ends", "", "", stream="end")
