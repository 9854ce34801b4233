#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A cluster read from an API server is the same as its dump: live_cluster_test.py PROGRAM.

The embedded server gets every object of a made-up cluster, status included, over its API.
"""
import http.client
import json
import subprocess
import sys
import unittest

from peers import servers
from testbed.waiting import eventually

PROGRAM = ""  # set by main
PATHS = {"Namespace": ("/api/v1", "namespaces"), "Node": ("/api/v1", "nodes"),
         "Pod": ("/api/v1", "pods"), "Service": ("/api/v1", "services"),
         "EndpointSlice": ("/apis/discovery.k8s.io/v1", "endpointslices")}
ORDER = list(PATHS)


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)


def path_of(item):
    group, plural = PATHS[item["kind"]]
    ns = item["metadata"].get("namespace")
    return f"{group}/namespaces/{ns}/{plural}" if ns else f"{group}/{plural}"


class Writer:
    def __init__(self, endpoint):
        self.connection = http.client.HTTPSConnection(endpoint.host, endpoint.port, timeout=30,
                                                      context=endpoint.trust)
        self.headers = {"Authorization": "Bearer " + endpoint.admin,
                        "Content-Type": "application/json"}

    def send(self, method, path, body):
        self.connection.request(method, path, json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status not in (200, 201, 409):
            raise AssertionError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def create(self, item):
        for field in ("uid", "resourceVersion", "creationTimestamp"):
            item["metadata"].pop(field, None)
        # The owners are not in this cluster, and would take what they own with them.
        item["metadata"].pop("ownerReferences", None)
        # Addresses are this server's to give.
        if item["kind"] == "Service" and item["spec"].get("clusterIP") != "None":
            item["spec"].pop("clusterIP", None)
            item["spec"].pop("clusterIPs", None)
        made = self.send("POST", path_of(item), item)
        if item["kind"] in ("Node", "Pod") and "status" in item:
            made["status"] = item["status"]
            self.send("PUT", f"{path_of(item)}/{item['metadata']['name']}/status", made)


class LiveCluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = run("generate", "--nodes", "12", "--services", "10", "--pods", "80", "--slices",
                   "-o", "json")
        items = sorted(json.loads(made.stdout)["items"], key=lambda item: ORDER.index(item["kind"]))
        cls.server = servers.embedded_server(PROGRAM)
        cls.endpoint = cls.server.__enter__()
        writer = Writer(cls.endpoint)
        for item in items:
            writer.create(item)
        writer.connection.close()
        cls.items = items

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def live(self, *words):
        done = run(*words, "--kubeconfig", str(self.endpoint.kubeconfig))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def from_file(self, *words):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": self.items})
        done = subprocess.run([PROGRAM, *words, "-f", "-"], input=text, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_plans_are_those_of_the_dump(self):
        live = json.loads(self.live("plan", "-o", "json"))["items"]
        live = [item for item in live if item["namespace"] != "default" or item["name"] != "kubernetes"]
        self.assertEqual(live, json.loads(self.from_file("plan", "-o", "json"))["items"])
        self.assertGreater(len(live), 5)

    def published(self, item):
        """What explain says of the hints of a service, as a program reads it."""
        name = item["namespace"] + "/" + item["name"]
        zone = next(node["metadata"]["labels"]["topology.kubernetes.io/zone"]
                    for node in self.items if node["kind"] == "Node")
        return json.loads(self.live("explain", name, "--from-zone", zone, "-o", "json"))["published"]

    def test_explain_tells_whether_the_published_hints_are_the_plans(self):
        items = json.loads(self.live("plan", "-o", "json"))["items"]
        hinted = [item for item in items if item["published"]["hints"]]
        self.assertTrue(hinted, "the made-up cluster has a service with hints")
        item = hinted[0]
        before = self.published(item)
        self.assertFalse(before["equalsPlan"], "nobody has published hints yet")
        self.assertEqual(before["hinted"], 0)
        self.publish(item)
        after = self.published(item)
        self.assertTrue(after["equalsPlan"], after)
        self.assertEqual(after["hinted"], after["compared"])
        self.assertIn("Published: equals the plan", self.live(
            "explain", item["namespace"] + "/" + item["name"], "--from-zone",
            "region-1a"))

    def publish(self, item):
        """Writes the planned hints of a service into its slices."""
        hints = {endpoint["address"]: endpoint for endpoint in item["endpoints"]}
        writer = Writer(self.endpoint)
        base = f"/apis/discovery.k8s.io/v1/namespaces/{item['namespace']}/endpointslices"
        found = writer.send("GET", f"{base}?labelSelector=kubernetes.io/service-name%3D"
                            + item["name"], None)
        for piece in found["items"]:
            for endpoint in piece["endpoints"]:
                planned = hints[endpoint["addresses"][0]]
                names = {key: [{"name": name} for name in planned[key]]
                         for key in ("forZones", "forNodes") if planned[key]}
                if names:
                    endpoint["hints"] = names
            writer.send("PUT", f"{base}/{piece['metadata']['name']}", piece)
        writer.connection.close()

    def test_the_read_only_kubeconfig_is_enough(self):
        readonly = str(self.endpoint.kubeconfig) + "-readonly"
        done = run("plan", "--kubeconfig", readonly)
        self.assertEqual((done.returncode, done.stdout), (0, self.live("plan")), done.stderr)

    def test_an_unknown_context_is_named(self):
        done = run("plan", "--kubeconfig", str(self.endpoint.kubeconfig), "--context", "moon")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("moon", done.stderr)

    def test_a_server_that_is_not_there_is_named(self):
        broken = self.endpoint.kubeconfig.parent / "broken"
        broken.write_text(self.endpoint.kubeconfig.read_text().replace(
            f":{self.endpoint.port}", f":{servers.free_port()}"))
        done = run("plan", "--kubeconfig", str(broken))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("Connection refused", done.stderr)
        self.assertNotIn(self.endpoint.admin, done.stderr)


class Controlled(unittest.TestCase):
    """The controller publishes what plan and explain say it should."""

    def test_what_the_controller_published_is_the_plan(self):
        made = run("generate", "--nodes", "12", "--services", "12", "--pods", "100", "-o", "json")
        items = sorted(json.loads(made.stdout)["items"], key=lambda item: ORDER.index(item["kind"]))
        with servers.embedded_server(PROGRAM) as endpoint:
            writer = Writer(endpoint)
            for item in items:
                writer.create(item)
            writer.connection.close()
            self.kubeconfig = ("--kubeconfig", str(endpoint.kubeconfig))
            names = [item["metadata"]["namespace"] + "/" + item["metadata"]["name"]
                     for item in items if item["kind"] == "Service"]
            with servers.running([PROGRAM, "controller", *self.kubeconfig, "--leader-elect=false",
                                  "--kube-api-qps=0", "--metrics-bind-address=127.0.0.1:0"],
                                 endpoint.kubeconfig.parent / "controller.log"):
                for name in names:
                    eventually(lambda name=name: self.published(name), f"{name} is published")

    def published(self, name):
        done = run("explain", name, "--from-zone", "region-1a", "-o", "json", *self.kubeconfig)
        if done.returncode != 0:  # no slices yet
            return False
        told = json.loads(done.stdout)["published"]
        return bool(told and told["equalsPlan"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
