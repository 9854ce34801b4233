# SPDX-License-Identifier: Apache-2.0
"""What is served, as clients find out. The real server serves more: only our part is compared."""
from steps import DISCOVERY, Case, accepting, get, request

CORE = ("namespaces", "nodes", "pods", "services", "endpoints", "configmaps", "events")
GROUPS = {
    "discovery.k8s.io": ("endpointslices",),
    "events.k8s.io": ("events",),
    "coordination.k8s.io": ("leases",),
    "networking.k8s.io": ("servicecidrs", "ipaddresses"),
}


def resources(path, names):
    return get(path, only=("kind", "apiVersion", "groupVersion",
                           *[f"resources/name={name}" for name in names]))


def described(place, names):
    """The parts of resources in aggregated discovery; of sub-resources the status alone."""
    parts = ("responseKind", "scope", "singularResource", "verbs", "shortNames", "categories",
             "subresources/subresource=status")
    return [f"{place}/resources/resource={name}/{part}" for name in names for part in parts]


def group(name):
    place = f"items/metadata.name={name}/versions/0"
    return accepting("/apis", DISCOVERY, only=(
        "kind", "apiVersion", "metadata", f"{place}/version", f"{place}/freshness",
        *described(place, GROUPS[name])))


CASES = [
    Case("the versions and groups",
         get("/api", only=("kind", "versions", "serverAddressByClientCIDRs/0/clientCIDR")),
         get("/apis", only=("kind", "apiVersion", *[f"groups/name={name}" for name in GROUPS
                                                   if name != "networking.k8s.io"],
                            "groups/name=networking.k8s.io/preferredVersion")),
         *[get(f"/apis/{name}") for name in GROUPS if name != "networking.k8s.io"],
         get("/apis/fish.example.com"), get("/apis/fish.example.com/v1"), get("/api/v2")),
    Case("the resources of each group",
         resources("/api/v1", CORE),
         *[resources(f"/apis/{name}/v1", names) for name, names in GROUPS.items()]),
    Case("all of it at once",
         accepting("/api", DISCOVERY, only=("kind", "apiVersion", "metadata", "items/0/metadata",
                                            "items/0/versions/0/version",
                                            *described("items/0/versions/0", CORE))),
         *[group(name) for name in GROUPS],
         accepting("/api", "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,"
                   "application/json", only=("kind",))),
    Case("the version of the server",
         get("/version", only=("major", "platform")),
         request("GET", "/version/", only=("major",))),
    Case("schemas",
         get("/openapi/v3", only=("kind",)),
         get("/openapi/v2", only=("swagger", "info/title")),
         get("/openapi/v3/apis/discovery.k8s.io/v1", only=("openapi",)),
         get("/openapi/v3/fish")),
]
