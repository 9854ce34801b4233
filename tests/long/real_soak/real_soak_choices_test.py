#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the soak on a real API server may do, which failures that explains, and what it takes for
agreement."""
import random
import unittest

import agreement
import faults
import parts
from support import figures
import world as worlds
from world import Action, CLOSING, DEAD, LEAVING, Ledger, POLICY, Pod, REFUSED, TIMEOUT, UNREADY, World

NODES = {"node-1": "a", "node-2": "b", "node-3": "c"}
STATES = {"": worlds.READY, "!": UNREADY, "~": LEAVING, "-": CLOSING, "+": DEAD}


def world(pods, policy=None):
    """pods: "1 2! 3~ 1+" for one Service: a Pod on node-1, one on node-2 that is not ready, one that shuts
    down, one without power."""
    made = {f"p{index}": Pod(f"p{index}", "web", f"pod-{word[0]}-{index}", f"node-{word[0]}",
                             STATES[word[1:]])
            for index, word in enumerate(pods.split())}
    return World(dict(NODES), policies={"web": {POLICY: policy} if policy else {}}, pods=made)


def refusing(found):
    """Nodes, "13" for node-1 and node-3."""
    return "".join(sorted(node[-1] for _, node, kind in found if kind == REFUSED))


class Reasons(unittest.TestCase):
    def test_refusals_have_a_reason_where_nobody_can_serve(self):
        rows = (
            ("one endpoint serves every node", "1", None, ""),
            ("one that is not ready serves nobody", "1!", None, "123"),
            ("one that shuts down serves where no other is ready", "1~", None, ""),
            ("one that was not ready when it shut down serves nobody", "1-", None, "123"),
            ("one without power serves nobody", "1+", None, "123"),
            ("there may be none at all", "", None, "123"),
            ("other policies than require-zone leave the zone", "1", "prefer-same-zone", ""),
            ("require-zone serves zones with an endpoint", "1 2!", worlds.REQUIRE_ZONE, "23"),
            ("require-zone with an endpoint in each zone", "1 2 3", worlds.REQUIRE_ZONE, ""),
        )
        for name, pods, policy, nodes in rows:
            with self.subTest(name):
                self.assertEqual(refusing(worlds.reasons(world(pods, policy))), nodes)

    def test_timeouts_have_a_reason_while_an_endpoint_has_no_power(self):
        kinds = {kind for _, _, kind in worlds.reasons(world("1 2+"))}
        self.assertEqual(kinds, {TIMEOUT})
        self.assertEqual(worlds.reasons(world("1 2~ 3!")), set())

    def test_a_new_requirement_may_reject_everywhere_until_all_agree(self):
        zone, policy = Action("zone", "node-1", "b"), Action("policy", "web", {})
        rows = (
            ("zones change under it", worlds.REQUIRE_ZONE, zone, set(), "123"),
            ("it is new", worlds.REQUIRE_ZONE, policy, set(), "123"),
            ("another Service gets a policy", worlds.REQUIRE_ZONE, Action("policy", "shop", {}),
             set(), ""),
            ("a Pod goes", worlds.REQUIRE_ZONE, Action("leave", "p0"), set(), ""),
            ("nobody requires anything", "balanced", zone, set(), ""),
            ("it was taken away, and not everybody knows", "balanced", zone, {"web"}, "123"),
        )
        for name, has, action, strict, nodes in rows:
            with self.subTest(name):
                found = worlds.reasons_on_the_way(world("1 2 3", has), action, strict)
                self.assertEqual(refusing(found), nodes)


class Ledgers(unittest.TestCase):
    reason = ("web", "node-1", REFUSED)

    def test_a_reason_counts_from_its_write_until_all_agree(self):
        ledger = Ledger()
        ledger.note({self.reason}, 10)
        ledger.settle({self.reason}, 15)
        ledger.settle(set(), 20)
        rows = (("before", 8, 9, False), ("at the begin", 8, 11, True), ("within", 12, 13, True),
                ("at the end", 19, 22, True), ("after", 21, 22, False))
        for name, begun, ended, explained in rows:
            with self.subTest(name):
                self.assertEqual(ledger.explains(self.reason, begun, ended), explained)

    def test_a_reason_that_comes_again_still_counts_for_the_time_before(self):
        ledger = Ledger()
        ledger.note({self.reason}, 10)
        ledger.settle(set(), 20)
        ledger.note({self.reason}, 21)
        self.assertTrue(ledger.explains(self.reason, 18, 19))
        self.assertFalse(ledger.explains(self.reason, 8, 9))

    def test_others_have_no_reason(self):
        ledger = Ledger()
        ledger.note({self.reason}, 10)
        for other in (("web", "node-2", REFUSED), ("web", "node-1", TIMEOUT),
                      ("shop", "node-1", REFUSED), ("web", "node-1", "reset")):
            self.assertFalse(ledger.explains(other, 11, 12), other)

    def test_it_begins_with_the_first_note_and_is_forgotten_after_a_while(self):
        ledger = Ledger()
        ledger.note({self.reason}, 10)
        ledger.note({self.reason}, 12)
        self.assertTrue(ledger.explains(self.reason, 9, 11))
        ledger.settle(set(), 20)
        ledger.settle(set(), 20 + Ledger.KEPT_SECONDS)
        self.assertEqual(ledger.ended, [])


class Choices(unittest.TestCase):
    free = {"pod-1-7": "node-1", "pod-2-7": "node-2"}

    def many(self, given, times=400):
        return [worlds.choose(given, self.free, 1, random.Random(seed)) for seed in range(times)]

    def test_equal_seeds_choose_alike(self):
        self.assertEqual(self.many(world("1 2!")), self.many(world("1 2!")))

    def test_every_kind_of_action_is_chosen(self):
        given = world("1 2! 3")
        given.policies |= {f"s{number}": {} for number in range(4)}
        given.cordoned = {"node-3"}
        kinds = {action.kind for action in self.many(given, 3000)}
        self.assertEqual(kinds, {"add-pod", "leave", "ready", "unready", "kill-pod", "policy",
                                 "add-service", "remove-service", "empty", "label", "zone",
                                 "uncordon"})

    def test_pods_are_not_put_on_a_cordoned_node_nor_into_a_service_that_ends(self):
        given = world("1")
        given.cordoned = {"node-1"}
        self.assertEqual({one.value for one in worlds.additions(given, self.free)}, {"pod-2-7"})
        given.ending = {"web"}
        self.assertEqual(worlds.additions(given, self.free), [])

    def test_the_last_endpoint_goes_only_with_all_of_its_service(self):
        found = {(action.kind, action.subject) for action in self.many(world("1 2!"))}
        self.assertFalse(found & {("leave", "p0"), ("unready", "p0"), ("kill-pod", "p0")})
        self.assertTrue(found >= {("leave", "p1"), ("ready", "p1"), ("empty", "web")})

    def test_actions_do_not_change_the_world_that_they_are_done_to(self):
        given = world("1 2!")
        after = worlds.after(given, Action("empty", "web"))
        self.assertEqual([pod.state for pod in after.of("web")], [LEAVING, CLOSING])
        self.assertEqual([pod.state for pod in given.of("web")], [worlds.READY, UNREADY])


class Faults(unittest.TestCase):
    def test_all_of_them_come_before_one_comes_again(self):
        drawn = faults.Faults(tuple(NODES), random.Random(3))
        kinds = faults.all_kinds(tuple(NODES))
        found = [drawn.next() for _ in kinds]
        self.assertEqual(sorted((one.kind, one.target) for one in found), sorted(kinds))

    def test_one_of_each_kind_is_never_killed(self):
        killed = {target for kind, target in faults.all_kinds(tuple(NODES))
                  if kind in (faults.KILL, faults.DISK)}
        self.assertEqual(killed, {"controller-1", "node-1", "node-2", "etcd", "kube-apiserver"})


class Parts(unittest.TestCase):
    def test_a_node_proxy_may_not_grow_as_a_controller_that_begins_to_lead(self):
        rows = (
            ("a controller that leads now", "controller-2", "descriptors", 20, 43, True),
            ("and has its threads", "controller-2", "threads", 10, 18, True),
            ("a controller that leaks", "controller-2", "descriptors", 20, 51, False),
            ("a proxy with another socket", "node-3", "descriptors", 20, 23, True),
            ("a proxy that leaks", "node-3", "descriptors", 20, 24, False),
            ("a proxy with another thread", "node-3", "threads", 9, 10, True),
            ("a proxy with two", "node-3", "threads", 9, 11, False),
            ("a proxy with some more memory", "node-3", "memory", 20, 25, True),
            ("a proxy with much more", "node-3", "memory", 20, 25.1, False),
        )
        for title, name, figure, before, after, fits in rows:
            with self.subTest(title):
                room = parts.rooms_of((name,))[f"{name} {figure}"]
                self.assertEqual(after <= room.bound(before), fits)

    def test_a_proxy_that_is_connected_again_has_not_grown(self):
        rows = (
            ("always connected", [44] * 30, True),
            ("cut off in the first window", [44] * 12 + [36] * 4 + [44] * 14, True),
            ("cut off at the end", [44] * 26 + [36] * 4, True),
            ("one descriptor more every other sample", [44 + index // 2 for index in range(30)], False),
        )
        name = "node-3 descriptors"
        for title, counts, fits in rows:
            with self.subTest(title):
                samples = [{"time": 3 * index, name: count} for index, count in enumerate(counts)]
                _, wrong = figures.compared(samples, 30, {name: ""}, parts.rooms_of(("node-3",)))
                self.assertEqual(wrong == [], fits)

    def test_killed_parts_are_judged_by_all_figures_within_a_life(self):
        judged = {(kind.key, room) for kind, room in parts.lives()}
        self.assertEqual(judged, {(f"lives: {role} {figure}", parts.ROOMS[role][figure])
                                  for role in ("controller", "proxy")
                                  for figure in ("memory", "descriptors", "threads")})

    def test_a_part_that_was_cut_off_for_a_while_has_not_grown(self):
        rows = (
            ("always the same", [20] * 14, True),
            ("cut off at first", [20, 15, 15, 15, 15] + [20] * 9, True),
            ("cut off in between", [20] * 5 + [15] * 4 + [20] * 5, True),
            ("busy at the end", [20] * 13 + [40], True),
            ("one more a sample", list(range(20, 34)), False),
            ("a short life", [20, 40], True),
        )
        kind, room = next(one for one in parts.lives() if one[0].key == "lives: proxy descriptors")
        for title, counts, fits in rows:
            with self.subTest(title):
                # The first samples are those of its youth.
                samples = [{"time": 3 * index, kind.key: {7: count}}
                           for index, count in enumerate([1, 1, 1, 1] + counts)]
                self.assertEqual(figures.judged_lives(samples, room, kind)[1] == [], fits)

    def test_parts_end_by_themselves_and_with_0(self):
        rows = (
            ("all well", {"node-1": 0, "controller-1": 0}, []),
            ("an error", {"node-1": 1, "controller-1": 0}, ["node-1 ended with 1 after Ctrl-C"]),
            ("killed, since it took too long", {"node-1": -9}, ["node-1 ended with -9 after Ctrl-C"]),
            ("never ended", {"node-1": None}, ["node-1 was still there after Ctrl-C"]),
        )
        for title, codes, told in rows:
            with self.subTest(title):
                self.assertEqual(parts.end_problems(codes), told)


def slice_of(*endpoints):
    """(address, zone, "ready" or "leaving" or "down")"""
    return {"metadata": {"labels": {"kubernetes.io/service-name": "web"}}, "endpoints": [
        {"addresses": [address], "zone": zone, "conditions": {
            "ready": state == "ready", "serving": state != "down", "terminating": state == "leaving"}}
        for address, zone, state in endpoints]}


def routes(*addresses):
    return {"families": [{"family": "IPv4", "ports": [
        {"namespace": "soak", "service": "web",
         "cluster": [{"endpoint": f"{address}:8080"} for address in addresses]}]},
        {"family": "IPv6", "ports": []}]}


class Agreement(unittest.TestCase):
    A, B = ("10.180.1.1", "a", "ready"), ("10.180.2.1", "b", "ready")

    def problems(self, slices, document, policy=None, services=("web",)):
        made = [{"metadata": {"name": name, "annotations": {POLICY: policy} if policy else {}}}
                for name in services]
        node = {"metadata": {"name": "node-1", "labels": {"topology.kubernetes.io/zone": "a"}}}
        return agreement.route_problems(node, made, [slices], document, "soak")

    def test_routes_agree_with_slices(self):
        a, b = self.A[0], self.B[0]
        leaving, down = (b, "b", "leaving"), (b, "b", "down")
        rows = (
            ("all are used", slice_of(self.A, self.B), routes(a, b), None, True),
            ("one is missing", slice_of(self.A, self.B), routes(a), None, False),
            ("a policy may use some", slice_of(self.A, self.B), routes(a), "balanced", True),
            ("none is used", slice_of(self.A, self.B), routes(), "balanced", False),
            ("one is gone", slice_of(self.A), routes(a, b), "balanced", False),
            ("one shuts down", slice_of(self.A, leaving), routes(a), None, True),
            ("all shut down", slice_of(leaving), routes(b), None, True),
            ("one does not serve", slice_of(self.A, down), routes(a), None, True),
            ("none serves", slice_of(down), routes(), None, True),
            ("the zone is left", slice_of(self.A, self.B), routes(a, b), "require-zone", False),
            ("the zone is not left", slice_of(self.A, self.B), routes(a), "require-zone", True),
            ("all of the zone shut down", slice_of((a, "a", "leaving")), routes(a), "require-zone", True),
            ("another zone is ready", slice_of((a, "a", "leaving"), self.B), routes(), "require-zone", True),
            ("the zone has none", slice_of(self.B), routes(), "require-zone", True),
        )
        for name, slices, document, policy, agrees in rows:
            with self.subTest(name):
                self.assertEqual(not self.problems(slices, document, policy), agrees)

    def test_services_that_are_too_many_or_missing_are_told(self):
        self.assertEqual(self.problems(slice_of(), routes(), services=()),
                         ["node-1: web is routed, and there is no such Service"])
        self.assertEqual(self.problems(slice_of(self.A), routes(self.A[0]), services=("web", "shop")),
                         ["node-1: shop is not routed"])

    def test_the_kernel_has_the_addresses_of_the_routes(self):
        rules = 'table ip proxima { ip saddr != 10.180.0.0/16 elements = { 1 : 10.180.1.1 . 8080 } }'
        self.assertEqual(agreement.kernel_problems("node-1", routes("10.180.1.1"), rules, "soak"), [])
        self.assertTrue(agreement.kernel_problems("node-1", routes("10.180.1.2"), rules, "soak"))

    def test_elements_are_counted(self):
        listing = {"nftables": [{"metainfo": {}}, {"map": {"name": "slots", "elem": [1, 2]}},
                                {"set": {"name": "hairpin"}}, {"map": {"name": "affinity", "elem": [1]}}]}
        self.assertEqual(agreement.element_counts(listing), {"slots": 2, "hairpin": 0, "affinity": 1})

    def test_a_table_that_has_lived_is_as_large_as_a_new_one(self):
        new = {"slots": 3, "sizes": 2, "hairpin": 1}
        rows = (("the same", {}, True), ("more slots", {"slots": 12}, True),
                ("too many slots", {"slots": 13}, False), ("too few", {"slots": 2}, False),
                ("sizes of before", {"sizes": 9}, True), ("a leak", {"hairpin": 2}, False),
                ("a set that is not needed", {"other": 1}, False))
        for name, counts, right in rows:
            with self.subTest(name):
                self.assertEqual(not agreement.count_problems({**new, **counts}, new), right)
        self.assertEqual(agreement.count_problems({}, {"slots": 1}), ["slots is missing"])


if __name__ == "__main__":
    unittest.main()
