#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`proxima controller` as its operators meet it: controller_command_test.py PROGRAM.

It runs against the embedded API. What it writes into slices is the business of tests/system/controller.
"""
import contextlib
import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from peers import servers
from support.process_facts import FEW_DESCRIPTORS, descriptor_limits, start_with_few_descriptors
from testbed.waiting import eventually

PROGRAM = ""  # set by main
# As short as may be: a test waits for one lease to run out.
SHORT = ("--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s",
         "--leader-elect-retry-period=1s")


class Controller:
    """A running controller and what it says."""

    def __init__(self, folder, name, kubeconfig, *flags):
        self.log = folder / (name + ".err")
        self.out = out = folder / (name + ".out")
        with open(out, "wb") as stdout, open(self.log, "wb") as stderr:
            self.child = subprocess.Popen(
                [PROGRAM, "controller", "--kubeconfig", str(kubeconfig),
                 "--metrics-bind-address=127.0.0.1:0", *flags], stdout=stdout, stderr=stderr,
                preexec_fn=start_with_few_descriptors)

        def address():
            if self.child.poll() is not None:
                raise AssertionError(f"it ended with {self.child.returncode}: {self.said()}")
            return re.search(r"status at (\S+)\n", out.read_text())
        self.url = eventually(address, "the line with its address").group(1)

    def said(self):
        return self.log.read_text()

    def ask(self, path):
        try:
            with urllib.request.urlopen(self.url + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def page(self):
        """Where the live page is: its URL, and what stands behind ?token=."""
        line = eventually(lambda: re.search(r"page at (\S+)/\?token=(\w*)", self.out.read_text()),
                          "the line with the page's address")
        return line.group(1), line.group(2)

    def leads(self):
        return 'leader_election_master_status{name="proxima-controller"} 1' in self.ask("/metrics")[1]

    def end(self, number=signal.SIGTERM):
        if self.child.poll() is None:
            self.child.send_signal(number)
        return self.child.wait(30)


class ControllerCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.embedded_server(PROGRAM)
        cls.endpoint = cls.server.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.count = 0

    def start(self, *flags, kubeconfig=None):
        self.count += 1
        made = Controller(self.folder, f"controller-{self.count}",
                          kubeconfig or self.endpoint.kubeconfig, *flags)
        self.stack.callback(lambda: made.end(signal.SIGKILL))
        return made

    def api(self, method, path, body=None):
        connection = http.client.HTTPSConnection(self.endpoint.host, self.endpoint.port, timeout=30,
                                                 context=self.endpoint.trust)
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": "Bearer " + self.endpoint.admin,
                            "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return json.loads(text) if answer.status < 300 else None

    def holder(self):
        lease = self.api("GET", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/"
                         "proxima-controller")
        return lease and lease["spec"].get("holderIdentity")

    def make_service(self, name):
        self.api("POST", "/api/v1/namespaces/default/services", {
            "metadata": {"name": name}, "spec": {"selector": {"app": name},
                                                 "ports": [{"port": 80}]}})
        self.addCleanup(self.api, "DELETE", "/api/v1/namespaces/default/services/" + name)

    def slices(self, service):
        return self.api("GET", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?"
                        "labelSelector=kubernetes.io/service-name%3D" + service)["items"]

    def test_leads_tells_about_itself_and_gives_the_lease_back(self):
        one = self.start("--logging-format=json", "-v=4")
        eventually(one.leads, "it leads")
        eventually(lambda: one.ask("/readyz") == (200, "ok"), "it is ready")
        self.assertEqual(one.ask("/livez?verbose"),
                         (200, "[+]ping ok\n[+]leaderElection ok\nlivez check passed\n"))
        self.assertEqual(one.ask("/readyz/caches"), (200, "ok"))
        self.make_service("told")
        eventually(lambda: len(self.slices("told")) == 1, "a slice")
        eventually(lambda: "told" in one.ask("/debug/plan?service=default/told")[1], "its plan")
        self.assertEqual(one.ask("/debug/plan?service=default/nobody")[0], 404)
        metrics = one.ask("/metrics")[1]
        for name in ("endpoint_slice_controller_num_endpoint_slices", "process_cpu_seconds_total",
                     "proxima_build_info"):
            self.assertIn("# TYPE " + name, metrics)
        self.assertTrue(self.holder())
        self.assertEqual(one.end(), 0)
        self.assertFalse(self.holder())
        lines = [json.loads(line) for line in one.said().splitlines()]
        self.assertEqual(lines[-1]["msg"], "Stopped")
        self.assertEqual([line for line in lines if "severity" in line or "err" in line], [])
        self.assertNotIn(self.endpoint.admin, one.said())

    def test_raises_its_limit_of_open_files(self):
        now, most = descriptor_limits(self.start().child.pid)
        self.assertEqual(now, most)
        self.assertGreater(now, FEW_DESCRIPTORS, "the hard limit of this machine shows nothing")

    def test_a_standby_takes_over_from_a_leader_that_is_gone(self):
        first = self.start(*SHORT)
        eventually(first.leads, "the first leads")
        second = self.start(*SHORT)
        eventually(lambda: second.ask("/readyz")[0] == 200, "the second is ready")
        self.assertFalse(second.leads())
        first.end(signal.SIGKILL)
        eventually(second.leads, "the second leads")
        self.make_service("after")
        eventually(lambda: self.slices("after"), "a slice by the second")
        self.assertEqual(second.end(signal.SIGINT), 0)

    def test_a_leader_whose_lease_is_taken_steps_down_and_leads_again_when_it_is_free(self):
        one = self.start(*SHORT)
        eventually(one.leads, "it leads")
        path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/proxima-controller"

        def steal():
            lease = self.api("GET", path)
            lease["spec"]["holderIdentity"] = "somebody-else"
            return self.api("PUT", path, lease)
        eventually(steal, "the Lease is somebody else's")
        eventually(lambda: "Leader election lost" in one.said(), "it steps down")
        self.assertIn('"New leader elected"', one.said())
        eventually(lambda: one.leads() and self.holder() != "somebody-else", "it leads again")
        self.make_service("again")
        eventually(lambda: self.slices("again"), "a slice")
        self.assertEqual(one.end(), 0)

    def test_a_dry_run_writes_nothing_not_even_a_lease(self):
        readonly = str(self.endpoint.kubeconfig) + "-readonly"
        shadow = self.start("--dry-run", kubeconfig=readonly)
        eventually(lambda: shadow.ask("/readyz")[0] == 200, "it is ready")
        self.make_service("shadow")
        eventually(lambda: shadow.ask("/debug/plan?service=default/shadow")[0] == 200, "a plan")
        self.assertEqual(self.slices("shadow"), [])
        self.assertFalse(self.holder())
        self.assertNotIn("leader_election_master_status", shadow.ask("/metrics")[1])
        self.assertEqual(shadow.end(), 0)
        self.assertNotIn("forbidden", shadow.said().lower())

    def test_waits_for_a_server_that_is_away(self):
        broken = self.folder / "broken"
        broken.write_text(self.endpoint.kubeconfig.read_text().replace(
            f":{self.endpoint.port}", f":{servers.free_port()}"))
        waiting = self.start("--leader-elect=false", kubeconfig=broken)
        self.assertEqual(waiting.ask("/livez"), (200, "ok"))
        status, text = waiting.ask("/readyz")
        self.assertEqual(status, 500)
        self.assertIn("[-]caches failed: reason withheld", text)
        self.assertIn("pods", waiting.ask("/readyz/caches")[1])
        self.assertEqual(waiting.end(), 0)

    def run_once(self, *flags):
        return subprocess.run([PROGRAM, "controller", *flags], capture_output=True, text=True,
                              timeout=60)

    def ask_page(self, url, token, path, body=None):
        request = urllib.request.Request(url + path, body and json.dumps(body).encode(),
                                         {"Authorization": "Bearer " + token, "X-Proxima": "1"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def page_shows(self, url, token, service):
        def shown():
            state = json.loads(self.ask_page(url, token, "/api/state")[1])
            return next((one for one in state["services"] if one["service"] == service), None)
        return eventually(shown, f"{service} on the page")

    def test_serves_a_read_only_page_to_whoever_has_the_token_that_it_prints(self):
        self.make_service("paged")
        controller = self.start("--dry-run", "--web=127.0.0.1:0")
        url, token = controller.page()
        self.assertEqual(len(token), 32)
        self.assertEqual(self.ask_page(url, "0" * 32, "/api/state")[0], 401)
        self.assertIn("<title>Proxima", self.ask_page(url, token, "/")[1])
        self.assertEqual(self.page_shows(url, token, "default/paged")["policy"], "cluster-wide")
        self.assertIsNone(self.page_shows(url, token, "default/paged")["measured"])
        code, words = self.ask_page(url, token, "/api/services/default/paged/policy",
                                    {"policy": "auto"})
        self.assertEqual((code, json.loads(words)["error"]), (403, "this page is read-only"))
        self.assertEqual(self.ask_page(url, token, "/api/lab/heal", {"zone": "a"})[0], 403)
        self.assertEqual(controller.end(), 0)
        self.assertNotIn(token, controller.said(), "the token must not be logged")

    def test_a_page_that_may_change_writes_annotations(self):
        self.make_service("changed")
        secret = self.folder / "token"
        secret.write_text("a-token-of-my-own-0123\n")
        controller = self.start("--dry-run", "--web=127.0.0.1:0", "--web-allow-changes",
                                f"--web-token-file={secret}")
        url, printed = controller.page()
        self.assertEqual(printed, "", "who wrote the file knows what is in it")
        token = secret.read_text().strip()
        self.page_shows(url, token, "default/changed")
        wish = {"policy": "balanced", "overload": 0.3}
        self.assertEqual(self.ask_page(url, token, "/api/services/default/changed/policy", wish),
                         (200, "{}"))
        annotations = self.api("GET", "/api/v1/namespaces/default/services/changed")["metadata"][
            "annotations"]
        self.assertEqual(annotations, {"proxima.io/policy": "balanced",
                                       "proxima.io/overload": "0.3"})
        eventually(lambda: self.page_shows(url, token, "default/changed")["policy"] == "balanced",
                   "the new policy on the page")
        self.assertEqual(self.ask_page(url, token, "/api/lab/heal", {"zone": "a"})[0], 404)

    def test_says_what_is_wrong_before_it_begins(self):
        kubeconfig = f"--kubeconfig={self.endpoint.kubeconfig}"
        busy = self.start("--dry-run")
        address = busy.url.removeprefix("http://")
        rows = (
            (2, "--max-endpoints-per-slice", ["--max-endpoints-per-slice=1001"]),
            (2, "leaseDuration must be greater than renewDeadline",
             ["--leader-elect-renew-deadline=20s"]),
            (1, "/nonexistent", ["--kubeconfig=/nonexistent"]),
            (1, address, [kubeconfig, f"--metrics-bind-address={address}"]),
            (1, "--tls-cert-file", [kubeconfig, "--tls-cert-file=/nonexistent",
                                    "--tls-private-key-file=/nonexistent"]),
            (2, "need --web", ["--web-allow-changes"]),
            (1, "--web-token-file", [kubeconfig, "--metrics-bind-address=0", "--web=127.0.0.1:0",
                                     "--web-token-file=/nonexistent"]),
            (1, f"--web: web server: listen on {address}",
             [kubeconfig, "--metrics-bind-address=0", f"--web={address}"]),
        )
        for code, said, flags in rows:
            with self.subTest(flags=flags):
                done = self.run_once(*flags)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
