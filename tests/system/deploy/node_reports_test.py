#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Node proxies report to the controller, with a real kube-apiserver between them:
node_reports_test.py PROGRAM.

Both have no more rights than their manifests give them. The condition Honored of a Service says
what the proxy has in its kernel, also when that is behind, and nobody but proxies may report. Exits
with 77 and the reason when a program is not to be had.
"""
import collections
import http.client
import json
import os
import signal
import ssl
import subprocess
import sys
import unittest

import deploy_test
import proxy_deploy_test
from deploy_test import OnRealServer, eventually, servers
from own_network import OwnNetwork

SKIPPED = 77
HONORED = "proxima.io/TrafficDistributionHonored"
AUDIENCE = "proxima-controller"
NODE = "here"


class NodeReports(OnRealServer):
    write_config = proxy_deploy_test.ProxyDeploy.write_config
    as_the_container = proxy_deploy_test.ProxyDeploy.as_the_container

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            cls.network = OwnNetwork(cls.endpoint.host, cls.endpoint.port)
        except PermissionError as why:
            cls.tearDownClass()
            print(f"a node proxy needs a network of its own: {why}")
            sys.exit(SKIPPED)
        cls.addClassCleanup(cls.network.close)

    def setUp(self):
        self.folder = self.endpoint.kubeconfig.parent
        for folder in (deploy_test.MANIFESTS, proxy_deploy_test.MANIFESTS):
            for name in ("service-account.yaml", "rbac.yaml"):
                self.kubectl("apply", "-f", folder / name)
        self.make_cluster()

    def make_cluster(self):
        self.api.create("/api/v1/nodes", metadata={"name": NODE, "labels": {
            "topology.kubernetes.io/zone": "zone-a"}})
        self.api.set_status(f"/api/v1/nodes/{NODE}", {
            "allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]})
        self.add_pod("web-1", "10.244.7.1")
        self.api.create("/api/v1/namespaces/default/services", metadata={"name": "web"},
                        spec={"selector": {"app": "web"}, "ports": [{"port": 80}],
                              "trafficDistribution": "PreferSameZone"})

    def add_pod(self, name, address):
        self.api.create("/api/v1/namespaces/default/pods",
                        metadata={"name": name, "labels": {"app": "web"}},
                        spec={"nodeName": NODE, "containers": [{"name": "c", "image": "i"}]})
        self.api.set_status(f"/api/v1/namespaces/default/pods/{name}", {
            "phase": "Running", "podIP": address, "podIPs": [{"ip": address}],
            "conditions": [{"type": "Ready", "status": "True"}]})

    def token(self, account, *flags):
        return self.kubectl("create", "token", account, "-n", "kube-system", *flags).strip()

    def start_controller(self):
        kubeconfig = self.folder / "controller-kubeconfig"
        servers.write_kubeconfig(kubeconfig, self.endpoint.url, self.token("proxima-controller"))
        self.report_port = servers.free_port()
        self.controller_log = self.folder / "controller.log"
        self.enterContext(servers.running(
            [deploy_test.PROGRAM, "controller", "--kubeconfig", kubeconfig,
             "--metrics-bind-address=127.0.0.1:0",
             f"--report-bind-address=127.0.0.1:{self.report_port}"], self.controller_log))
        self.network.reach("127.0.0.1", self.report_port)

    def start_proxy(self):
        config = self.write_config(self.token("proxima-proxy"))
        report_token = self.folder / "report-token"
        report_token.write_text(self.token(
            "proxima-proxy", "--audience", AUDIENCE, "--bound-object-kind", "Node",
            "--bound-object-name", NODE))
        self.proxy_log = self.folder / "proxy.log"
        with self.proxy_log.open("w") as output:
            self.proxy = self.network.call(
                subprocess.Popen,
                [*self.as_the_container(config), f"--report-token-file={report_token}"],
                stdout=output, stderr=output)
        self.addCleanup(lambda: (self.proxy.kill(), self.proxy.wait()))

    def honored(self):
        service = json.loads(self.api.send("GET", "/api/v1/namespaces/default/services/web"))
        for condition in service.get("status", {}).get("conditions") or ():
            if condition["type"] == HONORED:
                return condition
        return {}

    def eventually_honored(self, status, reason):
        return eventually(lambda: (found := self.honored()).get("status") == status
                          and found["reason"] == reason and found,
                          f"{HONORED}={status}, {reason}", seen=lambda: json.dumps(self.honored())
                          + self.controller_log.read_text()[-2000:])

    def send(self, token, report):
        """The status of the answer to a report. The certificate is of no interest to a liar."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.report_port, timeout=30,
                                                 context=context)
        connection.request("POST", "/node-reports", json.dumps(report),
                           {"Authorization": "Bearer " + token} if token else {})
        status = connection.getresponse().status
        connection.close()
        return status

    def test_the_condition_says_what_the_kernel_of_the_node_has(self):
        before = self.api.refusals()
        self.start_controller()
        found = self.eventually_honored("Unknown", "NoNodeReports")
        self.assertEqual(found["message"], "no node reports what it routes")

        self.start_proxy()
        found = self.eventually_honored("True", "PlanFollowed")
        self.assertEqual(found["message"], "every ready node routes by the published plan")
        self.refuses_everybody_else()

        # A proxy that stands still keeps its routes, and the plan goes on without it.
        self.proxy.send_signal(signal.SIGSTOP)
        self.add_pod("web-2", "10.244.7.2")
        found = self.eventually_honored("False", "NodesBehind")
        self.assertRegex(found["message"],
                         rf"^0 of 1 nodes follow plan [0-9]+; {NODE} is [0-9]+ s behind$")
        self.proxy.send_signal(signal.SIGCONT)
        self.eventually_honored("True", "PlanFollowed")
        self.assertIn("10.244.7.2", self.network.run("nft", "list", "ruleset").stdout)

        said = self.controller_log.read_text() + self.proxy_log.read_text()
        self.assertEqual(self.api.refusals() - before, collections.Counter(), said[-3000:])
        self.assertNotIn((self.folder / "report-token").read_text(), said)

    def refuses_everybody_else(self):
        report = {"format": 1, "node": NODE, "instance": "x", "sequence": 1, "slicesVersion": 0}
        proxy = (self.folder / "report-token").read_text()
        self.kubectl("create", "serviceaccount", "tenant", "-n", "kube-system")
        rows = [
            ("no token", "", report, 401),
            ("a made-up token", "made-up", report, 403),
            ("a token for another audience", self.token("proxima-proxy"), report, 403),
            ("another account", self.token("tenant", "--audience", AUDIENCE), report, 403),
            ("another node than the token's", proxy, dict(report, node="elsewhere"), 403),
            ("no report", proxy, {"format": 1}, 400),
        ]
        for name, token, sent, status in rows:
            with self.subTest(name):
                self.assertEqual(self.send(token, sent), status)


if __name__ == "__main__":
    deploy_test.PROGRAM = proxy_deploy_test.PROGRAM = sys.argv.pop(1)
    try:
        for program in ("kubectl", "kube-apiserver", "etcd"):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    os.environ.pop("KUBECONFIG", None)
    unittest.main()
