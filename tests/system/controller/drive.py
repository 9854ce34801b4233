# SPDX-License-Identifier: Apache-2.0
"""Gives a server the steps of a trace."""
import urllib.parse

from testbed.api import Api, Refused
from testbed.objects import SERVICE_NAME


def slices_path(namespace, service=None):
    path = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
    if service:
        path += "?labelSelector=" + urllib.parse.quote(f"{SERVICE_NAME}={service}")
    return path


def order(item):
    """The same order on every server: names end in random letters."""
    return (item["addressType"], str(item.get("ports")),
            sorted(address for endpoint in item.get("endpoints") or []
                   for address in endpoint["addresses"]))


class Driver:
    """One namespace of one server."""

    def __init__(self, endpoint, namespace=None):
        self.api = Api(endpoint)
        self.namespace = namespace

    def make_namespace(self):
        self.api.create("/api/v1/namespaces", {"metadata": {"name": self.namespace}})

    def apply(self, step):
        """"ok", or the status of a refusal: both servers have to say the same."""
        try:
            self.do(step)
            return "ok"
        except Refused as refusal:
            if refusal.status >= 500:
                raise
            return str(refusal)

    def do(self, step):
        special = {"COLLECT": self.collect, "LOSE": self.lose, "RELABEL": self.relabel}
        if step.method in special:
            return special[step.method](step.path)
        content = ("application/merge-patch+json" if step.method == "PATCH"
                   else "application/json")
        path = step.path.replace("/NS/", f"/{self.namespace}/")
        return self.api.call(step.method, path, step.body, content)

    def slices(self, service):
        return sorted(self.api.items(slices_path(self.namespace, service)), key=order)

    def collect(self, service):
        """What the garbage collector does, at a time that is the same on every server."""
        there = self.api.find(f"/api/v1/namespaces/{self.namespace}/services/{service}")
        uid = there["metadata"]["uid"] if there else None
        for item in self.slices(service):
            owners = [owner["uid"] for owner in item["metadata"].get("ownerReferences", [])]
            if owners and uid not in owners:
                self.delete_slice(item)

    def lose(self, service):
        for item in self.slices(service)[:1]:
            self.delete_slice(item)

    def delete_slice(self, item):
        name = item["metadata"]["name"]
        self.api.delete(f"{slices_path(self.namespace)}/{name}", missing_ok=True)

    def relabel(self, service):
        """Somebody puts a label on a slice, which is no label of the Service."""
        for item in self.slices(service)[:1]:
            self.api.patch(f"{slices_path(self.namespace)}/{item['metadata']['name']}",
                           {"metadata": {"labels": {"somebody": "was-here"}}})

    def nudge(self):
        """Every Service is looked at again, as upstream does after 12 hours."""
        for item in self.api.items(f"/api/v1/namespaces/{self.namespace}/services"):
            self.api.patch(f"/api/v1/namespaces/{self.namespace}/services/{item['metadata']['name']}",
                           {"metadata": {"annotations": {"example.com/nudge": "again"}}})

    def clear(self):
        """Services first, so that a controller has nothing to write for the rest."""
        for kind in ("services", "pods"):
            for item in self.api.items(f"/api/v1/namespaces/{self.namespace}/{kind}"):
                self.api.delete(f"/api/v1/namespaces/{self.namespace}/{kind}/"
                                f"{item['metadata']['name']}", 0, missing_ok=True)
        self.api.call("DELETE", slices_path(self.namespace))

    def close(self):
        self.api.close()
