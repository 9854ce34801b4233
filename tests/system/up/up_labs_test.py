# SPDX-License-Identifier: Apache-2.0
"""`proxima up` in other ways than up_test.py has it: killed, refused, simulated, without rights, by a
scenario, with a zone that must not be left. up_labs_test.py PROGRAM.

What cannot be shown here is skipped, and says why; a simulator there is everywhere.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from running_up import busy_without, no_kubectl, not_shown, running, temporary_folder
from support.namespace_watch import NamespaceWatch
from testbed.waiting import eventually

PROGRAM = ""  # set by main
NOBODY = 65534
PROCESSORS_MAX = 0.5  # of a lab with little traffic
SCENARIO = """
cluster:
  zones: {east: {nodes: 1}, west: {nodes: 1}}
  services: [{name: web, endpoints: {east: 1, west: 1}}]
timeline:
- {at: 100ms, do: policy, service: shop/web, policy: balanced, overload: 20%}
- {at: 200ms, do: fail-zone, zone: west}
"""
# The zone stays away until all that is measured, over five seconds, was asked without it.
ZONE_FAILURE = """
cluster:
  zones: {east: {nodes: 1}, west: {nodes: 1}}
  services: [{name: web, endpoints: {east: 2, west: 1}}]
  requestsPerSecond: 100
timeline:
- {at: 500ms, do: policy, service: shop/web, policy: balanced, overload: 20%}
- {at: 1s, do: fail-zone, zone: west}
- {at: 13s, do: heal, zone: west}
"""
# Clients are in both zones, endpoints in one.
ONE_ZONE_SERVES = """
cluster:
  zones: {east: {nodes: 1}, west: {nodes: 1}}
  services: [{name: web, endpoints: {east: 2}}]
  requestsPerSecond: 100
timeline:
- {at: 500ms, do: policy, service: shop/web, policy: prefer-same-zone}
"""


class OtherLabs(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder()
        self.addCleanup(self.folder.cleanup)

    def test_a_killed_lab_takes_its_proxies_and_namespaces_along_and_the_next_one_starts(self):
        data = str(pathlib.Path(self.folder.name, "cluster"))
        small = ("--zones=2", "--nodes-per-zone=1", "--data-dir", data)
        with running(PROGRAM, self.folder.name, *small) as first:
            first.lab("policy", "shop/even", "balanced", "--overload", "inf")
            eventually(lambda: first.service("shop/even")["overload"] == "inf", "no bound")
            services = 3
            if why := no_kubectl():
                not_shown(why)
            else:
                first.kubectl("create", "service", "clusterip", "by-hand", "--tcp=80:8080", "-n", "shop")
                services = 4
            watch = self.watch(first)
            first.end(signal.SIGKILL)
            eventually(lambda: not first.processes(), "its proxies are gone")
            eventually(lambda: not watch.left(), f"nobody has its {len(watch)} namespaces")
            done = first.lab("status", "--data-dir", data, check=False)
            self.assertIn("was killed", done.stderr)
        with running(PROGRAM, self.folder.name, *small) as second:
            self.assertIn(f", {services} services;", second.out.read_text(), "what the API has")
            eventually(lambda: second.service("shop/even")["policy"] == "balanced",
                       "what was kept")
            if second.state()["mode"] == "lab":
                eventually(lambda: second.measured("shop/even")["requestsPerSecond"] > 1, "traffic")
            self.assertEqual(second.end(), 0)
        self.assertTrue(pathlib.Path(data, "proxima.db").exists())

    def watch(self, up):
        """Of the namespaces that it has: the router's, and one a node and a Pod."""
        watch = NamespaceWatch(up.child.pid)
        self.addCleanup(watch.close)
        state = up.state()
        hosts = 1 + len(state["nodes"]) + len(state["pods"])
        self.assertEqual(len(watch), hosts if state["mode"] == "lab" else 0)
        return watch

    def test_where_namespaces_are_refused_it_says_so_and_goes_on(self):
        # A user namespace in which there may be no more of either kind.
        refused = ("unshare", "--user", "--map-root-user", "sh", "-c",
                   "cd /proc/sys/user && echo 0 > max_net_namespaces && "
                   "echo 0 > max_user_namespaces && exec \"$@\"", "sh")
        tried = subprocess.run([*refused, "true"], capture_output=True, text=True, timeout=20)
        if tried.returncode != 0:
            not_shown("a lab where namespaces are refused: " + tried.stderr)
            self.skipTest(tried.stderr)
        with running(PROGRAM, self.folder.name, wrap=refused) as up:
            self.assertEqual(up.state()["mode"], "simulator")
            self.assertIn("Network namespaces cannot be made here", up.err.read_text())
            self.assertEqual(up.end(), 0)

    def test_a_simulator_does_all_but_traffic(self):
        with running(PROGRAM, self.folder.name, "--simulator") as up:
            state = up.state()
            self.assertEqual(state["mode"], "simulator")
            lopsided = next(one for one in state["services"] if one["service"] == "shop/lopsided")
            self.assertIsNone(lopsided["measured"])
            self.assertEqual(lopsided["plan"]["policy"], "auto")
            self.assertEqual(up.processes(), [up.child.pid])
            up.lab("fail-zone", "zone-a")
            eventually(lambda: up.state()["zones"][0]["failed"], "the zone has failed")
            self.assertEqual(up.end(signal.SIGTERM), 0)

    def test_it_ends_by_itself(self):
        done = subprocess.run([PROGRAM, "up", "--simulator", "--for=1s"], capture_output=True,
                              text=True, timeout=60,
                              env={**os.environ, "XDG_STATE_HOME": self.folder.name})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Page:", done.stdout)

    def test_an_unprivileged_user_has_a_lab_too(self):
        if os.getuid() != 0 or shutil.which("setpriv") is None:
            why = "a lab of a user without rights: this test becomes one by setpriv, as root"
            not_shown(why)
            self.skipTest(why)
        program = pathlib.Path(self.folder.name, "proxima-copy")
        shutil.copy(PROGRAM, program)
        program.chmod(0o755)
        home = pathlib.Path(self.folder.name, "home")
        home.mkdir()
        os.chown(home, NOBODY, NOBODY)
        wrap = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        with running(program, home, "--zones=2", "--nodes-per-zone=1", wrap=wrap) as up:
            if up.state()["mode"] != "lab":
                not_shown("a lab in a user namespace: " + up.err.read_text())
                self.skipTest("the lab is simulated")
            eventually(lambda: up.measured("shop/even")["requestsPerSecond"] > 1, "traffic")
            self.assertEqual(up.state()["totals"]["failedEver"], 0)
            self.assertEqual(up.end(), 0)
            self.assertEqual(up.processes(), [])

    def test_a_scenario_plays_by_itself(self):
        path = pathlib.Path(self.folder.name, "scenario.yaml")
        path.write_text(SCENARIO)
        with running(PROGRAM, self.folder.name, "--scenario", str(path), "--simulator") as up:
            self.assertEqual([zone["name"] for zone in up.state()["zones"]], ["east", "west"])
            self.assertIn("lab policy shop/web balanced", up.out.read_text())
            eventually(lambda: up.service("shop/web")["policy"] == "balanced", "its first action")
            eventually(lambda: up.state()["zones"][1]["failed"], "its second action")
            eventually(lambda: "Scenario: " in up.err.read_text(), "it is told")
            self.assertEqual(up.end(), 0)

    def test_a_zone_fails_and_heals_by_a_scenario_and_no_request_does(self):
        path = pathlib.Path(self.folder.name, "scenario.yaml")
        path.write_text(ZONE_FAILURE)
        with running(PROGRAM, self.folder.name, "--scenario", str(path)) as up:
            if up.state()["mode"] != "lab":
                self.skipTest("the lab is simulated")

            def west():
                return next(zone for zone in up.state()["zones"] if zone["name"] == "west")
            eventually(lambda: west()["failed"], "the zone has failed")
            self.assertEqual(up.service("shop/web")["policy"], "balanced", "it was first")
            began, spent = time.monotonic(), up.processor_seconds()
            eventually(lambda: busy_without(up, "west"), "traffic without the zone")
            busy = (up.processor_seconds() - spent) / (time.monotonic() - began)
            print(f"{busy:.2f} of a processor while the zone is away", flush=True)
            self.assertLess(busy, PROCESSORS_MAX)
            self.assertTrue(west()["failed"], "the traffic was that of the failure")
            eventually(lambda: not west()["failed"], "the zone is healed")
            eventually(lambda: any(flow["from"] == flow["to"] == "west" for flow in
                                   up.measured("shop/web").get("flows", [])), "it asks and serves")
            told = [line for line in up.err.read_text().splitlines() if "Scenario: " in line]
            self.assertEqual([line.partition("Scenario: ")[2] for line in told],
                             ["policy shop/web balanced --overload 0.2", "fail-zone west", "heal west"])
            self.assertEqual(up.state()["totals"]["failedEver"], 0)
            self.assertEqual(up.end(), 0)

    def test_a_required_zone_rejects_fails_over_and_rejects_again(self):
        if why := no_kubectl():
            not_shown(why)
            self.skipTest(why)
        path = pathlib.Path(self.folder.name, "scenario.yaml")
        path.write_text(ONE_ZONE_SERVES)
        with running(PROGRAM, self.folder.name, "--scenario", str(path)) as up:
            if up.state()["mode"] != "lab":
                self.skipTest("the lab is simulated")

            def answered():
                """The zones whose requests were answered, over five seconds."""
                return {flow["from"] for flow in up.measured("shop/web").get("flows", [])}

            def events():
                return up.kubectl("get", "events", "-n", "shop", "-o", "jsonpath={.items[*].reason}")
            eventually(lambda: up.service("shop/web")["policy"] == "prefer-same-zone", "the scenario")
            eventually(lambda: answered() == {"east", "west"}, "all requests are answered", seen=answered)
            self.assertEqual(up.state()["totals"]["failedEver"], 0)
            up.kubectl("annotate", "service", "-n", "shop", "web", "--overwrite",
                       "proxima.io/policy=require-zone")
            eventually(lambda: answered() == {"east"}, "requests of the west are rejected", seen=answered)
            self.assertGreater(up.state()["totals"]["failedEver"], 0)
            told = up.run("explain", "shop/web", "--from-zone", "west", "--kubeconfig", up.kubeconfig)
            self.assertIn("zone west has no ready endpoint", told.stdout)
            up.kubectl("annotate", "service", "-n", "shop", "web", "proxima.io/failover=for=15s")
            eventually(lambda: answered() == {"east", "west"}, "the west fails over", seen=answered)
            eventually(lambda: "ZoneFailsOver" in events(), "it is told", seen=events)
            eventually(lambda: answered() == {"east"}, "until the budget is used up", seen=answered)
            eventually(lambda: "ZoneFailoverSpent" in events(), "that is told, too", seen=events)
            self.assertEqual(up.end(), 0)

    def test_a_scenario_that_cannot_be_read_says_where(self):
        path = pathlib.Path(self.folder.name, "scenario.yaml")
        path.write_text("cluster:\n  zones: 7\n")
        done = subprocess.run([PROGRAM, "up", "--scenario", str(path), "--for=1s"],
                              capture_output=True, text=True, timeout=60,
                              env={**os.environ, "XDG_STATE_HOME": self.folder.name})
        self.assertEqual(done.returncode, 1)
        self.assertIn("zones", done.stderr)
        self.assertIn("scenario.yaml", done.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
