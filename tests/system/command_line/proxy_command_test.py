#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`proxima proxy` as its operators meet it: proxy_command_test.py PROGRAM.

Runs in a network namespace of its own, with the embedded API inside, and takes nothing of the
machine's. Where packets go is the business of tests/packets; here it is the process: what it needs,
says and leaves behind.
"""
import collections
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

import own_namespace
from peers import servers
from support.process_facts import FEW_DESCRIPTORS, descriptor_limits, start_with_few_descriptors
from testbed.waiting import eventually

PROGRAM = ""  # set by main
HEALTH, STATUS = "http://127.0.0.1:10256", "http://127.0.0.1:10249"


def ask(url):
    """Status and text; None when nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (urllib.error.URLError, OSError):
        return None


def ask_for(accept, page):
    """Status, headers and text."""
    request = urllib.request.Request(f"{STATUS}/{page}", headers={"Accept": accept} if accept else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def component_pages():
    """What a program sees that reads /flagz and /statusz, whoever serves them."""
    seen = {}
    for kind in ("Flagz", "Statusz"):
        other = "Statusz" if kind == "Flagz" else "Flagz"
        for wish in ("", "*/*", "text/plain", "text/html", "application/json", "application/yaml",
                     "application/json;as={};v=v1beta1;g=config.k8s.io".format(other),
                     *(f"application/{form};as={kind};v={version};g=config.k8s.io"
                       for form in ("json", "yaml", "cbor")
                       for version in ("v1alpha1", "v1beta1", "v9"))):
            status, headers, text = ask_for(wish, kind.lower())
            shape = None
            if headers["Content-Type"].startswith("application/json"):
                whole = json.loads(text)
                shape = sorted(whole), whole.get("kind"), whole["apiVersion"], whole.get("message")
            elif "Warning:" in text:
                shape = text[text.index("Warning:"):].split("\n")[0]
            seen[kind, wish] = (status, headers["Content-Type"], headers["Warning"], shape)
    request = urllib.request.Request(STATUS + "/metrics/slis", method="DELETE")
    with urllib.request.urlopen(request, timeout=10) as answer:
        seen["reset"] = answer.status, answer.read().decode()
    for _ in range(2):
        ask(STATUS + "/healthz")
    seen["slis"] = [line for line in ask(STATUS + "/metrics/slis")[1].split("\n")
                    if "process_start_time_seconds" not in line]  # upstream's is reset as well
    return seen


def metric_families():
    """Name → type and names of labels, of what is kube-proxy's own and has happened already."""
    ask(HEALTH + "/healthz"), ask(HEALTH + "/livez")
    found = {}
    for line in ask(STATUS + "/metrics")[1].split("\n"):
        if kind := re.match(r"# TYPE (kubeproxy_\w+) (\w+)", line):
            found[kind[1]] = (kind[2], set())
        elif sample := re.match(r"(kubeproxy_\w+?)(?:_bucket|_sum|_count)?(?:{(.*)})? ", line):
            family = found.get(sample[1]) or found[line.split("{")[0].split(" ")[0]]
            family[1].update(re.findall(r'(\w+)="', sample[2] or ""))
    return found


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def tables():
    return sorted(run("nft", "list", "tables").stdout.replace("table ", "").split("\n"))[1:]


class Proxy:
    def __init__(self, folder, name, *flags):
        self.log = folder / name
        with open(self.log, "wb") as sink:
            self.child = subprocess.Popen([PROGRAM, "proxy", *flags], stdin=subprocess.DEVNULL,
                                          stdout=sink, stderr=sink,
                                          preexec_fn=start_with_few_descriptors)

    def said(self):
        return self.log.read_text()

    def wait_for(self, words):
        def seen():
            if words in self.said():
                return True
            if self.child.poll() is not None:
                raise AssertionError(f"it ended with {self.child.returncode}: {self.said()}")
            return False
        eventually(seen, words, seen=self.said)
        return self

    def end(self, number=signal.SIGTERM):
        if self.child.poll() is None:
            self.child.send_signal(number)
        return self.child.wait(30)


class ProxyCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.embedded_server(PROGRAM)
        cls.endpoint = cls.server.__enter__()
        cls.api("POST", "/api/v1/nodes", {
            "metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}},
            "status": {"addresses": [{"type": "InternalIP", "address": "192.168.77.2"}]}})
        cls.api("POST", "/api/v1/namespaces/default/services", {
            "metadata": {"name": "web"},
            "spec": {"clusterIP": "10.96.7.7", "selector": {"app": "web"},
                     "ports": [{"name": "http", "port": 80}]}})
        cls.api("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
            "metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
            "addressType": "IPv4", "ports": [{"name": "http", "port": 8080}],
            "endpoints": [{"addresses": ["10.244.0.5"], "zone": "a"}]})

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.stack.callback(lambda: run("nft", "flush", "ruleset"))
        self.count = 0

    @classmethod
    def api(cls, method, path, body=None):
        connection = http.client.HTTPSConnection(cls.endpoint.host, cls.endpoint.port, timeout=30,
                                                 context=cls.endpoint.trust)
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": "Bearer " + cls.endpoint.admin,
                            "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status < 300, text
        return json.loads(text)

    def start(self, *flags):
        self.count += 1
        made = Proxy(self.folder, f"proxy-{self.count}", "--kubeconfig",
                     str(self.endpoint.kubeconfig), "--hostname-override=n1",
                     *own_namespace.PROXY_FLAGS, *flags)
        self.stack.callback(lambda: made.end(signal.SIGKILL))
        return made

    def active(self, *flags):
        made = self.start(*flags).wait_for('"Adopted the routes" family="IPv6"')
        eventually(lambda: ask(STATUS + "/readyz") == (200, "ok"), "it is ready")
        return made

    def test_routes_and_tells_about_itself(self):
        self.active()
        self.assertEqual(tables(), ["ip proxima", "ip6 proxima"])
        self.assertIn("10.96.7.7", run("nft", "list", "map", "ip", "proxima", "from-pod").stdout)
        status, text = ask(HEALTH + "/healthz")
        self.assertEqual((status, json.loads(text)["nodeEligible"]), (200, True))
        self.assertEqual(ask(HEALTH + "/livez")[0], 200)
        self.assertEqual(ask(HEALTH + "/else")[0], 404)
        self.assertEqual(ask(STATUS + "/proxyMode"), (200, "nftables"))
        self.assertIn("nftables", json.loads(ask(STATUS + "/configz")[1])["kubeproxy.config.k8s.io"])
        self.assertIn("\nproxy-mode=nftables\n", ask(STATUS + "/flagz")[1])
        self.assertIn("Emulation version: 1.36\n", ask(STATUS + "/statusz")[1])
        self.assertIn('kubernetes_healthchecks_total{name="ping",status="success",type="readyz"}',
                      ask(STATUS + "/metrics/slis")[1])
        routes = json.loads(ask(STATUS + "/debug/routes?service=default/web")[1])["families"]
        self.assertEqual([port["service"] for port in routes[0]["ports"]], ["web"])
        self.assertTrue(routes[0]["ports"][0]["reason"]["code"])
        metrics = ask(STATUS + "/metrics")[1]
        for name in ('kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"}',
                     'proxima_route_reason{ip_family="IPv4",reason="cluster_wide"} 1',
                     'kubeproxy_proxy_healthz_total{code="200"}', "process_cpu_seconds_total"):
            self.assertIn(name, metrics)
        eventually(lambda: any(event["reason"] == "Starting"
                               and event["involvedObject"]["name"] == "n1"
                               for event in self.api("GET", "/api/v1/events")["items"]),
                   "the event on the Node")

    def test_pages_about_itself_are_kube_proxys(self):
        """The same forms to the same wishes, with the same headers; what they say is each one's."""
        ours = self.active()
        mine, my_families = component_pages(), metric_families()
        for page in ("flagz", "statusz"):
            self.assertNotIn(self.endpoint.admin, ask(f"{STATUS}/{page}")[1], "a token is shown")
        ours.end()
        try:
            theirs = self.start_upstream()
        except servers.Unavailable as why:
            print(f"not shown: what the real kube-proxy's pages are: {why}")
            return
        eventually(lambda: ask(STATUS + "/healthz"), "kube-proxy serves")
        eventually(lambda: all(f'last_timestamp_seconds{{ip_family="{family}"}}' in
                               ask(STATUS + "/metrics")[1] for family in ("IPv4", "IPv6")),
                   "kube-proxy has written its rules")
        families = metric_families()
        self.assertGreater(len(families), 8)
        for name, family in families.items():
            with self.subTest(metric=name):
                self.assertEqual(my_families.get(name), family)
        for wish, answer in component_pages().items():
            with self.subTest(wish=wish):
                self.assertEqual(mine[wish], answer)
        theirs.kill()
        theirs.wait(30)

    def test_pages_go_with_their_gates(self):
        self.active("--feature-gates=ComponentFlagz=false,ComponentStatusz=false")
        self.assertEqual((ask(STATUS + "/flagz")[0], ask(STATUS + "/statusz")[0]), (404, 404))

    def start_upstream(self):
        config = self.folder / "upstream"
        config.write_text(json.dumps({
            "apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration",
            "mode": "nftables", "hostnameOverride": "n1", "oomScoreAdj": 0,
            "clientConnection": {"kubeconfig": str(self.endpoint.kubeconfig)},
            "conntrack": {"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s",
                          "tcpCloseWaitTimeout": "0s"}}))
        child = subprocess.Popen([servers.peer("kube-proxy"), f"--config={config}"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        self.stack.callback(lambda: child.poll() is None and (child.kill(), child.wait(30)))
        return child

    def test_can_do_what_needs_rights_and_end(self):
        done = run(PROGRAM, "proxy", "--init-only", "--kubeconfig", str(self.endpoint.kubeconfig),
                   "--hostname-override=n1", *own_namespace.PROXY_FLAGS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(tables(), [], "rules are the business of the one that stays")

    def test_raises_its_limit_of_open_files(self):
        now, most = descriptor_limits(self.active().child.pid)
        self.assertEqual(now, most)
        self.assertGreater(now, FEW_DESCRIPTORS, "the hard limit of this machine shows nothing")

    def test_explain_asks_it_what_it_does(self):
        self.active()
        told = run(PROGRAM, "explain", "web", "--node", STATUS)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("(cluster_wide)", told.stdout)
        self.assertIn("10.96.7.7:", told.stdout)
        none = run(PROGRAM, "explain", "other/web", "--node", STATUS)
        self.assertEqual((none.returncode, none.stdout), (1, ""))
        self.assertIn("routes no such service", none.stderr)

    def test_a_thousand_endpoints_are_all_used_alike(self):
        self.api("POST", "/api/v1/namespaces/default/services", {
            "metadata": {"name": "crowd"},
            "spec": {"clusterIP": "10.96.7.8", "ports": [{"name": "http", "port": 80}]}})
        self.addCleanup(self.api, "DELETE", "/api/v1/namespaces/default/services/crowd")
        slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
        for number in range(10):
            self.api("POST", slices, {
                "metadata": {"name": f"crowd-{number}",
                             "labels": {"kubernetes.io/service-name": "crowd"}},
                "addressType": "IPv4", "ports": [{"name": "http", "port": 8080}],
                "endpoints": [{"addresses": [f"10.245.{number}.{last}"]}
                              for last in range(1, 101)]})

        def slots():
            listed = run("nft", "list", "map", "ip", "proxima", "slots").stdout
            return collections.Counter(re.findall(r": (10\.245\.[\d.]+) \. 8080", listed))
        first = self.active()
        self.assertEqual(len(eventually(lambda: len(slots()) == 1000 and slots(), "all of them")), 1000)
        fair = sum(slots().values()) / 1000
        self.assertLess(max(slots().values()) / fair, 1.05 + 1e-9)
        self.assertGreater(min(slots().values()) / fair, 0.95 - 1e-9)
        before = slots()
        first.end()
        self.active()
        self.assertEqual(slots(), before, "another one takes them up as they are")
        self.api("DELETE", f"{slices}/crowd-3")
        eventually(lambda: len(slots()) == 900, "those that are left")

    def test_leaves_its_rules_when_it_ends_and_takes_them_up_again(self):
        first = self.active()
        before = run("nft", "list", "ruleset").stdout
        self.assertEqual(first.end(), 0, first.said())
        self.assertEqual(run("nft", "list", "ruleset").stdout, before)
        second = self.active()
        self.assertIn('"Adopted the routes" family="IPv4"', second.said())
        self.assertEqual(run("nft", "list", "ruleset").stdout, before)

    def test_counting_can_be_switched_off_and_on_again_without_a_change_of_rules(self):
        counting = pathlib.Path("/proc/sys/net/netfilter/nf_conntrack_acct")
        before = counting.read_text()
        self.addCleanup(counting.write_text, before)
        counting.write_text("0")
        without = self.active("--flow-accounting=false")
        rules = run("nft", "list", "ruleset").stdout
        self.assertEqual(counting.read_text().strip(), "0", "nobody looks at the counts")
        self.assertEqual(ask(STATUS + "/debug/flows")[0], 404)
        self.assertNotIn("proxima_service_connections_total", ask(STATUS + "/metrics")[1])
        self.assertNotIn("proxima_flow_", ask(STATUS + "/metrics")[1])
        without.end()
        for flag, counted in (("--flow-accounting", "1"), ("--flow-accounting=false", "1")):
            proxy = self.active(flag)
            metrics = ask(STATUS + "/metrics")[1]
            for family in ("IPv4", "IPv6"):
                self.assertNotRegex(metrics, "proxima_sync_rule_operations_total{ip_family=\"%s\"} "
                                    "[1-9]" % family, flag)
            self.assertEqual(run("nft", "list", "ruleset").stdout, rules, flag)
            self.assertEqual(counting.read_text().strip(), counted, "what is on stays on")
            proxy.end()

    def test_a_second_one_says_who_is_there_already(self):
        first = self.active()
        second = self.start()
        self.assertEqual(second.child.wait(30), 1)
        self.assertIn("another proxima proxy routes Services that name no proxy in this network "
                      f"namespace: process {first.child.pid} (proxima)", second.said())
        cleaning = run(PROGRAM, "proxy", "--cleanup")
        self.assertEqual(cleaning.returncode, 1)
        self.assertIn(f"process {first.child.pid}", cleaning.stderr)
        self.assertEqual(tables(), ["ip proxima", "ip6 proxima"])

    def test_one_with_a_name_stands_beside(self):
        self.active()
        self.start("--service-proxy-name=mine", "--healthz-bind-address=127.0.0.1:10258",
                   "--metrics-bind-address=127.0.0.1:10259").wait_for(
                       '"Adopted the routes" family="IPv6"')
        self.assertEqual(tables(), ["ip proxima", "ip proxima-mine",
                                    "ip6 proxima", "ip6 proxima-mine"])
        self.assertNotIn("10.96.7.7", run("nft", "list", "table", "ip", "proxima-mine").stdout)

    def test_cleaning_up_removes_its_own_and_nothing_else(self):
        run("nft", "add table ip kube-proxy; add table ip other")
        self.active().end()
        cleaning = run(PROGRAM, "proxy", "--cleanup")
        self.assertEqual(cleaning.returncode, 0, cleaning.stderr)
        self.assertEqual(tables(), ["ip kube-proxy", "ip other"])
        self.assertEqual(run(PROGRAM, "proxy", "--cleanup").returncode, 0, "nothing is no error")

    def test_removes_kube_proxys_rules_only_when_it_is_told_to(self):
        run("nft", "add table ip kube-proxy; add table ip other")
        self.active().wait_for("kube-proxy has rules here too").end()
        self.assertIn("ip kube-proxy", tables())
        self.active("--take-over").wait_for("Removed kube-proxy's rules").end()
        self.assertEqual(tables(), ["ip other", "ip proxima", "ip6 proxima"])

    def test_removes_rules_of_kube_proxys_other_modes_and_no_others(self):
        rules = """
            table {0} nat {{
              chain KUBE-MARK-MASQ {{ meta mark set meta mark | 0x4000; }};
              chain KUBE-SVC-A {{ jump KUBE-MARK-MASQ; }};
              chain KUBE-SERVICES {{ tcp dport 9 jump KUBE-SVC-A; }};
              chain KUBE-KUBELET-CANARY {{ }};
              chain OUTPUT {{ type nat hook output priority -100; jump KUBE-SERVICES; accept; }};
            }}
            table {0} filter {{
              chain KUBE-FIREWALL {{ drop; }};
              chain KUBE-FORWARD {{ accept; }};
              chain INPUT {{ type filter hook input priority 0; ct mark 7 jump KUBE-FIREWALL; }};
              chain FORWARD {{ type filter hook forward priority 0; jump KUBE-FORWARD; }};
            }}
            """
        for family in ("ip", "ip6"):
            self.assertEqual(run("nft", rules.format(family)).stderr, "")
        self.active().wait_for("kube-proxy has rules here too").end()
        self.assertIn("KUBE-SVC-A", run("nft", "list", "ruleset").stdout)
        self.active("--take-over").wait_for("Removed kube-proxy's iptables rules").end()
        left = run("nft", "list", "ruleset").stdout
        for chain in ("KUBE-SERVICES", "KUBE-SVC-A", "KUBE-MARK-MASQ", "KUBE-FORWARD"):
            self.assertNotIn(chain, left)
        for kept in ("KUBE-KUBELET-CANARY", "jump KUBE-FIREWALL"):
            self.assertEqual(left.count(kept), 2, left)

    def test_a_port_that_is_taken_is_tried_again_or_ends_it(self):
        first = self.active()
        self.start("--service-proxy-name=mine", "--metrics-bind-address=127.0.0.1:10259").wait_for(
            "Failed to serve; it is tried again")
        hard = self.start("--service-proxy-name=hard", "--bind-address-hard-fail")
        self.assertEqual(hard.child.wait(30), 1)
        self.assertIn("10256", hard.said())
        first.end()
        eventually(lambda: ask(HEALTH + "/livez"), "the second one serves in its place")

    def test_ends_when_its_configuration_file_changes(self):
        config = self.folder / "config"
        text = json.dumps({"apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
                           "kind": "KubeProxyConfiguration", "mode": "nftables",
                           "conntrack": {"maxPerCore": 0}, "oomScoreAdj": 0})
        config.write_text(text)
        proxy = self.active(f"--config={config}")
        config.write_text(text + "\n")
        self.assertEqual(proxy.child.wait(30), 1)
        self.assertIn("has changed", proxy.said())

    def test_what_it_cannot_do_is_said(self):
        self.assertIn("is not a mode of this proxy", run(PROGRAM, "proxy", "--proxy-mode=ipvs").stderr)
        self.assertIn("BindAddress", run(PROGRAM, "proxy", "--bind-address=x").stderr)
        weak = run("setpriv", "--bounding-set=-all", "--inh-caps=-all", PROGRAM, "proxy",
                   "--kubeconfig", str(self.endpoint.kubeconfig))
        self.assertEqual(weak.returncode, 1)
        self.assertIn("CAP_NET_ADMIN", weak.stderr)


if __name__ == "__main__":
    if not own_namespace.is_inside():
        sys.exit(own_namespace.enter("proxima proxy as a process"))
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
