# SPDX-License-Identifier: Apache-2.0
"""`proxima up` as its users meet it: up_test.py PROGRAM.

What needs kubectl is skipped where there is none. Where namespaces cannot be made the lab is simulated:
what needs real traffic is skipped, the rest is shown of the simulator, and the exit code is 77, because
no lab was seen.
"""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
import urllib.parse

import running_up
from running_up import busy_without, no_kubectl, not_shown, temporary_folder
from testbed.waiting import eventually

PROGRAM = ""  # set by main
SKIPPED = 77
MEMORY_MEGABYTES_MAX = 400
END_SECONDS_MAX = 5  # docs/lab.md promises it
SHARE_ERROR_MAX = 0.06  # of a thousand requests: four standard deviations
POD = """
apiVersion: v1
kind: Pod
metadata: {name: by-hand, namespace: shop, labels: {app: even}}
spec: {containers: [{name: web, image: lab}]}
"""


class OneLab(unittest.TestCase):
    """The stories of one lab, in the order of their names."""

    real = False  # whether it has machines and traffic

    @classmethod
    def setUpClass(cls):
        cls.folder = temporary_folder()
        cls.addClassCleanup(cls.folder.cleanup)
        # Enough requests for shares of five seconds to be more than chance.
        cls.up = running_up.Up(PROGRAM, cls.folder.name, "--rate=200")
        cls.addClassCleanup(cls.up.kill)
        began = time.monotonic()
        cls.up.wait_until_ready()
        print(f"ready after {time.monotonic() - began:.1f} s", flush=True)
        cls.real = cls.up.state()["mode"] == "lab"
        if not cls.real:
            not_shown("traffic, proxies and memory of a real lab: " + cls.up.err.read_text())

    def needs_a_real_lab(self):
        if not self.real:
            self.skipTest("the lab is simulated")

    def eventually_local(self, service, wanted, what):
        return eventually(lambda: wanted(self.up.measured(service)["local"]), what,
                          seen=lambda: self.up.measured(service))

    def eventually_within_the_bound(self, service, bound):
        """Loads are measured anew after a change: until then there is no figure, and no wrong one."""
        def figure():
            measured = self.up.measured(service)
            return measured if measured.get("worstOverload") is not None else None
        measured = eventually(figure, f"an overload of {service}")
        print(f"{service}: overload {measured['worstOverload']:.2f} ± {measured['overloadMargin']:.2f} "
              f"over {measured['loadSeconds']} s", flush=True)
        self.assertLess(measured["worstOverload"], bound + 4 * measured["overloadMargin"])

    def no_request_failed(self):
        self.assertEqual(self.up.state()["totals"]["failedEver"], 0)

    def test_01_the_summary_says_where_everything_is(self):
        said = self.up.out.read_text()
        self.assertIn("export KUBECONFIG=", said)
        self.assertIn("proxima lab", said)
        self.assertEqual(os.stat(self.up.kubeconfig).st_mode & 0o777, 0o600)
        run_file = pathlib.Path(self.up.kubeconfig).parent / "run.json"
        self.assertEqual(os.stat(run_file).st_mode & 0o777, 0o600)
        logs = "".join(log.read_text(errors="replace")
                       for log in (run_file.parent / "logs").iterdir())
        self.assertNotIn(self.up.token, logs)

    def test_02_the_page_wants_its_token(self):
        where = urllib.parse.urlsplit(self.up.page)
        connection = http.client.HTTPConnection(where.netloc, timeout=20)
        connection.request("GET", "/?" + where.query)
        answer = connection.getresponse()
        answer.read()
        self.assertIn(answer.status, (302, 303, 307))
        cookie = answer.getheader("Set-Cookie").split(";")[0]
        connection.request("GET", "/", headers={"Cookie": cookie})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertIn("<html", answer.read().decode())
        connection.request("GET", "/api/state")
        self.assertEqual(connection.getresponse().status, 401)
        connection.close()

    def test_03_the_services_are_there_and_measured(self):
        names = [one["service"] for one in self.up.state()["services"]]
        for name in ("shop/even", "shop/lopsided", "shop/single"):
            self.assertIn(name, names)
        table = self.up.lab("status").stdout
        self.assertIn("shop/lopsided", table)
        self.assertIn("zone-c", table)
        if self.real:
            eventually(lambda: self.up.measured("shop/even")["requestsPerSecond"] > 1, "traffic")
            self.no_request_failed()

    def test_04_reasons_are_those_of_explain(self):
        def both(service):
            explained = json.loads(self.up.run(
                "explain", "--kubeconfig", self.up.kubeconfig, service, "--from-zone", "zone-a",
                "-o", "json").stdout)
            status, text = self.up.ask(f"/api/services/{service}/explain?from=zone-a")
            self.assertEqual(status, 200, text)
            return json.loads(text), explained

        def equal(service):
            page, explained = both(service)
            shown = self.up.service(service)["plan"]["why"]["text"]
            return page == explained and shown == explained["decisions"][0]["sentence"]
        for service in ("shop/even", "shop/lopsided", "shop/single"):
            # The page looks once a second, and a lab that has just started still changes.
            eventually(lambda: equal(service), f"{service}: page and explain are equal")
        self.assertEqual(self.up.service("shop/single")["plan"]["why"]["reason"],
                         "hints_lent_to_other_zones", "why it is not local")

    def test_05_memory_of_the_idle_lab(self):
        self.needs_a_real_lab()
        megabytes = self.up.memory_megabytes()
        print(f"memory of the lab: {megabytes:.0f} MB in {len(self.up.processes())} processes",
              flush=True)
        self.assertLess(megabytes, MEMORY_MEGABYTES_MAX)

    def test_06_balanced_brings_a_lopsided_service_home(self):
        self.assertEqual(self.up.service("shop/lopsided")["policy"], "auto")
        if self.real:
            self.eventually_local("shop/lopsided", lambda share: share and 0.2 < share < 0.5,
                                  "about a third is local under auto")
        self.up.lab("policy", "lopsided", "balanced", "--overload", "20%")
        began = time.monotonic()
        eventually(lambda: self.up.service("shop/lopsided")["policy"] == "balanced", "the policy")
        if not self.real:
            return
        self.eventually_local("shop/lopsided", lambda share: share and share > 0.9,
                              "above 90 % is local under balanced")
        print(f"local after {time.monotonic() - began:.1f} s", flush=True)
        self.eventually_within_the_bound("shop/lopsided", 0.2)
        self.no_request_failed()

    def test_07_scaling_makes_pods_that_serve(self):
        self.up.lab("scale", "shop/single", "zone-b=2", "zone-c=1")
        eventually(lambda: self.up.service("shop/single")["endpoints"] == 6, "six endpoints")
        if not self.real:
            return

        def zones():
            flows = self.up.measured("shop/single").get("flows", [])
            return {flow["to"] for flow in flows} == {"zone-a", "zone-b", "zone-c"}
        eventually(zones, "all three zones answer")
        self.no_request_failed()

    def test_08_demand_moves(self):
        self.up.lab("demand", "zone-a=80%")

        def share():
            zones = {zone["name"]: zone["demand"] for zone in self.up.state()["zones"]}
            return abs(zones["zone-a"] - 0.8) < 0.01 and abs(sum(zones.values()) - 1) < 0.01
        eventually(share, "the share of zone-a")
        if self.real:
            self.eventually_from("zone-a", 0.8)
            self.balanced_keeps_its_bound()
        self.up.lab("demand", "zone-a=0.34", "zone-b=0.33", "zone-c=0.33")
        if self.real:
            self.eventually_from("zone-a", 0.34)
            self.no_request_failed()

    def balanced_keeps_its_bound(self):
        """80 % of the demand meets half of the endpoints: a quarter of it has to leave."""
        before = self.up.service("shop/lopsided")
        self.up.lab("policy", "shop/lopsided", "balanced", "--overload", "20%")

        def plan():
            return self.up.service("shop/lopsided")["plan"]
        eventually(lambda: abs(plan()["demand"]["zone-a"] - 0.8) < 0.01 and
                   abs(plan()["local"] - 0.8) < 0.01, "a plan for the demand that there is")
        self.assertAlmostEqual(plan()["worstOverload"], 0.2, places=3)
        eventually(lambda: abs(self.up.service("shop/lopsided")["measured"]["local"] - 0.8)
                   < SHARE_ERROR_MAX, "traffic as planned")
        told = json.loads(self.up.run("explain", "shop/lopsided", "--from-zone", "zone-a", "-o",
                                      "json", "--kubeconfig", self.up.kubeconfig).stdout)
        self.assertAlmostEqual(told["traffic"]["local"], 0.8, places=2)
        self.up.lab("policy", "shop/lopsided", before["policy"])

    def eventually_from(self, zone, wanted):
        """Until so much of what was measured started in the zone."""
        def share():
            rates = {one["name"]: one["requestsPerSecond"] for one in self.up.state()["zones"]}
            return rates[zone] / max(sum(rates.values()), 1)
        eventually(lambda: abs(share() - wanted) < SHARE_ERROR_MAX,
                   f"{wanted:.0%} of the requests start in {zone}")

    def test_08b_nodes_report_that_they_follow_the_plan(self):
        self.needs_a_real_lab()
        if why := no_kubectl():
            not_shown(why)
            self.skipTest(why)

        def honored():
            service = json.loads(self.up.kubectl("get", "service", "-n", "shop", "lopsided", "-o",
                                                 "json"))
            return next((condition for condition in service["status"].get("conditions", ())
                         if condition["type"] == "proxima.io/TrafficDistributionHonored"), {})
        found = eventually(lambda: (now := honored()).get("reason") == "PlanFollowedMeasured" and now,
                           "every node follows, by its report", seen=honored)
        self.assertEqual(found["status"], "True")
        print(found["message"], flush=True)
        self.assertRegex(found["message"], r"; [0-9.]+% of [0-9]+ connections stayed in their zone")

    def test_09_kubectl_acts_on_the_lab(self):
        if why := no_kubectl():
            not_shown(why)
            self.skipTest(why)
        self.assertIn("node-1", self.up.kubectl("get", "nodes"))
        self.up.kubectl("annotate", "service", "-n", "shop", "even", "--overwrite",
                        "proxima.io/policy=prefer-same-zone")
        eventually(lambda: self.up.service("shop/even")["policy"] == "prefer-same-zone",
                   "the annotation")
        labels = json.loads(self.up.kubectl("get", "service", "-n", "shop", "even", "-o", "json"))
        pod = POD.replace("{app: even}", json.dumps(labels["spec"]["selector"]))
        self.up.kubectl("apply", "-f", "-", given=pod)

        def serves():
            rows = self.up.measured("shop/even").get("endpoints", [])
            return not self.real or any(row["pod"] == "shop/by-hand" and row["requestsPerSecond"] > 0
                                        for row in rows)
        eventually(serves, "a Pod that was applied serves")
        self.up.kubectl("delete", "pod", "-n", "shop", "by-hand")
        eventually(lambda: not any(pod["name"] == "by-hand" for pod in self.up.state()["pods"]),
                   "it is gone")
        self.up.kubectl("cordon", "node-1")
        eventually(lambda: any(node["name"] == "node-1" and node["cordoned"]
                               for node in self.up.state()["nodes"]), "the cordon")
        self.up.kubectl("uncordon", "node-1")
        self.no_request_failed()

    def test_10_a_zone_fails_and_no_request_does(self):
        self.up.lab("fail-zone", "zone-b")
        eventually(lambda: any(zone["name"] == "zone-b" and zone["failed"]
                               for zone in self.up.state()["zones"]), "the zone has failed")
        eventually(lambda: not any(pod["ready"] for pod in self.up.state()["pods"]
                                   if pod["zone"] == "zone-b"), "its Pods are not ready")
        if self.real:
            # What is measured now was asked after the failure, and whoever met a dead Pod has given up.
            eventually(lambda: busy_without(self.up, "zone-b"), "traffic without the zone")
        self.no_request_failed()
        self.up.lab("heal")
        eventually(lambda: not any(zone["failed"] for zone in self.up.state()["zones"]), "healed")
        eventually(lambda: all(pod["ready"] for pod in self.up.state()["pods"]
                               if pod["zone"] == "zone-b"), "its Pods are ready")
        if self.real:
            eventually(lambda: any(flow["to"] == "zone-b" for flow in
                                   self.up.measured("shop/even").get("flows", [])), "it serves")
            self.assertIsNone(self.up.measured("shop/lopsided")["worstOverload"],
                              "requests of before the zone was healed are nobody's overload")
            self.eventually_within_the_bound("shop/lopsided", 0.2)
        self.no_request_failed()

    def test_11_nodes_come_and_go(self):
        nodes = {node["name"] for node in self.up.state()["nodes"]}
        self.up.lab("add-node", "zone-c")
        new = eventually(lambda: {node["name"] for node in self.up.state()["nodes"]
                                  if node["ready"]} - nodes, "a new node").pop()
        self.up.lab("kill-node", new)
        eventually(lambda: any(node["name"] == new and not node["power"]
                               for node in self.up.state()["nodes"]), "it is dead")
        self.no_request_failed()

    def test_12_wrong_names_get_near_ones(self):
        done = self.up.lab("fail-zone", "zone-x", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("did you mean zone-", done.stderr)

    def test_13_what_a_proxy_does_is_explained(self):
        self.needs_a_real_lab()
        node = next(node for node in self.up.state()["nodes"] if node["name"] == "node-1")
        told = self.up.run("explain", "shop/even", "--node", node["status"]).stdout
        self.assertIn("10.180.", told)
        status, text = self.up.ask("/api/nodes/node-1/routes")
        self.assertEqual(status, 200, text)
        self.assertIn("even", text)

    def test_13b_the_api_is_reached_by_its_service(self):
        self.needs_a_real_lab()
        routes = json.loads(self.up.ask("/api/nodes/node-1/routes")[1])
        ports = [port for family in routes["families"] for port in family["ports"]
                 if port["service"] == "kubernetes"]
        self.assertEqual([[end["endpoint"].split(":")[0] for end in port["cluster"]]
                          for port in ports], [["192.168.0.1"]])
        if os.getuid() != 0:
            not_shown("the API asked from a node by its Service: only root may enter the node")
            return
        proxy = next(number for number in self.up.processes() if number != self.up.child.pid)
        asked = ("import ssl, sys, urllib.request as u; c = ssl._create_unverified_context(); "
                 "print(u.urlopen('https://172.30.0.1/version', context=c, timeout=10).status)")
        done = subprocess.run(["nsenter", f"--net=/proc/{proxy}/ns/net", sys.executable, "-c", asked],
                              capture_output=True, text=True, timeout=30)
        # Whether it is let in or asked for a token: it is the API that answers.
        self.assertRegex(done.stdout + done.stderr, r"^200|HTTP Error 401", done.stderr)

    def test_14_a_proxy_that_dies_is_started_again(self):
        self.needs_a_real_lab()
        powered = {node["name"] for node in self.up.state()["nodes"] if node["power"]}
        before = eventually(lambda: (now := self.up.proxies()).keys() == powered and now,
                            "a proxy on every node with power")
        node, victim = min(before.items())
        os.kill(victim, signal.SIGKILL)
        new = eventually(lambda: (now := self.up.proxies()).get(node, victim) != victim and now,
                         "a new proxy")
        self.assertNotIn(victim, new.values())
        self.assertEqual({name: number for name, number in new.items() if name != node},
                         {name: number for name, number in before.items() if name != node},
                         "the others go on")
        # Nobody but the new one can answer that.
        eventually(lambda: self.routed(node, "even"), f"the routes of {node}")
        self.no_request_failed()

    def routed(self, node, service):
        """Where the node's proxy sends requests to a Service; nothing while it does not answer."""
        status, text = self.up.ask(f"/api/nodes/{node}/routes")
        if status != 200:
            return []
        return [end["endpoint"] for family in json.loads(text)["families"]
                for port in family["ports"] if port["service"] == service
                for end in port["cluster"]]

    def test_15_a_second_lab_is_refused(self):
        done = subprocess.run([PROGRAM, "up"], env=self.up.environment, capture_output=True,
                              text=True, timeout=20)
        self.assertEqual(done.returncode, 1)
        self.assertIn("running already", done.stderr)
        self.assertIn(self.up.origin, done.stderr)
        self.assertNotIn(self.up.token, done.stderr)

    def test_99_the_end_leaves_nothing(self):
        processes = self.up.processes()
        began = time.monotonic()
        self.assertEqual(self.up.end(signal.SIGINT), 0, self.up.said())
        seconds = time.monotonic() - began
        print(f"ended after {seconds:.1f} s", flush=True)
        self.assertLess(seconds, END_SECONDS_MAX)
        self.assertEqual(self.up.processes(), [])
        for number in processes:
            self.assertFalse(pathlib.Path(f"/proc/{number}").exists(), number)
        self.assertEqual([entry.name for entry in pathlib.Path(self.folder.name, "proxima").iterdir()],
                         ["up.lock"])
        self.assertEqual(self.up.lab("status", check=False).returncode, 1)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    ran = unittest.main(verbosity=2, exit=False).result
    sys.exit(1 if not ran.wasSuccessful() else 0 if OneLab.real else SKIPPED)
