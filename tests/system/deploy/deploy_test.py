#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/ on a real kube-apiserver: deploy_test.py PROGRAM.

The server accepts every manifest, the chart says the same as the manifests, and a controller that
has no more rights than they give it is never refused. Exits with 77 and the reason when a program
is not to be had.
"""
import collections
import http.client
import json
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
from peers import servers
from testbed.waiting import eventually

PROGRAM = ""  # set by main
SKIPPED = 77
MANIFESTS = ROOT / "deploy" / "kubernetes"
CHART = ROOT / "deploy" / "helm" / "proxima"
NAMES_OF_HELM = ("app.kubernetes.io/instance", "app.kubernetes.io/managed-by",
                 "app.kubernetes.io/version", "helm.sh/chart")


def run(*words, given=None):
    return subprocess.run([str(word) for word in words], input=given, capture_output=True,
                          text=True, timeout=120)


def manifests():
    found = []
    for name in yaml.safe_load((MANIFESTS / "kustomization.yaml").read_text())["resources"]:
        found += yaml.safe_load_all((MANIFESTS / name).read_text())
    return found


class Api:
    """Requests of the administrator."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def send(self, method, path, body=None, kind="application/json"):
        connection = http.client.HTTPSConnection(self.endpoint.host, self.endpoint.port, timeout=30,
                                                 context=self.endpoint.trust)
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Authorization": "Bearer " + self.endpoint.admin, "Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status >= 400:
            raise AssertionError(f"{method} {path}: {answer.status} {text[:500]}")
        return text

    def create(self, path, **body):
        return json.loads(self.send("POST", path, body))

    def set_status(self, path, status):
        return self.send("PATCH", path + "/status", {"status": status},
                         "application/merge-patch+json")

    def refusals(self):
        """How many requests the server has refused so far, by verb and resource."""
        found = collections.Counter()
        for line in self.send("GET", "/metrics").splitlines():
            if line.startswith("apiserver_request_total{") and 'code="403"' in line:
                labels = dict(re.findall(r'(\w+)="([^"]*)"', line))
                found[labels["verb"], labels["resource"], labels["subresource"]] += float(
                    line.rsplit(" ", 1)[1])
        return found


def make_cluster(api):
    """Two zones, and four Services: slices, hints, conditions, events, and one mirrored."""
    for name, zone in (("n1", "zone-a"), ("n2", "zone-b")):
        api.create("/api/v1/nodes", metadata={"name": name, "labels": {
            "topology.kubernetes.io/zone": zone}})
        api.set_status(f"/api/v1/nodes/{name}", {
            "allocatable": {"cpu": "4"}, "capacity": {"cpu": "4"},
            "conditions": [{"type": "Ready", "status": "True"}]})
        for number in (1, 2):
            pod = f"web-{name}-{number}"
            api.create("/api/v1/namespaces/default/pods",
                       metadata={"name": pod, "labels": {"app": "web"}},
                       spec={"nodeName": name, "containers": [{"name": "c", "image": "i"}]})
            api.set_status(f"/api/v1/namespaces/default/pods/{pod}", {
                "phase": "Running", "podIP": f"10.1.{name[1]}.{number}",
                "podIPs": [{"ip": f"10.1.{name[1]}.{number}"}],
                "conditions": [{"type": "Ready", "status": "True"}]})
    port = [{"port": 80}]
    services = "/api/v1/namespaces/default/services"
    api.create(services, metadata={"name": "auto", "annotations": {
        "service.kubernetes.io/topology-mode": "Auto"}},
        spec={"selector": {"app": "web"}, "ports": port})
    api.create(services, metadata={"name": "near"}, spec={
        "selector": {"app": "web"}, "ports": port, "trafficDistribution": "PreferClose"})
    api.create(services, metadata={"name": "even", "annotations": {
        "proxima.io/policy": "balanced"}}, spec={"selector": {"app": "web"}, "ports": port})
    api.create(services, metadata={"name": "by-hand"}, spec={"ports": port})
    api.create("/api/v1/namespaces/default/endpoints", metadata={"name": "by-hand"},
               subsets=[{"addresses": [{"ip": "192.0.2.7"}], "ports": [{"port": 80}]}])


class OnRealServer(unittest.TestCase):
    """Tests that share one kube-apiserver."""
    ADMISSION = ()

    @classmethod
    def setUpClass(cls):
        cls.kubectl_path = servers.peer("kubectl")
        cls.server = servers.real_server(admission=cls.ADMISSION)
        cls.endpoint = cls.server.__enter__()
        cls.api = Api(cls.endpoint)

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def kubectl(self, *words, given=None):
        done = run(self.kubectl_path, "--kubeconfig", self.endpoint.kubeconfig, *words, given=given)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Deploy(OnRealServer):
    # With this one an owner may block a deletion only by the word of whoever may finalize it.
    ADMISSION = ("OwnerReferencesPermissionEnforcement",)

    def helm_template(self, *values):
        try:
            helm = servers.peer("helm")
        except servers.Unavailable as why:
            self.skipTest(str(why))
        done = run(helm, "template", "proxima", CHART, "--namespace", "kube-system",
                   "--kube-version", "1.36.0", *(word for value in values
                                                 for word in ("--set", value)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_server_accepts_every_manifest(self):
        text = self.kubectl("apply", "--dry-run=server", "-k", MANIFESTS)
        self.assertEqual(len(text.splitlines()), len(manifests()))
        for line in text.splitlines():
            self.assertIn("(server dry run)", line)

    def test_the_example_for_kubeadm_names_the_upstream_controller(self):
        example = yaml.safe_load((ROOT / "deploy" / "upstream" / "kubeadm.yaml").read_text())
        (argument,) = example["controllerManager"]["extraArgs"]
        known = run(servers.peer("kube-controller-manager"), "--help").stdout
        for name in argument["value"].replace("*,", "").split(","):
            self.assertIn(name.lstrip("-"), known)

    def test_the_flags_of_the_deployments_are_flags(self):
        (deployment,) = (thing for thing in manifests() if thing["kind"] == "Deployment")
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        help_text = run(PROGRAM, *container["args"][:1], "--help").stdout
        for word in container["args"][1:]:
            self.assertIn(word.split("=")[0], help_text)

    def test_a_controller_with_these_rights_is_never_refused(self):
        for name in ("service-account.yaml", "rbac.yaml", "mirroring-rbac.yaml"):
            self.kubectl("apply", "-f", MANIFESTS / name)
        token = self.kubectl("create", "token", "proxima-controller", "-n", "kube-system").strip()
        kubeconfig = self.endpoint.kubeconfig.parent / "service-account"
        servers.write_kubeconfig(kubeconfig, self.endpoint.url, token)
        log = self.endpoint.kubeconfig.parent / "controller.log"
        before = self.api.refusals()
        with servers.running([PROGRAM, "controller", "--kubeconfig", kubeconfig, "-v", "2",
                              "--endpoints-mirroring", "--metrics-bind-address", "127.0.0.1:0"], log) as child:
            make_cluster(self.api)
            eventually(self.is_settled, "slices, hints, conditions and events")
            self.kubectl("delete", "service", "even")
            self.kubectl("delete", "pod", "web-n1-1", "--force", "--grace-period=0")
            eventually(lambda: len(self.addresses("near")) == 3, "one endpoint fewer")
            self.assertIsNone(child.poll(), log.read_text())
            lease = json.loads(self.kubectl("get", "lease", "proxima-controller", "-n",
                                            "kube-system", "-o", "json"))
            self.assertTrue(lease["spec"]["holderIdentity"])
        said = log.read_text()
        self.assertEqual(self.api.refusals() - before, collections.Counter(), said[-3000:])
        self.assertNotIn("forbidden", said.lower())
        self.assertNotIn(token, said)
        lease = json.loads(self.kubectl("get", "lease", "proxima-controller", "-n", "kube-system",
                                        "-o", "json"))
        self.assertFalse(lease["spec"].get("holderIdentity"), "the Lease was given back")

    def slices(self, service):
        return json.loads(self.kubectl("get", "endpointslices", "-l",
                                       "kubernetes.io/service-name=" + service, "-o",
                                       "json"))["items"]

    def addresses(self, service):
        return [endpoint for piece in self.slices(service) for endpoint in piece["endpoints"] or ()]

    def is_settled(self):
        if any(len(self.addresses(name)) != 4 for name in ("auto", "near", "even")):
            return False
        if len(self.addresses("by-hand")) != 1:
            return False
        hinted = all(endpoint.get("hints") for name in ("auto", "near")
                     for endpoint in self.addresses(name))
        services = json.loads(self.kubectl("get", "services", "-o", "json"))["items"]
        told = any(condition["type"].startswith("proxima.io/") for service in services
                   for condition in service.get("status", {}).get("conditions") or ())
        events = json.loads(self.kubectl("get", "events", "-o", "json"))["items"]
        return hinted and told and bool(events)

    def test_the_rights_end_where_the_work_ends(self):
        for name in ("service-account.yaml", "rbac.yaml"):
            self.kubectl("apply", "-f", MANIFESTS / name)
        user = "system:serviceaccount:kube-system:proxima-controller"
        for question in (["list", "secrets"], ["create", "pods"], ["update", "services"],
                         ["delete", "nodes"], ["update", "leases/other", "-n", "kube-system"],
                         ["update", "leases", "-n", "default"], ["create", "pods/exec"]):
            done = run(self.kubectl_path, "--kubeconfig", self.endpoint.kubeconfig, "auth", "can-i",
                       *question, "--as", user)
            self.assertEqual(done.stdout.strip(), "no", question)

    def test_the_chart_says_what_the_manifests_say(self):
        def plain(thing):
            """Without what the chart adds: its labels and the flags that name the Lease."""
            text = json.loads(json.dumps(thing))
            pieces = [text]
            while pieces:
                piece = pieces.pop()
                if isinstance(piece, list):
                    pieces += piece
                    continue
                if not isinstance(piece, dict):
                    continue
                for name in NAMES_OF_HELM:
                    piece.pop(name, None)
                piece.pop("imagePullPolicy", None)
                if "args" in piece:
                    piece["args"] = [word for word in piece["args"]
                                     if not word.startswith("--leader-elect-resource")]
                pieces += piece.values()
            return text

        def by_name(things):
            return {(thing["kind"], thing["metadata"]["name"]): plain(thing)
                    for thing in things if thing}

        self.maxDiff = None
        self.assertEqual(by_name(yaml.safe_load_all(self.helm_template())), by_name(manifests()))

    def test_the_server_accepts_the_chart_with_any_values(self):
        for values in ([], ["controller.dryRun=true"], ["controller.endpointsMirroring=true"],
                       ["controller.replicas=1", "networkPolicy.enabled=false"],
                       ["controller.flags.default-policy=balanced", "controller.flags.overload=20%",
                        "controller.flags.v=2", "image.tag=test", "leaderElection.leaseName=mine"]):
            with self.subTest(values=values):
                text = self.helm_template(*values)
                self.kubectl("apply", "--dry-run=server", "-f", "-", given=text)
                self.check_arguments(text)

    def check_arguments(self, text):
        """The program takes the flags: it gets as far as looking for the cluster."""
        (deployment,) = (thing for thing in yaml.safe_load_all(text)
                         if thing and thing["kind"] == "Deployment")
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        words = [word.replace("$(POD_IP)", "127.0.0.1") for word in container["args"]]
        done = run(PROGRAM, *words, "--kubeconfig", "/nonexistent")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("/nonexistent", done.stderr)

    def test_the_chart_refuses_values_that_it_does_not_know(self):
        try:
            helm = servers.peer("helm")
        except servers.Unavailable as why:
            self.skipTest(str(why))
        self.assertEqual(run(helm, "lint", "--strict", CHART).returncode, 0)
        for value in ("controller.replica=3", "controller.replicas=0", "image.pullPolicy=Often"):
            done = run(helm, "template", "proxima", CHART, "--kube-version", "1.36.0", "--set",
                       value)
            self.assertNotEqual(done.returncode, 0, value)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    try:
        servers.peer("kubectl"), servers.peer("kube-apiserver"), servers.peer("etcd")
        servers.peer("kube-controller-manager")
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    unittest.main()
