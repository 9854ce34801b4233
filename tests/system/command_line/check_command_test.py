#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`proxima check` as its users meet it: check_command_test.py PROGRAM.

Runs in a network namespace of its own, with the embedded API inside: there is no Proxima but what a
test starts, and rules are those that a test writes.
"""
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import own_namespace
from peers import servers

PROGRAM = ""  # set by main
WAIT_MAX = "60s"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120,
                          **options)


class CheckCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.embedded_server(PROGRAM)
        cls.endpoint = cls.server.__enter__()
        cls.kubeconfig = ("--kubeconfig", str(cls.endpoint.kubeconfig))
        for name, zone in (("n1", "zone-a"), ("n2", "zone-b")):
            cls.api("POST", "/api/v1/nodes", {
                "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}}})
            cls.api("PATCH", f"/api/v1/nodes/{name}/status", {"status": {"allocatable": {"cpu": "2"}}})

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    @classmethod
    def api(cls, method, path, body=None):
        connection = http.client.HTTPSConnection(cls.endpoint.host, cls.endpoint.port, timeout=30,
                                                 context=cls.endpoint.trust)
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": "Bearer " + cls.endpoint.admin, "Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def checked(self, *flags, code=0):
        """Outcome and detail by id; the exit code is `code`."""
        done = run(PROGRAM, "check", *flags, "-o", "json")
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        report = json.loads(done.stdout)
        self.assertEqual(report["passed"], code == 0)
        return {item["id"]: (item["outcome"], item["detail"]) for item in report["items"]}

    def write_rules(self, text):
        self.assertEqual(run("nft", text).stderr, "")
        self.addCleanup(run, "nft", "flush ruleset")

    def test_a_cluster_without_proxima_is_ready_for_it(self):
        found = self.checked("--pre", "--api-only", *self.kubeconfig)
        self.assertEqual(found["api-reachable"], ("ok", self.endpoint.url))
        self.assertEqual(found["api-version"], ("ok", "v1.36.4+proxima"))
        self.assertEqual(found["clock-skew"], ("ok", "at most 1 s apart"))
        self.assertEqual(found["node-zones"], ("ok", "2 Nodes in 2 zones"))
        self.assertEqual(found["service-bypass"][0], "ok")
        self.assertEqual(found["controller-rights"][0], "skipped", "this server reviews no access")
        self.assertNotIn("controller-lease", found)
        self.assertNotIn("nftables", found)

    def test_what_is_missing_after_the_installation_fails(self):
        found = self.checked("--api-only", *self.kubeconfig, code=1)
        self.assertEqual(found["controller-lease"],
                         ("failed", "there is no Lease: no controller has led yet"))
        self.assertEqual(found["proxy-daemon-set"][0], "skipped")

    def test_text_says_what_to_do(self):
        done = run(PROGRAM, "check", "--api-only", *self.kubeconfig)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("\nProxima\n", "\n" + done.stdout)
        self.assertIn("failed   a controller holds the Lease and renews it:", done.stdout)
        self.assertIn("try: start the controller", done.stdout)
        self.assertRegex(done.stdout, r"\n\d+ checks: \d+ ok, \d+ skipped, 0 warnings, 1 failed\n$")

    def test_waits_for_a_controller_that_starts_meanwhile(self):
        waiting = subprocess.Popen(
            [PROGRAM, "check", "--api-only", "-n", "default", "--wait", WAIT_MAX, *self.kubeconfig],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with tempfile.TemporaryDirectory() as folder:
            with servers.running([PROGRAM, "controller", *self.kubeconfig,
                                  "--leader-elect-resource-namespace=default",
                                  "--metrics-bind-address=127.0.0.1:0"], pathlib.Path(folder) / "log"):
                out, err = waiting.communicate(timeout=90)
        self.assertEqual((waiting.returncode, err), (0, ""), out)
        self.assertIn(" holds default/proxima-controller", " ".join(out.split()))

    def test_a_server_that_is_away_is_a_report(self):
        text = self.endpoint.kubeconfig.read_text().replace(f":{self.endpoint.port}",
                                                            f":{servers.free_port()}")
        with tempfile.TemporaryDirectory() as folder:
            away = pathlib.Path(folder) / "kubeconfig"
            away.write_text(text)
            found = self.checked("--api-only", "--kubeconfig", str(away), code=1)
        self.assertEqual(found["api-reachable"][0], "failed")
        self.assertIn("Connection refused", found["api-reachable"][1])
        self.assertEqual({outcome for name, (outcome, _) in found.items()
                          if name != "api-reachable"}, {"skipped"})
        self.assertNotIn(self.endpoint.admin, json.dumps(found))

    def test_credentials_that_are_refused_are_a_report_without_them(self):
        text = self.endpoint.kubeconfig.read_text().replace(self.endpoint.admin, "wrong-token")
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "kubeconfig"
            wrong.write_text(text)
            found = self.checked("--api-only", "--kubeconfig", str(wrong), code=1)
        self.assertEqual(found["api-reachable"][0], "failed")
        self.assertNotIn("wrong-token", json.dumps(found))

    def test_the_reader_may_check_too(self):
        found = self.checked("--pre", "--api-only", "--kubeconfig",
                             str(self.endpoint.kubeconfig) + "-readonly")
        self.assertEqual(found["node-zones"][0], "ok")

    def test_a_kubeconfig_that_is_not_there_is_an_error(self):
        done = run(PROGRAM, "check", "--kubeconfig", "/no/such/file")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("error: ", done.stderr)
        self.assertIn("/no/such/file", done.stderr)

    def test_without_any_cluster_the_node_is_checked_all_the_same(self):
        nowhere = {key: value for key, value in os.environ.items() if not key.startswith("KUBE")}
        nowhere.update(HOME="/nonexistent", XDG_STATE_HOME="/nonexistent", XDG_RUNTIME_DIR="/nonexistent")
        done = run(PROGRAM, "check", "--pre", env=nowhere)
        self.assertEqual(done.returncode, 1)
        self.assertIn("nftables can be used", done.stdout)
        self.assertIn("no cluster is configured", " ".join(done.stdout.split()))

    def test_rules_of_kube_proxy_are_told_and_fail_beside_ours(self):
        self.assertEqual(self.checked("--node-only", "--pre")["kube-proxy-rules"],
                         ("ok", "none of kube-proxy's are here"))
        self.write_rules("add table ip kube-proxy; add table ip nat; "
                         "add chain ip nat KUBE-SERVICES; add chain ip nat KUBE-FIREWALL")
        self.assertEqual(self.checked("--node-only")["kube-proxy-rules"],
                         ("ok", "--take-over removes table ip kube-proxy and table ip nat"))
        self.write_rules("add table ip proxima")
        self.assertEqual(self.checked("--node-only", code=1)["kube-proxy-rules"],
                         ("failed", "table ip proxima is here, and so is table ip kube-proxy and "
                          "table ip nat"))

    def test_devices_of_other_data_planes_are_told(self):
        made = run("ip", "link", "add", "cilium_host", "type", "veth", "peer", "name", "kube-ipvs0")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.addCleanup(run, "ip", "link", "delete", "cilium_host")
        found = self.checked("--node-only", "--pre")
        self.assertEqual(found["ebpf-programs"][0], "warning")
        self.assertIn("Cilium: the device cilium_host", found["ebpf-programs"][1])
        self.assertEqual(found["kube-proxy-rules"],
                         ("warning", "the device kube-ipvs0 makes Service addresses local ones"))

    def test_a_user_without_rights_skips_the_node_unless_it_is_asked_for(self):
        weak = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", PROGRAM, "check", "-o", "json")
        done = run(*weak, "--pre", *self.kubeconfig)
        self.assertEqual(done.returncode, 0, done.stderr)
        node = [item for item in json.loads(done.stdout)["items"] if item["group"] == "This node"]
        self.assertEqual({item["outcome"] for item in node}, {"skipped"})
        self.assertIn("CAP_NET_ADMIN", node[0]["detail"])
        done = run(*weak, "--node-only")
        self.assertEqual(done.returncode, 1, done.stderr)
        failed = {item["id"] for item in json.loads(done.stdout)["items"]
                  if item["outcome"] == "failed"}
        self.assertEqual(failed, {"net-admin", "nftables"})

    def test_nothing_of_the_node_is_changed(self):
        self.write_rules("add table ip kube-proxy; add table ip proxima")
        score = pathlib.Path("/proc/sys/net/netfilter/nf_conntrack_acct")
        before = run("nft", "list", "ruleset").stdout, score.read_text()
        self.checked("--node-only", code=1)
        self.assertEqual((run("nft", "list", "ruleset").stdout, score.read_text()), before)

    def test_flags_that_contradict_each_other_are_usage_errors(self):
        for flags in (("--node-only", "--api-only"), ("-o", "markdown"), ("--component", "kubelet")):
            done = run(PROGRAM, "check", *flags)
            self.assertEqual((done.returncode, done.stdout), (2, ""), flags)


if __name__ == "__main__":
    if not own_namespace.is_inside():
        sys.exit(own_namespace.enter("proxima check on a node"))
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
