#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Patches that `proxima migrate` prints are taken by kubectl and do what was predicted.

  migrate_patches_test.py --server real|embedded --program PROXIMA
Exits with 77 and the reason when a program is not to be had.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import unittest

from peers import servers

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "three-zones.yaml"
SKIPPED = 77
COMMAND_SECONDS_MAX = 60
TARGETS = ("trafficDistribution", "balanced", "auto")
FIGURES = ("local", "crossZone", "rejected", "worstOverload", "cost")
# Other ways to ask than the example's. A real server knows neither of the two fields.
OLD_FIELDS = """
- metadata: {namespace: shop, name: racks}
  spec: {topologyKeys: [rack, topology.kubernetes.io/zone], selector: {app: web}, ports: [{port: 80}]}
- metadata: {namespace: shop, name: early}
  spec: {trafficPolicy: PreferZone, selector: {app: web}, ports: [{port: 80}]}
"""
SERVICES = """
apiVersion: v1
kind: ServiceList
items:
- metadata:
    namespace: shop
    name: twice
    annotations:
      service.kubernetes.io/topology-mode: Auto
      service.kubernetes.io/topology-aware-hints: Auto
  spec: {selector: {app: web}, ports: [{port: 80}]}
"""
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: search}
spec:
  replicas: 4
  selector: {matchLabels: {app: search}}
  template:
    metadata: {labels: {app: search}}
    spec:
      containers: [{name: search, image: search}]
      topologySpreadConstraints:
      - maxSkew: 3
        topologyKey: kubernetes.io/hostname
        whenUnsatisfiable: ScheduleAnyway
        labelSelector: {matchLabels: {app: search}}
"""
options = None  # set by main


class OnServer(unittest.TestCase):
    """A server with the example's cluster, and kubectl."""

    @classmethod
    def setUpClass(cls):
        real = options.server == "real"
        cls.started = servers.real_server() if real else servers.embedded_server(options.program)
        cls.endpoint = cls.started.__enter__()
        cls.addClassCleanup(cls.started.__exit__, None, None, None)
        cls.folder = cls.endpoint.kubeconfig.parent
        cls.kubectl("apply", "-f", str(EXAMPLE))
        cls.kubectl("replace", "--subresource=status", "-f", str(EXAMPLE))
        cls.kubectl("apply", "-f", "-", given=SERVICES + ("" if real else OLD_FIELDS))

    @classmethod
    def run_program(cls, *words, given=None):
        done = subprocess.run([str(word) for word in words], input=given, capture_output=True,
                              text=True, timeout=COMMAND_SECONDS_MAX)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout

    @classmethod
    def kubectl(cls, *words, given=None):
        return cls.run_program(servers.peer("kubectl"), "--kubeconfig", cls.endpoint.kubeconfig,
                               *words, given=given)

    def dump(self):
        # Without slices: a real server has one of its own, and then none are derived from Pods.
        return self.kubectl("get", "nodes,namespaces,services,pods", "-A", "-o", "json")

    def migrate(self, *words, dump=None):
        return self.run_program(options.program, "migrate", "-f", "-", *words,
                                given=dump or self.dump())


class Patches(OnServer):
    def moves(self, name, dump):
        item = json.loads(self.migrate(name, "-o", "json", dump=dump))["items"][0]
        return item["now"], {move["to"]: move for move in item["moves"]}

    def test_every_patch_does_what_was_predicted(self):
        dump = self.dump()
        items = json.loads(self.migrate("-n", "shop", "-o", "json", dump=dump))["items"]
        names = [item["name"] for item in items]
        self.assertGreater(len(names), 6)
        file = self.folder / "patch.yaml"
        for name in names:
            for target in TARGETS:
                with self.subTest(service=name, target=target):
                    predicted = self.moves(f"shop/{name}", dump)[1][target]
                    if predicted["isThere"]:
                        continue
                    file.write_text(self.migrate(f"shop/{name}", "--to", target, "-o", "patch",
                                                 dump=dump))
                    self.kubectl("patch", "service", name, "-n", "shop", "--type", "merge",
                                 "--patch-file", file)
                    dump = self.dump()
                    now, moves = self.moves(f"shop/{name}", dump)
                    self.assertTrue(moves[target]["isThere"])
                    self.assertEqual(now["reason"], predicted["reason"])
                    for figure in FIGURES:
                        self.assertAlmostEqual(now[figure], predicted[figure], msg=figure)

    def test_the_comments_are_commands_that_do_the_same(self):
        self.kubectl("annotate", "service", "-n", "data", "replicas", "--overwrite",
                     "proxima.io/topology-keys=topology.kubernetes.io/zone,*")
        text = self.migrate("data/replicas", "-o", "patch")
        commands = [line[2:] for line in text.splitlines() if line.startswith("# kubectl ")]
        self.assertEqual(len(commands), 1, text)
        self.run_program("bash", "-c", f'kubectl() {{ "{servers.peer("kubectl")}" --kubeconfig '
                         f'"{self.endpoint.kubeconfig}" "$@"; }}; {commands[0]}')
        service = json.loads(self.kubectl("get", "service", "-n", "data", "replicas", "-o", "json"))
        self.assertEqual(service["spec"]["trafficDistribution"], "PreferSameZone")
        self.assertNotIn("proxima.io/topology-keys", service["metadata"].get("annotations", {}))


class Workloads(OnServer):
    """On the real server alone: the embedded one has no Deployments."""

    def test_a_deployment_gets_its_constraint_beside_those_it_has(self):
        self.kubectl("apply", "-f", "-", given=DEPLOYMENT)
        dump = json.loads(self.dump())
        for item in dump["items"]:
            metadata = item["metadata"]
            if item["kind"] == "Pod" and metadata.get("labels", {}).get("app") == "search":
                metadata["labels"]["pod-template-hash"] = "abc"
                metadata["ownerReferences"] = [{"kind": "ReplicaSet", "name": "search-abc",
                                                "controller": True}]
        words = ("shop/search", "--to", "auto")
        advice = json.loads(self.migrate(*words, "-o", "json",
                                         dump=json.dumps(dump)))["items"][0]["podsForAuto"]
        spread = next(one for one in advice if one["placement"] == "spread")
        text = self.migrate(*words, "-o", "patch", dump=json.dumps(dump))
        document = next(part for part in text.split("---\n") if "kind: Deployment" in part)
        file = self.folder / "deployment.yaml"
        file.write_text(document)
        self.kubectl("patch", "deployment", "search", "-n", "shop", "--type", "strategic",
                     "--patch-file", file)
        spec = json.loads(self.kubectl("get", "deployment", "-n", "shop", "search", "-o",
                                       "json"))["spec"]
        self.assertEqual(spec["replicas"], spread["pods"])
        self.assertEqual(sorted(one["topologyKey"] for one in
                                spec["template"]["spec"]["topologySpreadConstraints"]),
                         ["kubernetes.io/hostname", "topology.kubernetes.io/zone"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=("real", "embedded"), required=True)
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    try:
        for program in ("kubectl", *("kube-apiserver", "etcd") * (options.server == "real")):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *rest],
                  defaultTest=["Patches"] + ["Workloads"] * (options.server == "real"))
