#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the leading controller in the middle of churn, again and again, with a standby running.

  controller_kills_test.py PROXIMA --server real|embedded   PROXIMA_KILLS=100 PROXIMA_SEED=1 for more
  controller_kills_test.py upstream --server real     upstream's own, to see what the test is worth

After every kill the standby takes over, the churn pauses, and the slices have to become what the
Pods, Services and Nodes say, with one slice a Service: nothing lost, nothing twice. One kill in
four the leader is not killed but stopped, and wakes up when another leads; it may not write then.
"""
import argparse
import contextlib
import os
import random
import signal
import sys
import threading
import time

from peers import servers
from support import expected_slices
from support.seeds import seed_of_this_run
from testbed.api import Api, Refused
from testbed.controllers import end_cleanly, words_of
from testbed.objects import node, node_status, pod, pod_status, service, web_port
from testbed.waiting import eventually

SKIPPED = 77
NAMESPACE = "churn"
SERVICES = 6
PODS = 40
CONVERGE_SECONDS_MAX = 30
LEAD_SECONDS_MAX = 30
LEASE_SECONDS = 3
ELECTION = ("--leader-elect=true", f"--leader-elect-lease-duration={LEASE_SECONDS}s",
            "--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=1s",
            "--leader-elect-resource-name=churn", "--leader-elect-resource-namespace=" + NAMESPACE)
LEASE = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/churn"


class Churn(threading.Thread):
    """Pods that come, change and go, as fast as the server takes it."""

    def __init__(self, endpoint, seed):
        super().__init__(daemon=True)
        self.api = Api(endpoint)
        self.rng = random.Random(f"{seed}/churn")
        self.base = f"/api/v1/namespaces/{NAMESPACE}"
        self.there = {}
        self.made = 0
        self.gate = threading.Lock()
        self.ended = False
        self.problem = None
        self.writes = 0

    def begin(self):
        self.api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        for number in range(4):
            self.api.create("/api/v1/nodes", node(f"n{number}", f"zone-{number % 2}"))
            self.api.patch(f"/api/v1/nodes/n{number}/status", node_status(True))
        for number in range(SERVICES):
            self.api.create(self.base + "/services", service(
                f"service-{number}", [web_port(target=8080)], {"app": f"app-{number}"}))

    def run(self):
        try:
            while not self.ended:
                with self.gate:
                    self.one()
                self.writes += 1
                time.sleep(0.002)  # else the lock would hardly ever be free for who pauses this
        except Exception as error:  # pylint: disable=broad-except
            self.problem = repr(error)

    def one(self):
        kind = self.rng.choice(("add", "state", "state", "leave", "drop"))
        name = self.rng.choice(sorted(self.there)) if self.there else None
        if name is None or (kind == "add" and len(self.there) < PODS):
            self.made += 1
            name = f"p{self.made}"
            self.there[name] = f"10.9.{self.made // 200 % 200}.{self.made % 200 + 1}"
            self.api.create(self.base + "/pods", pod(
                name, {"app": f"app-{self.rng.randrange(SERVICES)}"},
                f"n{self.rng.randrange(4)}"))
            self.state(name)
        elif kind == "state":
            self.state(name)
        elif kind == "leave":
            with contextlib.suppress(Refused):  # one that is leaving already
                self.api.delete(f"{self.base}/pods/{name}", 60)
        elif kind == "drop":
            del self.there[name]
            self.api.delete(f"{self.base}/pods/{name}", 0)

    def state(self, name):
        self.api.patch(f"{self.base}/pods/{name}/status",
                       pod_status([self.there[name]], self.rng.random() < 0.8))

    @contextlib.contextmanager
    def paused(self):
        with self.gate:
            yield

    def end(self):
        self.ended = True
        self.join(30)
        assert self.problem is None, self.problem


class Pair:
    """The leader and the standby, which is always the one that came later."""

    def __init__(self, program, endpoint, stack):
        self.words = words_of(program, endpoint, *ELECTION)
        self.log = endpoint.kubeconfig.parent / "controllers.log"
        self.stack = stack
        self.api = Api(endpoint)
        self.leader = self.start()
        self.holder = self.wait_for_another(None)
        self.standby = self.start()

    def start(self):
        return self.stack.enter_context(servers.running(self.words, self.log))

    def held_by(self):
        lease = self.api.find(LEASE)
        return lease["spec"].get("holderIdentity") or None if lease else None

    def wait_for_another(self, old):
        return eventually(lambda: self.held_by() not in (None, old) and self.held_by(),
                          f"another one leads after {old}", LEAD_SECONDS_MAX,
                          lambda: self.log.read_text()[-2000:])

    def lose_leader(self, freeze):
        """Kills it, or stops it for as long as another needs to lead."""
        old = self.leader
        old.send_signal(signal.SIGSTOP if freeze else signal.SIGKILL)
        self.holder = self.wait_for_another(self.holder)
        self.leader, self.standby = self.standby, self.start()
        if freeze:
            old.send_signal(signal.SIGCONT)
        return old


def check(api, churn):
    with churn.paused():
        eventually(lambda: not expected_slices.problems(api, NAMESPACE),
                   "slices are as they should be", CONVERGE_SECONDS_MAX,
                   lambda: "; ".join(expected_slices.problems(api, NAMESPACE))[:3000])


def run(program, endpoint, kills, seed):
    rng = random.Random(f"{seed}/kills")
    began, worst = time.monotonic(), 0
    with contextlib.ExitStack() as stack:
        churn = Churn(endpoint, seed)
        churn.begin()
        pair = Pair(program, endpoint, stack)
        api = Api(endpoint)
        churn.start()
        for number in range(kills):
            # Not a wait for something: the moment of the kill has to be anywhere in the churn.
            time.sleep(rng.random() * 0.6)
            freeze = rng.random() < 0.25
            at = time.monotonic()
            old = pair.lose_leader(freeze)
            check(api, churn)
            worst = max(worst, time.monotonic() - at)
            if freeze:
                time.sleep(0.3)  # the one that slept has its chance to do harm
                check(api, churn)
                old.kill()
            if number % 10 == 9:
                print(f"{number + 1} kills, {churn.writes} changes", flush=True)
        churn.end()
        check(api, churn)
        api.close()
    print(f"{kills} kills, {churn.writes} changes, {time.monotonic() - began:.0f} s; right again "
          f"after at most {worst:.1f} s, of which the lease is {LEASE_SECONDS} s")


def main():
    end_cleanly()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--server", choices=("real", "embedded"), required=True)
    words = parser.parse_args()
    kills = int(os.environ.get("PROXIMA_KILLS", "2"))
    seed = seed_of_this_run()
    print(f"{kills} kills", flush=True)
    try:
        server = (servers.real_server() if words.server == "real" else
                  servers.embedded_server(words.program))
        with server as endpoint:
            run(words.program, endpoint, kills, seed)
    except servers.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
