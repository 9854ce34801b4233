#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The built program as its users meet it: cli_scenarios_test.py PROGRAM [unittest arguments]."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

from support.process_facts import FEW_DESCRIPTORS, descriptor_limits, start_with_few_descriptors
from terminal import columns_of, run_on_terminal, without_colours

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SMALL = str(HERE / "small.yaml")
EXAMPLE = ROOT / "examples" / "three-zones.yaml"
PROGRAM = ""  # set by main


def environment(**changes):
    """Ours, without what a terminal set-up may have put into it."""
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "TERM")}
    return {**base, "TERM": "xterm-256color", **changes}


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60,
                          env=environment(), **options)


class Answers(unittest.TestCase):
    def test_a_table_has_one_line_a_service(self):
        done = run("plan", "-f", SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split()[:3], ["NAMESPACE", "NAME", "POLICY"])
        self.assertEqual([line.split()[:2] for line in lines[1:]],
                         [["shop", "cart"], ["shop", "checkout"], ["test", "cart"]])

    def test_no_headers_leaves_the_first_line_out(self):
        with_headers = run("plan", "-f", SMALL).stdout.splitlines()
        without = run("plan", "-f", SMALL, "--no-headers").stdout.splitlines()
        self.assertEqual(len(without), len(with_headers) - 1)

    def test_json_and_yaml_say_the_same(self):
        for command in (["plan"], ["compare"], ["migrate"],
                        ["explain", "service/shop/cart", "--from-zone", "zone-c"]):
            with self.subTest(command=command):
                as_json = run(*command, "-f", SMALL, "-o", "json")
                as_yaml = run(*command, "-f", SMALL, "-o", "yaml")
                self.assertEqual(as_json.returncode, 0, as_json.stderr)
                self.assertEqual(json.loads(as_json.stdout), yaml.safe_load(as_yaml.stdout))

    def test_a_split_row_sums_to_a_thousand(self):
        items = json.loads(run("plan", "-f", SMALL, "-o", "json", "shop/cart").stdout)["items"]
        self.assertEqual(len(items), 1)
        self.assertEqual(set(items[0]["splitPermille"]), {"zone-a", "zone-b", "zone-c"})
        for row in items[0]["splitPermille"].values():
            self.assertEqual(sum(row.values()), 1000)

    def test_every_endpoint_of_a_hinted_service_is_for_a_zone(self):
        items = json.loads(run("plan", "-f", SMALL, "-o", "json", "shop/checkout").stdout)["items"]
        self.assertTrue(items[0]["published"]["hints"])
        self.assertEqual([e["forZones"] for e in items[0]["endpoints"]],
                         [["zone-a"], ["zone-b"], ["zone-c"]])
        self.assertEqual([c["type"].split("/")[1] for c in items[0]["conditions"]],
                         ["TrafficDistributionAccepted", "TrafficDistributionProgrammed",
                          "TrafficDistributionHonored"])

    def test_shares_of_an_explanation_sum_to_one(self):
        for place in (["--from-node", "node-b1"], ["--from-zone", "zone-c"]):
            with self.subTest(place=place):
                done = run("explain", "svc/shop/cart", *place, "-f", SMALL, "-o", "json")
                shares = [e["share"] for e in json.loads(done.stdout)["endpoints"]]
                self.assertAlmostEqual(sum(shares), 1)

    def test_an_explanation_has_its_sections(self):
        done = run("explain", "service/shop/cart", "--from-zone", "zone-b", "-f", SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        for heading in ("Policy: balanced 20%", "What the plan says", "Endpoints used: ",
                        "Not used from here", "What would change it"):
            self.assertIn(f"\n{heading}", done.stdout)
        self.assertIn("10.0.1.2", done.stdout)
        self.assertIn("not ready", done.stdout)

    def test_namespaces_and_selectors_choose(self):
        names = lambda *words: [tuple(line.split()[:2]) for line in
                                run("plan", "-f", SMALL, "--no-headers", *words).stdout.splitlines()]
        self.assertEqual(names("-n", "test"), [("test", "cart")])
        self.assertEqual(names("-l", "app=cart"), [("shop", "cart")])
        self.assertEqual(names("-l", "app in (cart,checkout)", "-n", "shop", "-A"),
                         [("shop", "cart"), ("shop", "checkout")])
        self.assertEqual(names("cart"), [("shop", "cart"), ("test", "cart")])
        self.assertEqual(names("-n", "test", "cart"), [("test", "cart")])

    def test_nothing_chosen_is_no_error(self):
        done = run("plan", "-f", SMALL, "-n", "nowhere")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr, "No services found.\n")

    def test_standard_input_files_and_directories_read_alike(self):
        expected = run("plan", "-f", SMALL).stdout
        self.assertEqual(run("plan", "-f", "-", input=Path(SMALL).read_text("utf-8")).stdout,
                         expected)
        with tempfile.TemporaryDirectory() as folder:
            documents = Path(SMALL).read_text("utf-8").split("\n---\n")
            for number, document in enumerate(documents):
                Path(folder, f"{number:02}.yaml").write_text(document, "utf-8")
            self.assertEqual(run("plan", "-f", folder).stdout, expected)

    def test_hints_that_somebody_else_wrote_count_in_plan_and_compare(self):
        """A Service without a selector, whose slice sends each zone to the other."""
        nodes = [{"kind": "Node", "apiVersion": "v1", "metadata": {"name": f"n-{zone}", "labels": {
            "topology.kubernetes.io/zone": zone}}, "status": {"allocatable": {"cpu": "4"}}}
            for zone in "ab"]
        service = {"kind": "Service", "apiVersion": "v1", "metadata": {"name": "web"},
                   "spec": {"clusterIP": "10.96.0.9", "ports": [{"port": 80}]}}
        endpoints = [{"addresses": [f"10.0.0.{number}"], "zone": zone, "nodeName": f"n-{zone}",
                      "hints": {"forZones": [{"name": other}]}}
                     for number, zone, other in ((1, "a", "b"), (2, "b", "a"))]
        written = {"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": {
            "name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
            "addressType": "IPv4", "ports": [{"port": 80}], "endpoints": endpoints}
        dump = "\n---\n".join(json.dumps(one) for one in (*nodes, service, written))
        planned = json.loads(run("plan", "-f", "-", "-o", "json", input=dump).stdout)["items"][0]
        self.assertEqual((planned["readyEndpoints"], planned["traffic"]["local"],
                          planned["traffic"]["crossZone"]), (2, 0, 1))
        compared = json.loads(run("compare", "-f", "-", "-o", "json", input=dump).stdout)
        self.assertEqual({(one["local"], one["crossZone"]) for one in compared["totals"]}, {(0, 1)})

    def test_slices_are_derived_when_a_dump_has_none(self):
        made = run("generate", "--nodes", "6", "--services", "2", "--pods", "12")
        planned = json.loads(run("plan", "-f", "-", "-o", "json", input=made.stdout).stdout)
        self.assertEqual(sum(len(item["endpoints"]) for item in planned["items"]), 12)

    def test_generate_repeats_itself(self):
        words = ("generate", "--nodes", "5", "--pods", "20", "--seed", "7")
        self.assertEqual(run(*words).stdout, run(*words).stdout)
        self.assertNotEqual(run(*words).stdout, run(*words[:-1], "8").stdout)

    def test_compare_shows_every_policy_and_every_bound(self):
        done = run("compare", "-f", SMALL, "--policy", "as-configured,auto,balanced",
                   "--overload", "0,inf", "-o", "json")
        totals = json.loads(done.stdout)["totals"]
        self.assertEqual([t["variant"] for t in totals],
                         ["as-configured", "auto", "balanced 0%", "balanced inf"])
        for total in totals:
            self.assertAlmostEqual(total["local"] + total["crossZone"] + total["rejected"], 1)

    def test_compare_states_what_it_assumes(self):
        done = run("compare", "-f", SMALL)
        self.assertIn("assumed: 1 GB for every service", done.stdout)
        self.assertIn("$0.02 per GB between zones", done.stdout)

    def test_compare_counts_the_traffic_and_prices_it_is_given(self):
        with tempfile.TemporaryDirectory() as folder:
            traffic, prices = Path(folder, "traffic.csv"), Path(folder, "prices.yaml")
            traffic.write_text("namespace,name,gb\nshop,cart,100\nshop,gone,5\n", "utf-8")
            prices.write_text("zone-a/zone-c: 0.5\nsame-region: 0.1\n", "utf-8")
            done = run("compare", "-f", SMALL, "--traffic", str(traffic), "--price-file",
                       str(prices), "--policy", "cluster-wide", "-o", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "warning: --traffic: there is no service shop/gone\n")
        total = json.loads(done.stdout)["totals"][0]
        self.assertEqual(total["gigabytes"], 100)
        # Demand 40/40/20 % over capacity 2:1:0 at 0.1 between a and b, 0.5 a–c, 0.1 b–c.
        crossing = 0.4 / 3 * 0.1 + 0.4 * 2 / 3 * 0.1 + 0.2 * (2 / 3 * 0.5 + 1 / 3 * 0.1)
        self.assertAlmostEqual(total["cost"], 100 * crossing)

    def test_measured_demand_moves_the_plan(self):
        done = run("plan", "-f", SMALL, "--demand", "measured", "--measured", "zone-c=1", "-o",
                   "json", "shop/cart")
        self.assertEqual(json.loads(done.stdout)["items"][0]["demand"], {"zone-c": 1})

    def test_the_bundled_example_answers(self):
        if not EXAMPLE.exists():
            self.skipTest("examples/three-zones.yaml is not there")
        for words in (["plan"], ["compare"], ["migrate"]):
            done = run(*words, "-f", str(EXAMPLE))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(len(done.stdout.splitlines()), 3)


class Migrations(unittest.TestCase):
    """What a move is predicted to do is what compare says of the policy, and what the patch does."""

    def items(self, *words):
        done = run("migrate", "-f", str(EXAMPLE), "-o", "json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)["items"]

    def patches(self, *words):
        done = run("migrate", "-f", str(EXAMPLE), "-o", "patch", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(yaml.safe_load_all(done.stdout)), done.stdout

    def test_figures_are_those_of_compare(self):
        names = {"trafficDistribution": ("prefer-same-zone", "prefer-same-node"),
                 "balanced": ("balanced 20%",), "auto": ("auto",)}
        compared = json.loads(run("compare", "-f", str(EXAMPLE), "-o", "json").stdout)["services"]
        outcomes = {(s["namespace"], s["name"], o["variant"]): o
                    for s in compared for o in s["outcomes"]}
        for item in self.items():
            for move in item["moves"]:
                found = [outcomes[item["namespace"], item["name"], name]
                         for name in names[move["to"]] if name.split()[0] == move["policy"]]
                self.assertEqual(len(found), 1, move)
                if "node-first" in json.dumps(move["patch"]):
                    continue  # compare forces the policy alone
                for figure in ("local", "worstOverload", "cost"):
                    self.assertAlmostEqual(move[figure], found[0][figure], msg=(item, move["to"]))

    def test_suggestions_are_patched_and_nothing_else(self):
        documents, text = self.patches()
        suggested = [(i["namespace"], i["name"]) for i in self.items() if i["suggested"]]
        self.assertIn(("shop", "search"), suggested)
        self.assertEqual([(d["metadata"]["namespace"], d["metadata"]["name"]) for d in documents],
                         suggested)
        self.assertEqual(text.count("# kubectl patch service "), len(suggested))

    def test_a_patch_removes_what_it_replaces(self):
        documents, _ = self.patches("shop/search", "--to", "trafficDistribution")
        self.assertEqual(documents, [{
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": "search", "namespace": "shop",
                         "annotations": {"service.kubernetes.io/topology-mode": None}},
            "spec": {"trafficDistribution": "PreferSameZone"}}])

    def test_auto_is_told_how_many_pods_it_needs(self):
        advice = self.items("shop/search")[0]["podsForAuto"]
        self.assertEqual([one["placement"] for one in advice], ["spread", "by-zone"])
        for one in advice:
            self.assertEqual(sum(one["zones"].values()), one["pods"])
            self.assertEqual(one["pods"], 4 + one["more"])
            self.assertEqual(one["reason"]["code"], "hints_assigned")

    def test_nothing_to_patch_is_no_error(self):
        done = run("migrate", "-f", str(EXAMPLE), "-o", "patch", "shop/mail")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr, "No service has to be patched.\n")
        done = run("migrate", "-f", str(EXAMPLE), "-n", "nowhere")
        self.assertEqual((done.returncode, done.stderr), (0, "No services found.\n"))


class Mistakes(unittest.TestCase):
    def fails(self, code, message, *words, **options):
        done = run(*words, **options)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(message, done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)

    def test_without_a_file_a_live_cluster_is_looked_for(self):
        nowhere = {k: v for k, v in environment(HOME="/nonexistent").items()
                   if not k.startswith("KUBE")}
        done = subprocess.run([PROGRAM, "plan"], capture_output=True, text=True, timeout=60,
                              env=nowhere)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("without -f a live cluster is read: no cluster is configured", done.stderr)

    def test_wrong_flags_exit_with_two_and_read_nothing(self):
        self.fails(2, "unknown flag: --outptu; did you mean --output?", "plan", "-f", "/no/such",
                   "--outptu", "json")
        self.fails(2, "unknown command: pla", "pla")
        self.fails(2, "trafficDistribution, balanced, auto", "migrate", "--to", "mars")
        self.fails(2, "fewer nodes than zones", "generate", "--nodes", "1", "--zones", "3")
        self.fails(2, "unknown command: plam; did you mean plan?", "help", "plam")

    def test_a_missing_file_is_named(self):
        self.fails(1, "/no/such/file.json", "plan", "-f", "/no/such/file.json")
        self.fails(1, "prices.yaml", "plan", "-f", SMALL, "--price-file", "/no/prices.yaml")

    def test_an_unknown_service_is_named_with_what_is_near(self):
        self.fails(1, 'service "shop/crat" not found; did you mean shop/cart?', "plan", "-f", SMALL,
                   "shop/crat")
        self.fails(1, '"a/b/c" is not a service', "plan", "-f", SMALL, "a/b/c")

    def test_an_ambiguous_service_is_not_guessed(self):
        self.fails(1, "is in several namespaces: shop/cart, test/cart", "explain", "cart",
                   "--from-zone", "zone-a", "-f", SMALL)

    def test_an_unknown_place_is_named(self):
        self.fails(1, 'node "node-a9" not found; did you mean', "explain", "shop/cart",
                   "--from-node", "node-a9", "-f", SMALL)
        self.fails(1, "the zones are zone-a, zone-b, zone-c", "explain", "shop/cart",
                   "--from-zone", "mars", "-f", SMALL)
        self.fails(1, "has no IPv6 endpoints", "explain", "shop/cart", "--from-zone", "zone-a",
                   "--family", "IPv6", "-f", SMALL)

    def test_bad_numbers_name_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            traffic = Path(folder, "traffic.yaml")
            traffic.write_text("shop/cart: 5\nshop/checkout: much\n", "utf-8")
            self.fails(1, f"{traffic}: line 2: shop/checkout: \"much\"", "compare", "-f", SMALL,
                       "--traffic", str(traffic))
            traffic.write_text("zone-a/zone-z: 5\n", "utf-8")
            self.fails(1, "line 1: \"zone-z\" is neither a zone nor a region", "compare", "-f",
                       SMALL, "--price-file", str(traffic))

    def test_one_bad_object_is_a_warning_and_strict_makes_it_an_error(self):
        broken = Path(SMALL).read_text("utf-8") + "---\napiVersion: v1\nkind: Pod\n" \
            "metadata: {name: bad, namespace: shop}\nspec: {nodeName: [1]}\n"
        lenient = run("plan", "-f", "-", input=broken)
        self.assertEqual(lenient.returncode, 0)
        self.assertEqual(lenient.stdout, run("plan", "-f", SMALL).stdout)
        self.assertTrue(lenient.stderr.startswith("warning: "), lenient.stderr)
        self.assertIn("shop/bad", lenient.stderr)
        self.fails(1, "shop/bad", "plan", "-f", "-", "--strict", input=broken)

    def test_numbers_beyond_their_limits_are_refused_and_the_rest_is_planned(self):
        corpus = ROOT / "tests" / "fuzz" / "corpus" / "plan_objects"
        weighted = ["--default-policy", "zone-aware", "--zone-aware-basis", "healthy-hosts-weight"]
        for name in ("node_traffic_beyond_a_number", "pod_weights_that_wrap", "hostile_numbers"):
            dump = str(corpus / f"{name}.json")
            for words in (["plan"], ["plan", *weighted], ["compare"], ["migrate"],
                          ["explain", "s/web", "--from-zone", "a"]):
                with self.subTest(name=name, words=words):
                    done = run(*words, "-f", dump)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("not a number from 0", done.stderr)
                    self.assertNotEqual(done.stdout, "")
        refused = run("plan", "-f", SMALL, "--demand", "measured", "--measured", "zone-a=1e306")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("zone-a: \"1e306\" is not a number from 0", refused.stderr)

    def test_many_warnings_are_counted(self):
        bad = "\n---\n".join(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: bad-{i}}}\n"
                             "spec: {nodeName: [1]}" for i in range(30))
        done = run("plan", "-f", "-", input=Path(SMALL).read_text("utf-8") + "---\n" + bad)
        self.assertEqual(done.stderr.count("warning: "), 11)
        self.assertIn("warning: and 20 more problems", done.stderr)

    def test_names_from_a_dump_cannot_steer_a_terminal(self):
        text = Path(SMALL).read_text("utf-8").replace("proxima.io/policy: balanced",
                                                      'proxima.io/policy: "\\e[2J\\e]0;x\\a"')
        done = run("plan", "-f", "-", "-o", "wide", input=text)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("\x1b", done.stdout + done.stderr)


class Terminals(unittest.TestCase):
    def test_the_default_tables_fit_eighty_columns(self):
        dump = str(EXAMPLE) if EXAMPLE.exists() else SMALL
        commands = (["plan", "-f", dump], ["compare", "-f", dump], ["migrate", "-f", dump],
                    ["reasons"], ["limits"], ["check", "--list"], ["compare", "--help"],
                    ["explain", "shop/cart", "--from-zone", "zone-a", "-f", SMALL])
        for words in commands:
            for columns in (80, 100, 132):
                with self.subTest(words=words, columns=columns):
                    code, text = run_on_terminal([PROGRAM, *words], columns, environment())
                    self.assertEqual(code, 0, text)
                    if "--help" in words:  # examples are lines to copy
                        text = text[:text.index("Examples")] + text[text.index("Arguments"):]
                    self.assertLessEqual(max(map(columns_of, text.splitlines())), columns)

    def test_nothing_is_cut_in_a_pipe(self):
        self.assertNotIn("…", run("plan", "-f", SMALL).stdout)
        _, narrow = run_on_terminal([PROGRAM, "plan", "-f", SMALL], 60, environment())
        self.assertIn("…", narrow)

    def test_colours_are_for_terminals(self):
        words = ["plan", "-f", SMALL]
        self.assertNotIn("\x1b", run(*words).stdout)
        self.assertIn("\x1b[", run_on_terminal([PROGRAM, *words], 120, environment())[1])
        quiet = (environment(NO_COLOR="1"), environment(TERM="dumb"))
        for variables in quiet:
            self.assertNotIn("\x1b", run_on_terminal([PROGRAM, *words], 120, variables)[1])
        self.assertIn("\x1b[", run(*words, "--color", "always").stdout)
        for flag in (["--no-color"], ["--color", "never"]):
            _, text = run_on_terminal([PROGRAM, *words, *flag], 120, environment())
            self.assertNotIn("\x1b", text)

    def test_colours_change_nothing_but_the_colour(self):
        plain = run("explain", "shop/cart", "--from-zone", "zone-a", "-f", SMALL).stdout
        painted = run("explain", "shop/cart", "--from-zone", "zone-a", "-f", SMALL, "--color",
                      "always").stdout
        self.assertNotEqual(painted, plain)
        self.assertEqual(without_colours(painted), plain)


class Endings(unittest.TestCase):
    def test_a_reader_that_goes_away_is_no_error(self):
        script = f"set -o pipefail; '{PROGRAM}' generate --pods 1000 | head -n 1"
        for restore in (True, False):  # with SIGPIPE as usual, and with SIGPIPE ignored
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True,
                                  restore_signals=restore, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "reasons"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "error: write standard output: No space left on device\n")

    def test_an_interrupt_ends_it_at_once(self):
        child = subprocess.Popen([PROGRAM, "plan", "-f", "-"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual((child.returncode, out, err), (-signal.SIGINT, b"", b""))

    def test_a_page_appears_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.html")
            done = run("compare", "-f", SMALL, "--html", str(page))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("</html>", page.read_text("utf-8"))
            self.assertEqual(os.listdir(folder), ["page.html"])
            failed = run("compare", "-f", SMALL, "--html", f"{folder}/missing/page.html")
            self.assertEqual(failed.returncode, 1)
            self.assertIn("error: --html: write", failed.stderr)


class Servers(unittest.TestCase):
    """Those of nodes and controllers have tests of their own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, *words):
        child = subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True,
                                 env=environment(XDG_STATE_HOME=str(self.folder)),
                                 preexec_fn=start_with_few_descriptors)
        self.addCleanup(child.communicate)
        self.addCleanup(child.terminate)
        return child

    def test_they_raise_their_limit_of_open_files(self):
        for words in (("apiserver", "--data-dir", self.folder / "data", "--secure-port", "0"),
                      ("up", "--simulator")):
            with self.subTest(command=words[0]):
                child = self.start(*words)
                self.assertTrue(child.stdout.readline(), "it has ended")  # it is ready
                now, most = descriptor_limits(child.pid)
                self.assertEqual(now, most)
                self.assertGreater(now, FEW_DESCRIPTORS, "the hard limit of this machine shows nothing")


class Reference(unittest.TestCase):
    def test_help_is_what_kubectl_gives(self):
        self.assertEqual(run().returncode, 0)
        self.assertEqual(run().stdout, run("--help").stdout)
        self.assertEqual(run("help", "plan").stdout, run("plan", "--help").stdout)
        for code in ("0", "1", "2", "130", "141"):
            self.assertIn(f"\n  {code} ", run().stdout)
        self.assertEqual(run("--version").stdout, run("version").stdout)

    @unittest.skipUnless(shutil.which("groff"), "groff is not there")
    def test_the_manual_page_is_clean(self):
        page = run("man").stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for command in ("plan", "explain", "compare", "migrate", "generate"):
            self.assertIn(f'.SH "proxima {command}"', page)

    def test_completions_are_scripts_that_their_shells_take(self):
        for shell in ("bash", "zsh", "fish"):
            script = run("completion", shell).stdout
            self.assertIn("missing-node-data", script)
            if not shutil.which(shell):
                print(f"completion {shell}: syntax not checked, there is no {shell}")
                continue
            done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes_commands_flags_values_and_files(self):
        rows = ((["pl"], "plan"), (["plan", "--missing"], "--missing-node-data"),
                (["plan", "-o", "js"], "json"), (["completion", "z"], "zsh"),
                (["help", "comp"], "compare completion"),
                (["plan", "-f", SMALL[:-3]], SMALL))
        for typed, expected in rows:
            words = " ".join(f"'{word}'" for word in ["proxima", *typed])
            script = f"source <('{PROGRAM}' completion bash); COMP_WORDS=({words}); " \
                f"COMP_CWORD={len(typed)}; _proxima; echo \"${{COMPREPLY[*]}}\""
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
            self.assertEqual(done.stdout.strip(), expected, done.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
