#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a soak may do in which state."""
import json
import random
import unittest

import choices
from support import figures


def state(pods, dead=(), failed=(), cordoned=()):
    """pods: "a1 b1 …" for one Service: a Pod on the first node of zone a, and so on; '!' not ready."""
    zones = ("a", "b", "c")
    return {
        "zones": [{"name": zone, "failed": zone in failed} for zone in zones],
        "nodes": [{"name": zone + number, "zone": zone, "ready": zone + number not in dead,
                   "power": zone + number not in dead, "cordoned": zone + number in cordoned}
                  for zone in zones for number in "12"],
        "services": [{"service": "shop/web", "namespace": "shop", "name": "web"}],
        "pods": [{"namespace": "shop", "name": f"web-{index}", "node": word[:2], "zone": word[0],
                  "ready": "!" not in word, "terminating": False, "services": ["shop/web"]}
                 for index, word in enumerate(pods.split())]}


def words(actions):
    return {" ".join(action.words) for action in actions}


def many(choice, given, times=500):
    """What `choice` offers with many seeds."""
    return [action for seed in range(times) for action in choice(given, random.Random(seed))]


def written(action):
    """Annotations that a policy's action sets; None: it takes them away."""
    if "patch" in action.words:
        return json.loads(action.words[-1])["metadata"]["annotations"]
    if action.given:
        return json.loads(action.given)["metadata"]["annotations"]
    return {name.rstrip("-"): value or None for name, _, value in
            (word.partition("=") for word in action.words if word.startswith("proxima.io/"))}


class Choices(unittest.TestCase):
    def test_what_has_the_only_endpoint_is_not_failed(self):
        found = words(choices.failures(state("a1")))
        self.assertNotIn("fail-zone a", found)
        self.assertNotIn("kill-node a1", found)
        self.assertIn("fail-zone b", found)
        self.assertIn("kill-node a2", found)

    def test_endpoints_that_do_not_serve_do_not_count(self):
        self.assertNotIn("fail-zone a", words(choices.failures(state("a1 b1!"))))
        self.assertIn("fail-zone a", words(choices.failures(state("a1 b1"))))

    def test_there_is_one_failure_at_a_time(self):
        self.assertEqual(choices.failures(state("a1 b1 c1", failed=("c",))), [])
        self.assertEqual(choices.failures(state("a1 b1 c1", dead=("c2",))), [])

    def test_two_endpoints_stay_when_one_is_deleted(self):
        self.assertEqual(choices.deletions(state("a1 b1")), [])
        self.assertEqual(len(choices.deletions(state("a1 b1 c1"))), 3)
        self.assertEqual(words(choices.deletions(state("a1 b1 c1", dead=("c1",)))),
                         {"-n shop delete pod web-2 --wait=false"})

    def test_a_zone_keeps_a_node_that_takes_pods(self):
        found = words(choices.cordons(state("a1", cordoned=("a1",))))
        self.assertIn("uncordon a1", found)
        self.assertNotIn("cordon a2", found)
        self.assertIn("cordon b1", found)

    def test_a_node_is_not_deleted_that_alone_takes_pods(self):
        full = state("a1 b1 c1", cordoned=("a1", "a2"))
        full["nodes"] += [{**full["nodes"][0], "name": f"a{number}", "cordoned": number > 3}
                          for number in (3, 4, 5)]
        found = {action.words[2] for action in many(choices.nodes, full, 1)}
        self.assertEqual(found, {"a1", "a2", "a4", "a5"}, "a3 is not cordoned")

    def test_policies_are_written_in_every_way(self):
        actions = many(choices.policies, state("a1 b1"))
        self.assertEqual({action.kind for action in actions},
                         {"annotate", "patch-policy", "patch-distribution", "apply-service"})
        self.assertEqual({written(action).get("proxima.io/policy") for action in actions},
                         {*choices.POLICIES, None})

    def test_topology_keys_come_with_their_policy_alone_and_fit_everything_in_the_end(self):
        for action in many(choices.policies, state("a1 b1")):
            annotations = written(action)
            keys = annotations.get("proxima.io/topology-keys")
            self.assertEqual(annotations.get("proxima.io/policy") == "topology-keys", bool(keys))
            self.assertTrue(keys is None or keys.split(",")[-1] == "*", keys)
            if action.kind != "apply-service":  # which leaves what it did not write
                self.assertIn("proxima.io/topology-keys", annotations)

    def test_a_field_speaks_where_no_annotation_does(self):
        bodies = [json.loads(action.words[-1]) for action in many(choices.policies, state("a1"))
                  if action.kind == "patch-distribution"]
        self.assertEqual({body["spec"]["trafficDistribution"] for body in bodies},
                         set(choices.DISTRIBUTIONS))
        for body in bodies:
            self.assertEqual(set(body["metadata"]["annotations"].values()), {None})

    def test_an_applied_service_stays_the_same_service(self):
        for action in many(choices.policies, state("a1")):
            if action.kind == "apply-service":
                self.assertEqual(json.loads(action.given)["spec"], {
                    "selector": {"app": "web"},
                    "ports": [{"name": "http", "port": 80, "targetPort": 8080}]})

    def test_pods_are_applied_where_there_is_power_and_room(self):
        pods = [json.loads(action.given) for action in
                many(choices.applied_pods, state("a1 a1 a2 a2 b1", failed=("c",)))]
        self.assertEqual({pod["spec"]["nodeSelector"][choices.ZONE] for pod in pods}, {"b"})
        self.assertEqual({pod["metadata"]["labels"]["app"] for pod in pods}, {"web"})

    def test_the_name_of_an_applied_pod_is_free(self):
        taken = state("a1 b1")
        taken["pods"][0]["name"] = "web-applied-1"
        names = {json.loads(action.given)["metadata"]["name"]
                 for action in many(choices.applied_pods, taken)}
        self.assertEqual(names, {f"web-applied-{n}" for n in range(2, choices.APPLIED_NAMES + 1)})

    def test_equal_seeds_choose_alike_and_a_failure_is_healed_in_the_end(self):
        broken = state("a1 b1 c1", failed=("c",), dead=("c1", "c2"))
        rows = [[choices.choose(broken, generator) for _ in range(200)]
                for generator in (random.Random(7), random.Random(7))]
        self.assertEqual(*rows)
        self.assertIn("heal", {action.kind for action in rows[0]})
        self.assertFalse({"fail-zone", "kill-node", "add-node", "delete-node"} &
                         {action.kind for action in rows[0]})


class Figures(unittest.TestCase):
    @staticmethod
    def samples(sizes, step=1, proxies=()):
        """proxies: for each sample, process → MB."""
        return [{"time": index * step, "up": size, "up whole": size, "proxy": 5, "descriptors": 100,
                 "proxies": proxies[index] if proxies else {}, "namespaces": 40}
                for index, size in enumerate(sizes)]

    def test_what_is_flat_after_warm_up_is_flat(self):
        lines, wrong = figures.judged(self.samples([10] * 50 + [60] * 50), 50)
        self.assertEqual(wrong, [])
        self.assertIn("up: 60.0 MB after warm-up, 60.0 at the end, 60.0 at most (bound 77.0)", lines)

    def test_minutes_show_how_it_grew(self):
        self.assertEqual(figures.minutes(self.samples(range(130)), "up"), "up by minute: 0.0 60.0 120.0")

    def test_what_grows_is_told(self):
        _, wrong = figures.judged(self.samples(range(0, 200, 2)), 50)
        self.assertEqual(wrong, ["up grew from 104.0 to 194.0 MB, above 127.6"])

    def test_after_a_quarter_of_an_hour_little_may_be_added(self):
        # warm-up and whole, minutes; MB before and after; what is wrong
        rows = ((14, 30, 22, 33.2, []), (16, 30, 22, 25, []),
                (16, 30, 22, 25.2, ["up grew from 22.0 to 25.2 MB, above 25.1"]),
                (16, 85, 22, 25.6, []),
                (16, 85, 22, 27.2, ["up grew from 22.0 to 27.2 MB, above 27.1"]))
        for warm_up, whole, before, after, wrong in rows:
            half = (whole + warm_up) // 2
            samples = self.samples([before] * half + [after] * (whole - half), step=60)
            self.assertEqual(figures.judged(samples, warm_up * 60)[1], wrong, (warm_up, whole, after))

    def test_one_proxy_that_grows_is_found_among_those_that_do_not(self):
        proxies = [{1: 5, 2: 5, 3: 5 + index / 10} for index in range(100)]
        lines, wrong = figures.judged(self.samples([20] * 100, proxies=proxies), 50)
        self.assertEqual(wrong, ["a proxy grew from 6.0 to 14.9 MB, above 8.9"])
        self.assertIn("the proxy that grew most: from 6.0 to 14.9 MB in 89 s (bound 8.9)", lines)

    def test_a_proxy_that_is_new_and_large_has_not_grown(self):
        proxies = [{1: 2}] * 50 + [{2: 2 + 3 * min(index, 9)} for index in range(50)]
        lines, wrong = figures.judged(self.samples([20] * 100, proxies=proxies), 50)
        self.assertEqual(wrong, [])
        self.assertEqual([line for line in lines if "grew most" in line],
                         ["the proxy that grew most: from 2.0 to 2.0 MB in 39 s (bound 4.3)"])

    def test_a_run_that_is_too_short_shows_nothing(self):
        self.assertEqual(figures.judged(self.samples([1, 2]), 5)[1],
                         ["too short to compare anything"])


if __name__ == "__main__":
    unittest.main()
