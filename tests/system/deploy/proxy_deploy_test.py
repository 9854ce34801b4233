#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/proxy on a real kube-apiserver: proxy_deploy_test.py PROGRAM.

The server accepts every manifest, the chart says the same, and a proxy that has no more rights than
they give it, towards the API and towards the kernel, routes and is never refused. Exits with 77 and
the reason when a program is not to be had.
"""
import collections
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

import yaml

from deploy_test import CHART, NAMES_OF_HELM, ROOT, OnRealServer, eventually, run, servers
from own_network import OwnNetwork

PROGRAM = ""  # set by main
SKIPPED = 77
CONNECTIONS = 40
MANIFESTS = ROOT / "deploy" / "proxy"
API_SERVER = "https://kubernetes.example:6443"


def manifests():
    found = []
    for name in yaml.safe_load((MANIFESTS / "kustomization.yaml").read_text())["resources"]:
        found += yaml.safe_load_all((MANIFESTS / name).read_text())
    return found


def only(things, kind):
    (found,) = (thing for thing in things if thing and thing["kind"] == kind)
    return found


def plain(thing):
    """Without what the chart adds, and with the files of a ConfigMap as what they say."""
    if isinstance(thing, list):
        return [plain(piece) for piece in thing]
    if not isinstance(thing, dict):
        return thing
    added = NAMES_OF_HELM + ("imagePullPolicy", "proxima.io/config")
    kept = {name: plain(value) for name, value in thing.items() if name not in added}
    if kept.get("kind") == "ConfigMap":
        kept["data"] = {name: yaml.safe_load(text) for name, text in kept["data"].items()}
    if kept.get("annotations") == {}:
        del kept["annotations"]
    return kept


def status_of(path, token):
    """Of a page of the proxy, asked at an address of the node, as from a Pod of the same node."""
    request = urllib.request.Request("http://10.244.7.7:10249" + path)
    if token:
        request.add_header("Authorization", "Bearer " + token)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code


class ProxyDeploy(OnRealServer):
    def helm_template(self, *values):
        done = run(servers.peer("helm"), "template", "proxima", CHART, "--namespace", "kube-system",
                   "--kube-version", "1.36.0", "--set", "proxy.enabled=true", "--set",
                   "proxy.apiServer=" + API_SERVER,
                   *(word for value in values for word in ("--set", value)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_server_accepts_every_manifest(self):
        text = self.kubectl("apply", "--dry-run=server", "-k", MANIFESTS)
        self.assertEqual(len(text.splitlines()), len(manifests()))

    def test_the_flags_of_the_containers_are_flags(self):
        help_text = run(PROGRAM, "proxy", "--help").stdout
        pod = only(manifests(), "DaemonSet")["spec"]["template"]["spec"]
        for container in pod["initContainers"] + pod["containers"]:
            self.assertEqual(container["args"][0], "proxy")
            for word in container["args"][1:]:
                self.assertIn(word.split("=")[0], help_text)

    def test_the_chart_says_what_the_manifests_say(self):
        def by_name(things):
            return {(thing["kind"], thing["metadata"]["name"]): plain(thing)
                    for thing in things if thing and "proxy" in thing["metadata"]["name"]}

        self.maxDiff = None
        self.assertEqual(by_name(yaml.safe_load_all(self.helm_template())), by_name(manifests()))

    def test_the_server_accepts_the_chart_with_any_values(self):
        for values in ([], ["proxy.kernelSettings=false"], ["proxy.takeOver=false"],
                       ["proxy.flags.service-proxy-name=proxima", "proxy.takeOver=false"],
                       ["proxy.config.detectLocalMode=NodeCIDR", "proxy.maxUnavailable=1"]):
            with self.subTest(values=values):
                text = self.helm_template(*values)
                self.kubectl("apply", "--dry-run=server", "-f", "-", given=text)

    def test_the_chart_wants_to_know_where_the_api_server_is(self):
        for value in ("proxy.apiServer=", "proxy.apiServer=10.0.0.1:6443"):
            done = run(servers.peer("helm"), "template", "proxima", CHART, "--kube-version",
                       "1.36.0", "--set", "proxy.enabled=true", "--set", value)
            self.assertNotEqual(done.returncode, 0, value)
            self.assertIn("apiServer", done.stderr)

    def test_the_rights_end_where_the_work_ends(self):
        for name in ("service-account.yaml", "rbac.yaml"):
            self.kubectl("apply", "-f", MANIFESTS / name)
        user = "system:serviceaccount:kube-system:proxima-proxy"
        for question in (["list", "secrets"], ["list", "pods"], ["update", "services"],
                         ["update", "endpointslices"], ["patch", "nodes"], ["get", "configmaps"],
                         ["create", "servicecidrs"], ["delete", "events"]):
            done = run(self.kubectl_path, "--kubeconfig", self.endpoint.kubeconfig, "auth", "can-i",
                       *question, "--as", user)
            self.assertEqual(done.stdout.strip(), "no", question)

    def own_network(self):
        try:
            network = OwnNetwork(self.endpoint.host, self.endpoint.port)
        except PermissionError as why:
            print(f"not shown here: a proxy with the rights of deploy/proxy ({why})")
            return None
        self.addCleanup(network.close)
        return network

    def test_a_proxy_with_these_rights_routes_and_is_never_refused(self):
        network = self.own_network()
        if network is None:
            return
        for name in ("service-account.yaml", "rbac.yaml"):
            self.kubectl("apply", "-f", MANIFESTS / name)
        token = self.kubectl("create", "token", "proxima-proxy", "-n", "kube-system").strip()
        config = self.write_config(token)
        self.api.create("/api/v1/nodes", metadata={"name": "here", "labels": {
            "topology.kubernetes.io/zone": "zone-a"}})
        service = self.api.create("/api/v1/namespaces/default/services", metadata={"name": "web"},
                                  spec={"ports": [{"port": 80}]})
        self.api.create("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                        metadata={"name": "web-1", "labels": {
                            "kubernetes.io/service-name": "web"}},
                        addressType="IPv4", ports=[{"name": "", "port": 8080}],
                        endpoints=[{"addresses": ["10.244.7.7"], "zone": "zone-b",
                                    "conditions": {"ready": True}}])
        before = self.api.refusals()
        log = self.endpoint.kubeconfig.parent / "proxy.log"
        with network.call(log.open, "w") as output:
            child = network.call(subprocess.Popen, self.as_the_container(config), stdout=output,
                                 stderr=output)
        self.addCleanup(lambda: (child.kill(), child.wait()))

        def routes():
            self.assertIsNone(child.poll(), log.read_text()[-3000:])
            return "10.244.7.7" in network.run("nft", "list", "ruleset").stdout

        eventually(routes, "the endpoint in the kernel")
        self.check_counts(network, service["spec"]["clusterIP"])
        self.check_access(network)
        events = "/api/v1/namespaces/default/events"
        eventually(lambda: [event for event in json.loads(self.api.send("GET", events))["items"]
                            if event["reason"] == "Starting"], "the event of the start")
        child.terminate()
        self.assertEqual(child.wait(timeout=30), 0, log.read_text()[-3000:])
        said = log.read_text()
        self.assertEqual(self.api.refusals() - before, collections.Counter(), said[-3000:])
        self.assertNotIn("forbidden", said.lower())
        self.assertNotIn("not permitted", said.lower())
        self.assertNotIn(token, said)

    def check_counts(self, network, address):
        """Connections from the node itself reach the endpoint, and are counted."""
        network.run("ip", "address", "add", "10.244.7.7/32", "dev", "lo")
        network.run("ip", "route", "add", "default", "dev", "lo")

        def page(path):
            def fetch():
                with urllib.request.urlopen("http://127.0.0.1:10249" + path, timeout=20) as answer:
                    return answer.read().decode()
            return network.call(fetch)

        eventually(lambda: json.loads(page("/debug/flows"))["counting"]["looks"], "a first look")

        def exchange():
            with socket.create_server(("10.244.7.7", 8080)) as listener:
                for _ in range(CONNECTIONS):
                    with socket.create_connection((address, 80), timeout=20) as client:
                        server, _ = listener.accept()
                        with server:
                            client.sendall(b"x" * 1000)
                            server.recv(1000, socket.MSG_WAITALL)
                            server.sendall(b"y" * 2000)
                            client.recv(2000, socket.MSG_WAITALL)

        network.call(exchange)
        # The kernel tells the end of a connection minutes after it; this makes it tell now.
        network.run("conntrack", "-D", "-p", "tcp", "--orig-dst", address)

        def counted():
            return [row for row in json.loads(page("/debug/flows?namespace=default"))["services"]
                    if row["service"] == "web" and row["connections"] == CONNECTIONS]

        (row,) = eventually(counted, "every connection counted")
        self.assertEqual((row["sourceZone"], row["targetZone"]), ("zone-a", "zone-b"))
        self.assertEqual(row["unanswered"], 0)
        for name, payload in (("requestBytes", 1000), ("responseBytes", 2000)):
            self.assertGreaterEqual(row[name], payload * CONNECTIONS)
            self.assertLess(row[name], (payload + 1000) * CONNECTIONS)
        labels = '{namespace="default",service="web",source_zone="zone-a",target_zone="zone-b"}'
        self.assertIn(f"proxima_service_connections_total{labels} {CONNECTIONS}\n",
                      page("/metrics"))

    def check_access(self, network):
        """From an address that is not the loopback's: health and metrics, and more for a token."""
        self.kubectl("apply", "-f", ROOT / "deploy/kubernetes/service-account.yaml",
                     "-f", ROOT / "deploy/kubernetes/web-rbac.yaml")

        def token(name, audience):
            return self.kubectl("create", "token", name, "-n", "kube-system", "--audience",
                                audience).strip()

        page = token("proxima-controller", "proxima-proxy")
        for path, shown, status in (
                ("/metrics", None, 200), ("/readyz", None, 200), ("/livez", None, 200),
                ("/debug/routes", None, 401), ("/debug/flows", None, 401), ("/configz", None, 401),
                ("/flagz", None, 401), ("/statusz", None, 401), ("/proxyMode", None, 401),
                ("/", None, 401), ("/debug/flows", "no-token-of-anybody", 403),
                ("/debug/flows", page, 200), ("/debug/routes", page, 200), ("/configz", page, 403),
                ("/debug/flows", token("proxima-controller", "somebody-else"), 403),
                ("/debug/flows", token("proxima-proxy", "proxima-proxy"), 403)):
            with self.subTest(path=path, token=bool(shown)):
                self.assertEqual(network.call(status_of, path, shown), status)

    def test_without_its_capability_it_says_which_one_is_missing(self):
        network = self.own_network()
        if network is None:
            return
        done = network.run("setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
                           PROGRAM, "proxy", "--kubeconfig", self.endpoint.kubeconfig)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("CAP_NET_ADMIN", done.stderr)

    def test_the_commands_of_the_documentation_are_understood(self):
        page = (ROOT / "docs" / "proxy.md").read_text()
        patch, overrides = re.findall(r"'(\{\"spec.*?\})'", page, flags=re.DOTALL)
        daemon_set = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {
            "name": "kube-proxy", "namespace": "kube-system"}, "spec": {
                "selector": {"matchLabels": {"k8s-app": "kube-proxy"}},
                "template": {"metadata": {"labels": {"k8s-app": "kube-proxy"}}, "spec": {
                    "containers": [{"name": "kube-proxy", "image": "i"}]}}}}
        self.kubectl("apply", "-f", "-", given=json.dumps(daemon_set))
        self.kubectl("-n", "kube-system", "patch", "daemonset", "kube-proxy", "--type", "merge",
                     "-p", patch)
        self.kubectl("-n", "kube-system", "run", "proxima-cleanup", "--dry-run=server",
                     "--restart=Never", "--image=proxima:0.1.0",
                     "--overrides=" + overrides.replace("NODE", "here"))

    def write_config(self, token):
        """The ConfigMap's files, with this server, this token and ports that are free."""
        folder = self.endpoint.kubeconfig.parent
        servers.write_kubeconfig(folder / "proxy-kubeconfig", self.endpoint.url, token)
        config = yaml.safe_load(only(manifests(), "ConfigMap")["data"]["config.conf"])
        config["clientConnection"]["kubeconfig"] = str(folder / "proxy-kubeconfig")
        config["oomScoreAdj"] = int(pathlib.Path("/proc/self/oom_score_adj").read_text())
        # Of the machine, and not of a network namespace.
        config["conntrack"] = {"maxPerCore": 0}
        path = folder / "proxy-config.yaml"
        path.write_text(yaml.safe_dump(config))
        return path

    def as_the_container(self, config):
        """With the capabilities that the DaemonSet leaves it, and its flags."""
        pod = only(manifests(), "DaemonSet")["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        rights = container["securityContext"]["capabilities"]
        self.assertEqual(rights["drop"], ["ALL"])
        kept = "".join(",+" + name.lower() for name in rights["add"])
        words = [word.replace("$(NODE_NAME)", "here") for word in container["args"]]
        words = [f"--config={config}" if word.startswith("--config=") else word for word in words]
        # Nobody projects a token here; tests/system/deploy/node_reports_test.py has one.
        words = [word for word in words if not word.startswith("--report-token-file=")]
        return ["setpriv", "--no-new-privs", "--bounding-set=-all" + kept,
                "--inh-caps=-all" + kept, PROGRAM, *words]


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    try:
        for program in ("kubectl", "kube-apiserver", "etcd", "helm"):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    os.environ.pop("KUBECONFIG", None)
    unittest.main()
