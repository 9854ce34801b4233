#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The live page of a cluster shows what a real node proxy counted of real connections: cluster_page
PROGRAM.

One network namespace is the node: the embedded API, the controller with its page, a proxy with its
rules in the kernel, and two backends of which one counts as another zone's. The page asks the proxy at
an address that is not the loopback's, with a token. A second node has no proxy.
"""
import collections
import contextlib
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import own_namespace
from peers import servers
from testbed.waiting import eventually

PROGRAM = ""  # set by main
TOKEN = "a-token-of-this-test-0123"
CONNECTIONS = 60
SENT, ANSWERED = 1000, 20000  # bytes of a connection, without headers
SERVICE = "10.96.7.7"
NODE = "10.244.9.1"
BACKENDS = {"10.244.7.7": ("web-1", "here"), "10.244.7.8": ("web-2", "there")}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (words, done.stderr)


def status_of(path):
    """Of a page of the proxy, for somebody who comes over the network without a token."""
    connection = http.client.HTTPConnection(NODE, 10249, timeout=30)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


class Backend:
    """Takes connections at its address, and counts them."""

    def __init__(self, address):
        run("ip", "address", "add", address + "/32", "dev", "lo")
        self.taken = 0
        self.listener = socket.create_server((address, 8080))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                client.recv(SENT, socket.MSG_WAITALL)
                client.sendall(b"y" * ANSWERED)
            self.taken += 1


class ClusterPage(unittest.TestCase):
    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.endpoint = self.stack.enter_context(servers.embedded_server(PROGRAM))
        run("ip", "route", "replace", "default", "dev", "lo")
        self.make_cluster()

    def api(self, method, path, body):
        connection = http.client.HTTPSConnection(self.endpoint.host, self.endpoint.port, timeout=30,
                                                 context=self.endpoint.trust)
        connection.request(method, path, json.dumps(body), {
            "Authorization": "Bearer " + self.endpoint.admin,
            "Content-Type": "application/json" if method == "POST"
                            else "application/merge-patch+json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.assertLess(answer.status, 300, text)
        return json.loads(text)

    def make_cluster(self):
        ready = {"type": "Ready", "status": "True"}
        for name, zone, address in (("here", "zone-a", NODE), ("there", "zone-b", "10.244.9.9")):
            self.api("POST", "/api/v1/nodes", {
                "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}}})
            self.api("PATCH", f"/api/v1/nodes/{name}/status", {"status": {
                "addresses": [{"type": "InternalIP", "address": address}], "conditions": [ready],
                "allocatable": {"cpu": "4"}}})
        self.api("POST", "/api/v1/namespaces/default/services", {
            "metadata": {"name": "web"},
            "spec": {"clusterIP": SERVICE, "selector": {"app": "web"},
                     "ports": [{"port": 80, "targetPort": 8080}]}})
        pods = "/api/v1/namespaces/default/pods"
        for address, (name, node) in BACKENDS.items():
            self.api("POST", pods, {
                "metadata": {"name": name, "labels": {"app": "web"}},
                "spec": {"nodeName": node, "containers": [{"name": "c", "image": "none"}]}})
            self.api("PATCH", f"{pods}/{name}/status", {"status": {
                "phase": "Running", "podIP": address, "podIPs": [{"ip": address}],
                "conditions": [ready]}})

    def start(self, *words):
        log = self.folder / words[0]
        self.stack.enter_context(servers.running(
            [PROGRAM, *words, "--kubeconfig", self.endpoint.kubeconfig], log))
        return log

    def state(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/api/state", headers={"Authorization": "Bearer " + TOKEN})
        answer = connection.getresponse()
        state = json.loads(answer.read())
        connection.close()
        self.assertEqual(answer.status, 200, state)
        return state

    def web(self):
        return next((one for one in self.state()["services"] if one["service"] == "default/web"), None)

    def measured_web(self, local):
        """Once it shows so much local traffic."""
        web = self.web()
        measured = web["measured"] or {"flows": [], "local": None}
        return web if len(measured["flows"]) == 2 and abs(measured["local"] - local) < 1e-6 else None

    def connect(self):
        with socket.create_connection((SERVICE, 80), timeout=20) as client:
            client.sendall(b"x" * SENT)
            self.assertEqual(len(client.recv(ANSWERED, socket.MSG_WAITALL)), ANSWERED)

    def test_shows_what_the_proxy_of_a_node_counted(self):
        (self.folder / "token").write_text(TOKEN)
        (self.folder / "proxy-token").write_text(self.endpoint.admin + "\n")
        run("ip", "address", "add", NODE + "/32", "dev", "lo")
        log = self.start("controller", "--web=127.0.0.1:0", f"--web-token-file={self.folder}/token",
                         f"--web-proxy-token-file={self.folder}/proxy-token",
                         "--metrics-bind-address=0", "--leader-elect=false")
        self.start("proxy", "--hostname-override=here", "--metrics-bind-address=0.0.0.0:10249",
                   *own_namespace.PROXY_FLAGS)
        self.port = int(eventually(lambda: re.search(r"page at http://127\.0\.0\.1:(\d+)/",
                                                     log.read_text()), "the page").group(1))
        eventually(lambda: (self.web() or {"endpoints": 0})["endpoints"] == 2, "both endpoints")
        backends = {address: Backend(address) for address in BACKENDS}
        eventually(lambda: self.state()["totals"]["requestsPerSecond"] is not None,
                   "the proxy was asked twice")
        self.assertEqual([status_of(path) for path in ("/metrics", "/readyz", "/debug/flows",
                                                       "/debug/routes", "/configz")],
                         [200, 200, 401, 401, 401], "who has no token")
        for _ in range(CONNECTIONS):
            self.connect()
        # The kernel tells the end of a connection minutes after it; this makes it tell now.
        run("conntrack", "-D", "-p", "tcp", "--orig-dst", SERVICE)
        taken = collections.Counter({BACKENDS[address][0]: backend.taken
                                     for address, backend in backends.items()})
        self.assertEqual(taken.total(), CONNECTIONS)
        self.assertEqual(len(taken), 2, "each backend has some")
        local = taken["web-1"] / CONNECTIONS
        web = eventually(lambda: self.measured_web(local), "all of them are measured")
        self.check(web, taken)
        asked = self.state()["asked"]
        self.assertEqual((asked["nodes"], asked["asked"], asked["answered"]), (2, 2, 1))
        self.assertIn("the proxy of there at http://10.244.9.9:10249", asked["problem"])

    def check(self, web, taken):
        measured = web["measured"]
        for flow in measured["flows"]:
            self.assertEqual(flow["from"], "zone-a")
            name = {"zone-a": "web-1", "zone-b": "web-2"}[flow["to"]]
            self.assertAlmostEqual(flow["share"], taken[name] / CONNECTIONS)
        self.assertAlmostEqual(measured["local"], taken["web-1"] / CONNECTIONS)
        self.assertEqual(measured["failed"], 0)
        rates = {endpoint["pod"]: endpoint["requestsPerSecond"] for endpoint in measured["endpoints"]}
        # In how many seconds they came is the page's to say, and between two and six rounds.
        seconds = CONNECTIONS / measured["requestsPerSecond"]
        self.assertGreater(seconds, 5)
        self.assertLess(seconds, 70)
        for name, count in taken.items():
            self.assertAlmostEqual(rates["default/" + name] * seconds, count, places=6)
        state = self.state()
        self.assertIsNone(state["zones"][0]["demand"], "that is a lab's")
        self.assertEqual(state["mode"], "cluster")
        payload = CONNECTIONS * (SENT + ANSWERED) / seconds * 730 * 3600 / 1e9
        self.assertGreater(web["cost"]["gigabytesPerMonth"], payload)
        self.assertLess(web["cost"]["gigabytesPerMonth"], payload * 1.3, "headers are little")
        crossing = taken["web-2"] / CONNECTIONS * web["cost"]["gigabytesPerMonth"] * 0.02
        self.assertAlmostEqual(web["cost"]["perMonth"] / crossing, 1, delta=0.05)


if __name__ == "__main__":
    if not own_namespace.is_inside():
        sys.exit(own_namespace.enter("the page of a cluster with a real proxy"))
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
