#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a soak may do in which state."""
import random
import sys
import unittest

sys.dont_write_bytecode = True
import choices  # noqa: E402
import figures  # noqa: E402


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
    def samples(sizes):
        return [{"time": index, "up": size, "up whole": size, "proxy": 5, "descriptors": 100,
                 "namespaces": 40} for index, size in enumerate(sizes)]

    def test_what_is_flat_after_warm_up_is_flat(self):
        lines, wrong = figures.judged(self.samples([10] * 50 + [60] * 50), 50)
        self.assertEqual(wrong, [])
        self.assertIn("up: 60.0 MB after warm-up, 60.0 at the end, 60.0 at most (bound 77.0)", lines)

    def test_minutes_show_how_it_grew(self):
        self.assertEqual(figures.minutes(self.samples(range(130)), "up"), "up by minute: 0.0 60.0 120.0")

    def test_what_grows_is_told(self):
        _, wrong = figures.judged(self.samples(range(0, 200, 2)), 50)
        self.assertEqual(wrong, ["up grew from 104.0 to 194.0 MB, above 127.6"])

    def test_a_run_that_is_too_short_shows_nothing(self):
        self.assertEqual(figures.judged(self.samples([1, 2]), 5)[1],
                         ["too short to compare anything"])


if __name__ == "__main__":
    unittest.main()
