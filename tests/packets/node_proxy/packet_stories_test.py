#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one packet cannot show: flows and clients that were there before something changed. Each
story is told with the real kube-proxy and with ours, and must end the same; the last ones are of
ours alone (docs/differences.md).

  packet_stories_test.py PROXIMA [--proxy kube-proxy]
"""
import argparse
import contextlib
import http.client
import ipaddress
import itertools
import re
import socket
import subprocess
import sys
import time

from peers import servers
from testbed import bed as beds
from testbed import lab_cluster
from testbed import proxies
from testbed import row_objects as objects
from testbed.waiting import always

SKIPPED = 77
SHAPE = ("a:3", "b:2")
CLIENT, NEIGHBOUR, HERE, THERE = "pod-1-3", "pod-1-2", "pod-1-1", "pod-2-1"
BOTH = "$L@here $R@there"
STICKY_SERVICES = 8
AFFINITY_TRIES = 4
MANY_PORTS = 16  # and a Service's own: more than remember as many clients each


class Stage:
    """A proxy on node-1, and Services that a story makes for itself."""

    def __init__(self, cluster, proxy):
        self.cluster, self.bed, self.api, self.proxy = cluster, cluster.bed, cluster.api, proxy
        self.made = []

    def service(self, words, endpoints=BOTH):
        used = max((service.number for service in self.made), default=0)
        service = objects.RowService(used + 1, words, endpoints)
        service.make(self.api, self.bed)
        self.made.append(service)
        return service

    def clear(self):
        for service in self.made:
            self.api.delete(f"{objects.SERVICES}/{service.name}", missing_ok=True)
            for family in beds.FAMILIES:
                self.api.delete(f"{objects.SLICES}/{service.name}-{family}", missing_ok=True)
        self.made = []

    def replace(self, service, endpoints):
        for family in beds.FAMILIES:
            body = objects.make_slice(service.name, family, [
                objects.endpoint_of(word, self.bed, family) for word in endpoints.split()])
            self.api.replace(f"{objects.SLICES}/{service.name}-{family}", body)

    def jobs(self, service, to="cluster", **more):
        return [{"timeout_ms": 700, **dict(zip(("to", "port"), service.target(to, self.bed, family))),
                 **more} for family in beds.FAMILIES]

    def answers(self, service, to="cluster", source=CLIENT, **more):
        """Backends of each family that answered, as sets."""
        results = self.bed.dial(source, self.jobs(service, to, **more))
        return [{answer.split()[0] for answer in result["seen"]} for result in results]

    def until(self, service, wanted, **more):
        """Both families answer from these backends only."""
        self.proxy.eventually(
            lambda: self.answers(service, count=16, **more) == [set(wanted)] * 2,
            f"{service.name} is answered by {wanted} and by nobody else")

    def until_answered(self, service):
        self.proxy.eventually(lambda: all(self.answers(service)), f"{service.name} is answered")

    def start_flows(self, proto, jobs):
        """Begins the jobs; returns when the node tracks all their flows, and no other of theirs."""
        def tracked(do, job):
            done = subprocess.run(
                self.bed["node-1"].enter([
                    "conntrack", do, "-f", "ipv6" if ":" in job["to"] else "ipv4", "-p", proto,
                    "--orig-dst", job["to"]]), check=False, capture_output=True, text=True)
            return len(done.stdout.splitlines())
        for job in jobs:
            tracked("-D", job)
        child = self.bed.start_dial(CLIENT, jobs)
        self.proxy.eventually(
            lambda: all(tracked("-L", job) >= job.get("count", 1) for job in jobs),
            "the node tracks all flows")
        return child


def expect(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def a_udp_flow_moves_when_its_endpoint_is_gone(stage):
    service = stage.service("", "$L@here")
    stage.until(service, {HERE}, proto="udp")
    # An answer that is under way at that moment is lost, as UDP may lose any: it is asked for again.
    child = stage.start_flows("udp", stage.jobs(service, proto="udp", exchanges=600, gap_ms=100,
                                                timeout_ms=60000, resend_ms=500, count=5))
    stage.replace(service, "$R@there")
    results = beds.results_of(child)
    expect(all("another-backend" in result["failed"] and not result["seen"] for result in results),
           f"flows stayed where nobody is any more: {results}")


def a_tcp_connection_stays_with_an_endpoint_that_left(stage):
    service = stage.service("", "$L@here")
    stage.until(service, {HERE})
    child = stage.start_flows("tcp", stage.jobs(service, exchanges=30, gap_ms=100))
    stage.replace(service, "$R@there")
    stage.until(service, {THERE})
    results = beds.results_of(child)
    expect(all(not result["failed"] for result in results), f"connections ended: {results}")


def affinity_holds_for_all_addresses_of_a_service(stage):
    service = stage.service("affinity=60")
    stage.until_answered(service)
    by_cluster = stage.answers(service, count=10)
    by_balancer = stage.answers(service, "vip", count=10)
    expect([len(some) for some in by_cluster] == [1, 1] and by_cluster == by_balancer,
           f"{by_cluster} by the cluster address, {by_balancer} by the balancer's")


def affinity_ends_with_its_endpoint(stage):
    service = stage.service("affinity=60", "$L@here")
    stage.until(service, {HERE})
    stage.replace(service, "$R@there")
    stage.until(service, {THERE})


def affinity_is_forgotten_after_its_time(stage):
    services = [stage.service("affinity=1") for _ in range(STICKY_SERVICES)]
    for service in services:
        stage.until_answered(service)

    def all_answers():
        return [stage.answers(service) for service in services]
    first = all_answers()
    # Each try is itself a use, after which the affinity lasts for another second.
    for _ in range(AFFINITY_TRIES):
        time.sleep(1.6)
        if all_answers() != first:
            return
    raise AssertionError("clients stayed after the time of their affinity")


def affinity_lasts_while_it_is_used(stage):
    service = stage.service("affinity=2")
    stage.until_answered(service)
    seen = []
    for _ in range(8):
        seen.append(stage.answers(service))
        time.sleep(0.6)
    expect(all(answers == seen[0] for answers in seen), f"a client was moved: {seen}")


def health_answer(stage, service):
    """Status and weight of the health-check node port, asked from outside."""
    address, port = stage.bed["node-1"].v4, objects.FIRST_HEALTH_PORT + service.number
    connection = http.client.HTTPConnection(address, port)
    try:
        connection.sock = beds.socket_inside(
            stage.bed["outside-1"].file, lambda: socket.create_connection((address, port), 2))
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status, answer.headers.get("X-Load-Balancing-Endpoint-Weight")
    except OSError:
        return None
    finally:
        connection.close()


def a_balancer_learns_where_endpoints_are(stage):
    service = stage.service("eLocal", BOTH)
    stage.proxy.eventually(lambda: health_answer(stage, service) == (200, "1"), "one local endpoint")
    stage.replace(service, "$R@there")
    stage.proxy.eventually(lambda: health_answer(stage, service) == (503, "0"), "no local endpoint")
    stage.replace(service, "$L@here~ $R@there")
    always(lambda: health_answer(stage, service) == (503, "0"), "one that shuts down is not counted", 0.5)


def a_node_that_gets_another_zone_follows_other_hints(stage):
    service = stage.service("", "$L@here+a $R@there+b")
    stage.until(service, {HERE})
    label = {"metadata": {"labels": {"topology.kubernetes.io/zone": "b"}}}
    stage.api.patch("/api/v1/nodes/node-1", label)
    try:
        stage.until(service, {THERE})
    finally:
        label["metadata"]["labels"]["topology.kubernetes.io/zone"] = "a"
        stage.api.patch("/api/v1/nodes/node-1", label)


def services_of_another_proxy_are_left_alone(stage):
    service = stage.service("")
    stage.until(service, {HERE, THERE})
    stage.api.patch(f"{objects.SERVICES}/{service.name}", {"metadata": {"labels": {
        "service.kubernetes.io/service-proxy-name": "somebody"}}})
    stage.proxy.eventually(lambda: not any(stage.answers(service)), "nobody answers any more")


def rules_outlive_their_proxy(stage):
    service = stage.service("")
    stage.until(service, {HERE, THERE})
    stage.proxy.kill()
    try:
        expect(stage.answers(service, count=20) == [{HERE, THERE}] * 2, "rules went with it")
    finally:
        stage.proxy.start()
    stage.replace(service, "$R@there")
    stage.until(service, {THERE})


def new_service_ranges_count_at_once(stage):
    """Of ours alone: kube-proxy sees them with its next full sync, within the hour."""
    ranges = "/apis/networking.k8s.io/v1/servicecidrs"
    job = {"to": "172.31.0.9", "port": objects.PORT, "timeout_ms": 700}

    def failures():
        return stage.bed.dial(CLIENT, [job])[0]["failed"]
    expect(failures() == {"unreachable": 1}, "an address of nobody is reached")
    stage.api.create(ranges, {"metadata": {"name": "another"}, "spec": {"cidrs": ["172.31.0.0/24"]}})
    try:
        stage.proxy.eventually(lambda: failures() == {"timeout": 1}, "the new range counts")
    finally:
        stage.api.delete(f"{ranges}/another")


def an_address_of_two_services_is_the_first_ones(stage):
    """Of ours alone: with kube-proxy it is one or the other's."""
    first, second = stage.service("", "$L@here"), stage.service("", "$R@there")
    stage.until(second, {THERE}, to="external")
    for service in (first, second):
        stage.api.patch(f"{objects.SERVICES}/{service.name}", {"spec": {"externalIPs": [
            objects.balancer(family, "external", first.number) for family in beds.FAMILIES]}})
    stage.until(first, {HERE}, to="external")
    stage.api.delete(f"{objects.SERVICES}/{first.name}")
    stage.until(first, {THERE}, to="external")


def nft(stage, *words, text=None):
    done = subprocess.run(stage.bed["node-1"].enter(["nft", *words]), check=True, capture_output=True,
                          text=True, input=text)
    return done.stdout


# One transaction is one message to the kernel, and without root it has to fit into the socket's
# default buffer.
ELEMENTS_AT_ONCE = 2000


def fill_maps_with(stage, address):
    """Every map of our table that remembers the client gets as many others as it takes."""
    family, strangers = ("ip6", "2001:2::/108") if ":" in address else ("ip", "198.18.0.0/15")
    maps = re.findall(r"map (affinity\S*) ", nft(stage, "list", "table", family, "proxima"))
    listings = [(name, nft(stage, "list", "map", family, "proxima", name)) for name in maps]
    crowded = [(name, listing) for name, listing in listings
               if re.search(rf"\s{re.escape(address)}\s", listing)]
    expect(len(crowded) == 1, f"{address} is remembered in {[name for name, _ in crowded]}")
    name, listing = crowded[0]
    room = int(re.search(r"size (\d+)", listing)[1]) - listing.count("expires")
    others = itertools.islice(ipaddress.ip_network(strangers).hosts(), room)
    while some := list(itertools.islice(others, ELEMENTS_AT_ONCE)):
        elements = ", ".join(f"{other} timeout 1h : 0:1" for other in some)
        nft(stage, "-f", "-", text=f"add element {family} proxima {name} {{ {elements} }}\n")


def a_service_with_too_many_clients_takes_no_place_from_others(stage):
    """Of ours alone: the map that is filled is named as ours are."""
    crowded, quiet = stage.service("affinity=3600"), stage.service("affinity=3600")
    stage.until_answered(crowded)
    stage.proxy.eventually(lambda: all(stage.answers(quiet, source=NEIGHBOUR)), "the other is answered")
    known = stage.answers(crowded, count=10)
    for address in (stage.bed[CLIENT].v4, stage.bed[CLIENT].v6):
        fill_maps_with(stage, address)
    expect(stage.answers(crowded, count=10) == known, "a client that was known has moved")
    newcomer = stage.answers(crowded, source=NEIGHBOUR, count=32)
    expect(newcomer == [{HERE, THERE}] * 2, f"a newcomer is answered by {newcomer}")
    kept = stage.answers(quiet, count=16)
    expect([len(some) for some in kept] == [1, 1], f"the other Service forgets its client: {kept}")


def a_service_with_many_ports_remembers_fewer_clients_for_each(stage):
    """Of ours alone. A kernel gives no map another size, so its maps are replaced, there and back."""
    service = stage.service("affinity=3600")
    stage.until_answered(service)
    path = f"{objects.SERVICES}/{service.name}"
    ports = stage.api.get(path)["spec"]["ports"]
    more = [{"name": f"more-{number}", "port": 20000 + number} for number in range(MANY_PORTS)]

    def sizes():
        return [set(re.findall(r"map affinity-\S*-fewer {[^}]*?size (\d+)",
                               nft(stage, "list", "table", family, "proxima")))
                for family in ("ip", "ip6")]

    def holds():
        stage.until_answered(service)
        seen = stage.answers(service, count=10)
        expect([len(some) for some in seen] == [1, 1], f"a client is answered by {seen}")
    for some, wanted in ((ports + more, [{"512"}] * 2), (ports, [set()] * 2)):
        stage.api.patch(path, {"spec": {"ports": some}})
        stage.proxy.eventually(lambda wanted=wanted: sizes() == wanted, f"maps have sizes {wanted}")
        holds()


OUR_STORIES = (new_service_ranges_count_at_once, an_address_of_two_services_is_the_first_ones,
               a_service_with_too_many_clients_takes_no_place_from_others,
               a_service_with_many_ports_remembers_fewer_clients_for_each)
STORIES = (a_udp_flow_moves_when_its_endpoint_is_gone,
           a_tcp_connection_stays_with_an_endpoint_that_left,
           affinity_holds_for_all_addresses_of_a_service, affinity_ends_with_its_endpoint,
           affinity_is_forgotten_after_its_time, affinity_lasts_while_it_is_used,
           a_balancer_learns_where_endpoints_are,
           a_node_that_gets_another_zone_follows_other_hints,
           services_of_another_proxy_are_left_alone, rules_outlive_their_proxy)


def tell(stage, name, story):
    """Whether the story ended as it should."""
    title = story.__name__.replace("_", " ")
    try:
        story(stage)
        print(f"{name}: {title}", flush=True)
        return True
    except AssertionError as why:
        print(f"{name}: WRONG: {title}: {why}", flush=True)
        return False
    finally:
        stage.clear()


def tell_all(cluster, name, which):
    with proxies.proxy_on(which, cluster.bed["node-1"], cluster.endpoint, cluster.folder) as proxy:
        stage = Stage(cluster, proxy)
        stories = STORIES + (() if which == proxies.UPSTREAM else OUR_STORIES)
        return sum(not tell(stage, name, story) for story in stories)


def main():
    beds.become_able()
    beds.end_cleanly()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--proxy", choices=("proxima", "kube-proxy"))
    parser.add_argument("--server", choices=("real", "embedded"))
    arguments = parser.parse_args()
    try:
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(
                lab_cluster.server_for(arguments.program, arguments.server))
            cluster = lab_cluster.LabCluster(stack, arguments.program, SHAPE, endpoint)
            wrong = sum(tell_all(cluster, name, which)
                        for name, which in proxies.chosen(arguments.program, arguments.proxy))
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: any story: {why}")
        return SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
