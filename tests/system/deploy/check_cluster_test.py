#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`proxima check` on a real kube-apiserver that holds the manifests: check_cluster_test.py PROGRAM.

Nothing schedules Pods there, so statuses of DaemonSets and Deployments are written as their
controllers would. Exits with 77 and the reason when a program is not to be had.
"""
import json
import sys
import unittest

from deploy_test import MANIFESTS, ROOT, SKIPPED, OnRealServer, eventually, run, servers

PROGRAM = ""  # set by main
PROXY = ROOT / "deploy" / "proxy"
APPS = "/apis/apps/v1/namespaces/kube-system"
KUBE_PROXY = {"metadata": {"name": "kube-proxy"}, "spec": {
    "selector": {"matchLabels": {"k8s-app": "kube-proxy"}}, "template": {
        "metadata": {"labels": {"k8s-app": "kube-proxy"}},
        "spec": {"containers": [{"name": "kube-proxy", "image": "kube-proxy:v1.36.4"}]}}}}
AWAY = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
    {"matchExpressions": [{"key": "proxima.io/node-proxy", "operator": "NotIn",
                           "values": ["enabled"]}]}]}}}


class CheckCluster(OnRealServer):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("n1", "n2", "n3"):
            cls.api.create("/api/v1/nodes", metadata={"name": name})
        for folder in (MANIFESTS, PROXY):
            done = run(cls.kubectl_path, "--kubeconfig", cls.endpoint.kubeconfig, "apply", "-k", folder)
            if done.returncode != 0:
                raise AssertionError(done.stderr)

    def checked(self, *flags, kubeconfig=None, code=0):
        """Outcome and detail by id; the exit code is `code`."""
        done = run(PROGRAM, "check", "--api-only", "-o", "json", "--kubeconfig",
                   kubeconfig or self.endpoint.kubeconfig, *flags)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return {item["id"]: (item["outcome"], item["detail"])
                for item in json.loads(done.stdout)["items"]}

    def kubeconfig_of(self, account):
        token = self.kubectl("create", "token", account, "-n", "kube-system").strip()
        path = self.endpoint.kubeconfig.parent / account
        servers.write_kubeconfig(path, self.endpoint.url, token)
        return path

    def test_an_administrator_has_the_rights_and_a_reader_has_not(self):
        found = self.checked("--pre")
        self.assertEqual(found["controller-rights"], ("ok", ""))
        self.assertEqual(found["proxy-rights"], ("ok", ""))
        reader = self.endpoint.kubeconfig.parent / "reader"
        servers.write_kubeconfig(reader, self.endpoint.url, self.endpoint.reader)
        found = self.checked("--pre", kubeconfig=reader, code=1)
        self.assertEqual(found["controller-rights"][0], "failed")
        self.assertIn("create endpointslices.discovery.k8s.io", found["controller-rights"][1])
        self.assertIn("and ", found["controller-rights"][1])
        self.assertEqual(found["proxy-rights"][0], "failed")

    def test_the_rights_of_the_manifests_are_enough_for_each_part(self):
        for part in ("controller", "proxy"):
            with self.subTest(part=part):
                found = self.checked("--pre", "--component", part,
                                     kubeconfig=self.kubeconfig_of("proxima-" + part))
                self.assertEqual(found[part + "-rights"], ("ok", ""))
                self.assertEqual(found["node-zones"][0], "warning")

    def test_one_right_that_is_taken_away_is_named(self):
        kubeconfig = self.kubeconfig_of("proxima-proxy")
        role = json.loads(self.kubectl("get", "clusterrole", "proxima-proxy", "-o", "json"))
        self.addCleanup(self.kubectl, "apply", "-f", PROXY / "rbac.yaml")
        role["rules"] = [rule for rule in role["rules"]
                         if rule.get("resources") != ["servicecidrs"]]
        self.kubectl("replace", "-f", "-", given=json.dumps(role))

        def is_named():
            found = json.loads(run(PROGRAM, "check", "--api-only", "--pre", "--component", "proxy",
                                   "-o", "json", "--kubeconfig", kubeconfig).stdout)["items"]
            return next(item["detail"] for item in found if item["id"] == "proxy-rights") == \
                "not allowed: list servicecidrs.networking.k8s.io and watch servicecidrs.networking.k8s.io"
        # The authorizer learns of it a moment later.
        eventually(is_named, "the missing right")

    def test_kube_proxy_and_ours_on_the_same_nodes(self):
        self.api.create(APPS + "/daemonsets", **KUBE_PROXY)
        self.addCleanup(self.kubectl, "delete", "daemonset", "kube-proxy", "-n", "kube-system")
        for name, count in (("kube-proxy", 2), ("proxima-proxy", 2)):
            self.set_counts(name, count)
        found = self.checked(code=1)
        self.assertEqual(found["kube-proxy-daemon-set"],
                         ("failed", "kube-system/kube-proxy is for 2 nodes, whatever their labels"))
        self.assertEqual(found["one-proxy-per-node"], (
            "failed", "Proxima's on 2 and kube-proxy on 2 of 3 nodes: some have both"))
        self.assertEqual(found["proxy-daemon-set"],
                         ("ok", "kube-system/proxima-proxy: 2 of 2 ready"))
        self.assertEqual(found["controller-deployment"],
                         ("failed", "kube-system/proxima-controller: 0 of 2 available"))
        self.assertEqual(found["versions"][0], "ok")
        self.api.send("PATCH", APPS + "/daemonsets/kube-proxy",
                      {"spec": {"template": {"spec": {"affinity": AWAY}}}},
                      "application/merge-patch+json")
        self.set_counts("kube-proxy", 1)
        found = self.checked("--component", "proxy")
        self.assertEqual(found["kube-proxy-daemon-set"][0], "ok")
        self.assertEqual(found["one-proxy-per-node"][0], "ok")

    def set_counts(self, name, count):
        self.api.set_status(f"{APPS}/daemonsets/{name}", {
            "desiredNumberScheduled": count, "currentNumberScheduled": count, "numberMisscheduled": 0,
            "numberReady": count, "updatedNumberScheduled": count})

    def test_cilium_in_the_place_of_kube_proxy(self):
        self.api.create("/api/v1/namespaces/kube-system/configmaps",
                        metadata={"name": "cilium-config"}, data={"kube-proxy-replacement": "true"})
        self.addCleanup(self.kubectl, "delete", "configmap", "cilium-config", "-n", "kube-system")
        found = self.checked("--pre", code=1)
        self.assertEqual(found["service-bypass"],
                         ("failed", "kube-proxy-replacement=true in kube-system/cilium-config"))
        self.assertNotIn("service-bypass", self.checked("--pre", "--component", "controller"))

    def test_upstreams_controller_by_what_it_wrote_and_by_its_pod(self):
        slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
        self.api.send("POST", slices + "?fieldManager=kube-controller-manager", {
            "metadata": {"name": "web-1", "labels": {
                "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
            "addressType": "IPv4", "endpoints": []})
        self.addCleanup(self.kubectl, "delete", "endpointslice", "web-1")
        found = self.checked("--pre", "--component", "controller")
        self.assertEqual(found["upstream-controller"][0], "warning")
        self.assertIn("it last wrote an EndpointSlice at 20", found["upstream-controller"][1])
        self.assertEqual(found["slice-managers"], ("ok", "endpointslice-controller.k8s.io (1)"))
        pod = {"metadata": {"name": "kcm", "labels": {"component": "kube-controller-manager"}},
               "spec": {"containers": [{"name": "c", "image": "i", "command": [
                   "kube-controller-manager", "--controllers=*,-endpointslice-controller"]}]}}
        self.api.create("/api/v1/namespaces/kube-system/pods", **pod)
        self.addCleanup(self.kubectl, "delete", "pod", "kcm", "-n", "kube-system", "--force",
                        "--grace-period=0")
        found = self.checked("--pre", "--component", "controller")
        self.assertEqual(found["upstream-controller"], ("ok", "in 1 Pod"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    try:
        for program in ("kubectl", "kube-apiserver", "etcd"):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    unittest.main()
