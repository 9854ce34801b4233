# SPDX-License-Identifier: Apache-2.0
"""What a namespace's slices have to say, worked out anew from its Pods, Services and Nodes: for
Services of one family whose ports are numbers, which is what the churn makes."""
import collections
import json

from testbed.objects import MANAGED_BY, MANAGER, SERVICE_NAME, ZONE


def condition(pod, kind):
    return any(item["type"] == kind and item["status"] == "True"
               for item in pod["status"].get("conditions") or [])


def endpoint_of(pod, zones):
    ready = condition(pod, "Ready")
    leaving = "deletionTimestamp" in pod["metadata"]
    return (pod["metadata"]["name"], pod["metadata"]["uid"],
            tuple(item["ip"] for item in pod["status"].get("podIPs") or []),
            zones.get(pod["spec"].get("nodeName")), ready and not leaving, ready, leaving)


def wanted(pods, services, nodes):
    """Service → its endpoints."""
    zones = {node["metadata"]["name"]: node["metadata"]["labels"].get(ZONE) for node in nodes}
    alive = [pod for pod in pods if pod["status"].get("podIPs") and
             pod["status"]["phase"] not in ("Failed", "Succeeded")]
    return {service["metadata"]["name"]: collections.Counter(
        endpoint_of(pod, zones) for pod in alive
        if service["spec"]["selector"].items() <= pod["metadata"].get("labels", {}).items())
        for service in services}


def found(slices):
    """Service → its endpoints, each as often as it is there; and Service → slices."""
    endpoints, counts = collections.defaultdict(collections.Counter), collections.Counter()
    for item in slices:
        labels = item["metadata"].get("labels", {})
        if labels.get(MANAGED_BY) != MANAGER:
            continue
        counts[labels[SERVICE_NAME]] += 1
        for endpoint in item.get("endpoints") or []:
            conditions = endpoint["conditions"]
            endpoints[labels[SERVICE_NAME]][
                endpoint["targetRef"]["name"], endpoint["targetRef"]["uid"],
                tuple(endpoint["addresses"]), endpoint.get("zone"), conditions["ready"],
                conditions["serving"], conditions["terminating"]] += 1
    return endpoints, counts


def problems(api, namespace):
    """Sentences about what is not as it should be; none when all is well."""
    base = f"/api/v1/namespaces/{namespace}"
    want = wanted(api.items(base + "/pods"), api.items(base + "/services"),
                  api.items("/api/v1/nodes"))
    endpoints, counts = found(
        api.items(f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"))
    told = []
    for name, rows in want.items():
        if rows != endpoints[name]:
            told.append(f"{name}: missing {json.dumps(list((rows - endpoints[name]).elements()))}, "
                        f"too much {json.dumps(list((endpoints[name] - rows).elements()))}")
        if counts[name] != 1:
            told.append(f"{name}: {counts[name]} slices for {sum(rows.values())} endpoints")
    return told
