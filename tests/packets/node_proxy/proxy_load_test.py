#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections go on while everything changes: endpoints that shut down gracefully, plans, the proxy
killed and started again, the API server gone for a while. None may fail and none may be reset.

  proxy_load_test.py PROXIMA [--proxy kube-proxy]

LOAD_RATE=500 (connections a second) CHANGES=1000 FLIPS=200 RESTARTS=50 GONE_SECONDS=60 PROXIMA_SEED=1
"""
import argparse
import contextlib
import os
import random
import signal
import sys
import time

import load_service as services
from peers import servers
from support.seeds import seed_of_this_run
from testbed import bed as beds
from testbed import doors
from testbed import lab_cluster
from testbed import proxies

SKIPPED = 77
RATE = int(os.environ.get("LOAD_RATE", "100"))
CHANGES = int(os.environ.get("CHANGES", "60"))
FLIPS = int(os.environ.get("FLIPS", "10"))
RESTARTS = int(os.environ.get("RESTARTS", "4"))
GONE_SECONDS = float(os.environ.get("GONE_SECONDS", "4"))

SHAPE = ("a:7", "b:6", "c:6")
CLIENT = "pod-1-7"
SPLITS = ("a=a:800,b:100,c:100;b=b:1000;c=c:1000", "a=a:200,b:500,c:300;b=b:1000;c=c:1000", None)
DRAIN_SECONDS = 0.4
KNOWN_SECONDS = 3.0  # after which every proxy must know that an endpoint left
AWAY_SECONDS = 0.5
CHANGE_GAP_SECONDS = 0.12
STEP_SECONDS_MAX = 10
WARM_UP_SECONDS = 1


class Plan:
    """Who is called by whom, and what becomes of the endpoints, from one seed."""

    def __init__(self, cluster):
        self.cluster, self.bed, self.api = cluster, cluster.bed, cluster.api
        self.random = random.Random(seed_of_this_run(default=1))
        words = ("", "eLocal", "affinity=60")
        self.services = [
            services.LoadService(number + 1, words[number],
                                 [f"pod-{node}-{pod}" for node in (1, 2, 3)
                                  for pod in (2 * number + 1, 2 * number + 2)])
            for number in range(3)]
        self.changes = self.flips = 0
        self.waiting = []  # (due, action) of endpoints on their way

    def make(self):
        for service in self.services:
            service.make(self.api, self.bed)

    def set_state(self, service, name, state):
        service.states[name] = state
        service.publish(self.api, self.bed)
        self.changes += 1

    def later(self, seconds, action):
        self.waiting.append((time.monotonic() + seconds, action))

    def leave(self, service, name):
        host = self.bed[name]

        def gone():
            self.set_state(service, name, services.GONE)
            self.later(KNOWN_SECONDS, shut)

        def shut():
            doors.close_door(host)
            self.later(AWAY_SECONDS, come_back)

        def come_back():
            doors.open_door(host)
            self.set_state(service, name, services.READY)

        self.set_state(service, name, services.DRAINING)
        self.later(DRAIN_SECONDS, gone)

    def do_what_is_due(self):
        now = time.monotonic()
        due = [entry for entry in self.waiting if entry[0] <= now]
        self.waiting = [entry for entry in self.waiting if entry[0] > now]
        for _, action in due:
            action()

    def change_one(self):
        service = self.random.choice(self.services)
        ready = [name for name, state in service.states.items() if state == services.READY
                 and service.may_leave(self.bed, name)]
        if ready:
            self.leave(service, self.random.choice(ready))

    def flip(self):
        service = self.services[0]
        service.split = self.random.choice([one for one in SPLITS if one != service.split])
        service.publish(self.api, self.bed)
        self.flips += 1

    def come_to_rest(self):
        while self.waiting:
            self.do_what_is_due()
            time.sleep(0.02)

    def clients(self):
        """Host → its jobs; rates sum to RATE."""
        plain, local, sticky = self.services
        life = {"exchanges": 3, "gap_ms": 120, "timeout_ms": 1000 * STEP_SECONDS_MAX,
                "count": 10 ** 9, "window": 10 ** 6}
        jobs = {
            CLIENT: [*plain.jobs(self.bed, "cluster"), *local.jobs(self.bed, "cluster"),
                     *sticky.jobs(self.bed, "cluster"), *plain.jobs(self.bed, "vip", ("v4",)),
                     *plain.jobs(self.bed, "cluster", ("v4",), proto="udp", exchanges=0)],
            "outside-1": [*plain.jobs(self.bed, "node"), *local.jobs(self.bed, "vip"),
                          *sticky.jobs(self.bed, "external", ("v4",)),
                          *plain.jobs(self.bed, "node", ("v4",), proto="udp", exchanges=0)],
            "node-1": [*plain.jobs(self.bed, "cluster", ("v4",)),
                       *local.jobs(self.bed, "node", ("v6",))],
        }
        rate = RATE / sum(len(some) for some in jobs.values())
        jobs = {host: [{**life, "rate": rate, **job} for job in some]
                for host, some in jobs.items()}
        # Some stay for the whole time, whatever becomes of their endpoint.
        for job in plain.jobs(self.bed, "cluster"):
            jobs[CLIENT].append({**life, **job, "id": job["id"] + "-long", "count": 10, "window": 10,
                                 "gap_ms": 250, "exchanges": long_exchanges()})
        return jobs


def run_seconds():
    """About how long all of it takes."""
    return max(CHANGES * CHANGE_GAP_SECONDS, RESTARTS * 1.5, FLIPS * 0.3) + GONE_SECONDS


def long_exchanges():
    return int(run_seconds() / 0.25)


def spread(count, steps, number):
    """Whether the `number`th of `steps` steps is one of `count` evenly spread ones."""
    return (number + 1) * count // steps > number * count // steps


def shake(plan, proxy):
    """Changes, flips and kills together."""
    steps = max(CHANGES, FLIPS, RESTARTS, 1)
    number = 0
    pause = run_seconds() / steps
    while plan.changes < CHANGES or plan.flips < FLIPS or number < steps:
        plan.do_what_is_due()
        if plan.changes < CHANGES:
            plan.change_one()
        if number < steps and spread(FLIPS, steps, number):
            plan.flip()
        if number < steps and spread(RESTARTS, steps, number):
            proxy.kill()
            proxy.start()
        number += 1
        time.sleep(pause if plan.changes < CHANGES else 0.05)
    plan.come_to_rest()


def lose_api_server(plan, relay, proxy):
    """The proxy is even started anew while it is away."""
    relay.close()
    time.sleep(GONE_SECONDS / 2)
    proxy.kill()
    proxy.start()
    time.sleep(GONE_SECONDS / 2)
    relay.open()
    proxy.check_alive()
    plan.change_one()
    plan.come_to_rest()


def summary(results):
    """Connections, failures by job and kind, and the slowest answer."""
    count = sum(sum(result["seen"].values()) for result in results)
    failed = {result["id"]: result["failed"] for result in results if result["failed"]}
    return count, failed, max(result["max_us"] for result in results) / 1000


def wait_for_rules(plan, proxy):
    jobs = [{**job, "timeout_ms": 500} for service in plan.services
            for job in service.jobs(plan.bed, "cluster")]
    proxy.eventually(lambda: all(result["seen"] for result in plan.bed.dial(CLIENT, jobs)),
                     "all Services answer")


def run(stack, program, which, wish):
    endpoint = stack.enter_context(lab_cluster.server_for(program, wish))
    cluster = lab_cluster.LabCluster(stack, program, SHAPE, endpoint)
    plan = Plan(cluster)
    plan.make()
    proxy = stack.enter_context(proxies.proxy_on(which, cluster.bed["node-1"], endpoint,
                                                 cluster.folder))
    wait_for_rules(plan, proxy)
    begun = time.monotonic()
    children = [cluster.bed.start_dial(host, jobs) for host, jobs in plan.clients().items()]
    for child in children:
        stack.callback(child.kill)
    time.sleep(WARM_UP_SECONDS)
    shake(plan, proxy)
    lose_api_server(plan, cluster.relays["node-1"], proxy)
    for child in children:
        child.send_signal(signal.SIGTERM)
    results = [result for child in children for result in beds.results_of(child)]
    count, failed, slowest = summary(results)
    print(f"{count} connections in {time.monotonic() - begun:.0f} s, {plan.changes} changes of "
          f"endpoints, {plan.flips} plan flips, {RESTARTS + 1} kills of the proxy, API server gone "
          f"for {GONE_SECONDS:.0f} s; slowest answer {slowest:.0f} ms")
    for job, kinds in failed.items():
        print(f"  {job}: {kinds}")
    return 1 if failed else 0


def main():
    beds.become_able()
    beds.end_cleanly()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--proxy", choices=("proxima", "kube-proxy"), default="proxima")
    parser.add_argument("--server", choices=("real", "embedded"))
    arguments = parser.parse_args()
    which = proxies.UPSTREAM if arguments.proxy == "kube-proxy" else arguments.program
    try:
        with contextlib.ExitStack() as stack:
            return run(stack, arguments.program, which, arguments.server)
    except (beds.NoNamespaces, servers.Unavailable) as why:
        print(f"not shown: what connections see while everything changes: {why}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
