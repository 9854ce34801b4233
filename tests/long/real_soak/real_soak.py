#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two controllers and three node proxies on a real kube-apiserver while Pods, Services and Nodes change
and every part is killed, stopped and cut off: nothing grows, no request fails without a reason, and
nothing is left after Ctrl-C.

  real_soak.py PROXIMA --minutes 45     (make soak-real MINUTES=45 SEED=1)
  real_soak.py PROXIMA --minutes 0.4    short, for every build
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import faults
from load import Load
import parts
import running_cluster
from running_cluster import BASE, CLIENTS, DISK_BYTES, NODES, RunningCluster, SLICES
from peers import servers
from support import figures
from support import process_facts
from support.namespace_watch import NamespaceWatch
from support.seeds import seed_of_this_run
from testbed import bed as beds
from testbed import doors
from testbed import objects
from testbed.waiting import NotInTime, eventually, first_true
import world as worlds
from world import Action, DEAD, Ledger, World

SKIPPED = 77
OWN_MOUNTS = "PROXIMA_SOAK_OWN_MOUNTS"
MARK = "PROXIMA_SOAK"
SERVICE_PORT = 80
SAMPLE_SECONDS = 3
WARM_UP_SECONDS_MAX = 10 * 60
# Of connecting, in load_client.py: a host is given to another Service when nobody waits for it.
CONNECT_SECONDS_MAX = 10
GRACE_SECONDS = 3600  # of Pods that shut down; they go when every proxy knows
CHURN_PAUSE_SECONDS = (0.05, 0.7)
FAILURES_SHOWN = 20


class Soak:
    def __init__(self, cluster, load, generator):
        self.cluster, self.load, self.random = cluster, load, generator
        self.faults = faults.Faults(NODES, generator)
        self.world, self.ledger = World({name: cluster.bed[name].zone for name in NODES}), Ledger()
        self.strict = set()  # Services that had require-zone at some time since all agreed
        self.free = running_cluster.free_hosts()
        self.free_at = {}  # host → when it may be used again
        self.departed = []  # Pods that went since the last agreement
        self.owners = collections.defaultdict(list)  # host → [Service, from, until]
        self.addresses = {}  # Service → where clients call it
        self.services_made = self.pods_made = 0
        self.counts, self.samples, self.wrong = collections.Counter(), [], []
        self.explained = collections.Counter()
        self.begin, self.longest_agreement = time.monotonic(), (0.0, "nothing")

    # What is done.

    def say(self, words):
        print(f"{time.monotonic() - self.begin:7.1f} s  {words}", flush=True)

    def fail(self, problem):
        self.say(f"WRONG: {problem}")
        self.wrong.append(problem)

    def act(self, action):
        """Notes what has a reason to fail from now on, and writes."""
        self.counts[action.kind] += 1
        if action.kind == "add-pod":
            self.pods_made += 1
            action = Action("add-pod", f"p{self.pods_made}",
                            (f"p{self.pods_made}", action.subject, action.value,
                             self.cluster.bed[action.value].node))
        self.say(f"  {action}")
        after = worlds.after(self.world, action)
        found = worlds.reasons(after)
        found |= worlds.reasons_on_the_way(after, action, self.strict)
        self.strict |= worlds.strict_services(after)
        self.ledger.note(found, time.monotonic())
        before, self.world = self.world, after
        getattr(self, action.kind.replace("-", "_"))(action, before)

    def add_pod(self, action, _):
        name, service, host_name, node = action.value
        host = self.cluster.bed[host_name]
        del self.free[host_name]
        self.owners[host_name] = self.owners[host_name][-3:] + [[service, time.monotonic(), None]]
        doors.open_door(host)
        self.cluster.create(f"{BASE}/pods", objects.pod(name, {"app": service}, node))
        self.set_ready(name, True)

    def set_ready(self, name, ready):
        address = self.cluster.bed[self.world.pods[name].host].v4
        self.cluster.patch(f"{BASE}/pods/{name}/status", objects.pod_status([address], ready))

    def ready(self, action, _):
        self.set_ready(action.subject, True)

    def unready(self, action, _):
        self.set_ready(action.subject, False)

    def kill_pod(self, action, _):
        doors.close_door(self.cluster.bed[self.world.pods[action.subject].host], doors.SILENT)
        self.set_ready(action.subject, False)

    def leave(self, action, _):
        self.cluster.delete(f"{BASE}/pods/{action.subject}", GRACE_SECONDS)

    def empty(self, action, before):
        for pod in before.of(action.subject, worlds.READY, worlds.UNREADY):
            self.cluster.delete(f"{BASE}/pods/{pod.name}", GRACE_SECONDS)

    def remove_service(self, action, before):
        self.addresses.pop(action.subject, None)
        self.load.call(self.addresses)
        self.empty(action, before)

    def add_service(self, action, _):
        self.services_made += 1
        self.cluster.create(f"{BASE}/services", objects.service(
            action.subject, [objects.web_port(SERVICE_PORT, beds.BACKEND_PORT)],
            {"app": action.subject}, annotations=action.value))
        for addition in self.random.sample(
                offered := worlds.additions(self.world, self.free), min(len(offered), 60)):
            if addition.subject == action.subject and addition.value in self.free and len(
                    self.world.of(action.subject)) < 3:
                self.act(addition)

    def policy(self, action, before):
        old = before.policies[action.subject]
        self.cluster.patch(f"{BASE}/services/{action.subject}", {"metadata": {"annotations": {
            **dict.fromkeys(old), **action.value}}})

    def patch_node(self, name, body):
        self.cluster.patch(f"/api/v1/nodes/{name}", body)

    def label(self, action, _):
        self.patch_node(action.subject, {"metadata": {"labels": {"soak": action.value}}})

    def zone(self, action, _):
        self.patch_node(action.subject, {"metadata": {"labels": {objects.ZONE: action.value}}})

    def cordon(self, action, _):
        self.patch_node(action.subject, {"spec": {"unschedulable": True}})

    def uncordon(self, action, _):
        self.patch_node(action.subject, {"spec": {"unschedulable": None}})

    # What is seen.

    def settle(self, after_what):
        """Waits until all parts agree; then what waited for that is done."""
        took = self.cluster.wait_for_agreement()
        self.longest_agreement = max(self.longest_agreement, (took, after_what))
        now = time.monotonic()
        self.ledger.settle(worlds.reasons(self.world), now)
        self.strict = worlds.strict_services(self.world)
        for pod in self.departed:
            # Who called one without power may still be waiting.
            self.free_at[pod.host] = now + (CONNECT_SECONDS_MAX + 1) * (pod.state == DEAD)
            self.owners[pod.host][-1][2] = now
        self.departed = []
        self.free |= {host: node for host, node in running_cluster.free_hosts().items()
                      if host in self.free_at and self.free_at[host] <= now}
        self.free_at = {host: due for host, due in self.free_at.items() if due > now}
        self.remove_what_left()
        self.call_new_services()
        self.look()

    def remove_what_left(self):
        """Pods that shut down have done so, and Services that nobody calls are deleted."""
        for service in [one for one in self.world.ending if not self.load.is_called(one)]:
            self.cluster.delete(f"{BASE}/services/{service}")
            # As the garbage collector does.
            self.cluster.delete(f"{SLICES}?labelSelector={objects.SERVICE_NAME}={service}")
            self.world.ending.discard(service)
            del self.world.policies[service]
            for pod in self.world.of(service):
                self.remove(pod)
        gone = [pod for pod in self.world.pods.values()
                if pod.state in worlds.GOING and pod.service not in self.world.ending]
        left = {name: pod for name, pod in self.world.pods.items() if pod not in gone}
        self.ledger.note(worlds.reasons(World(self.world.zones, set(), self.world.policies, left)),
                         time.monotonic())
        for pod in gone:
            self.remove(pod)

    def remove(self, pod):
        if pod.state != DEAD:
            doors.close_door(self.cluster.bed[pod.host])
        self.say(f"  {pod.name} of {pod.service} is gone from {pod.host}")
        self.cluster.delete(f"{BASE}/pods/{pod.name}", 0)
        del self.world.pods[pod.name]
        self.departed.append(pod)

    def call_new_services(self):
        new = [name for name in self.world.living() if name not in self.addresses]
        for name in new:
            service = self.cluster.api.get(f"{BASE}/services/{name}")
            self.addresses[name] = (service["spec"]["clusterIP"], SERVICE_PORT)
        if new:
            self.load.call(self.addresses)

    def look(self):
        for problem in self.cluster.ended():
            self.fail(problem)
        for name in self.load.dead():
            raise RuntimeError(f"the client on {name} has ended")
        for node, line in self.load.collect():
            self.judge_line(node, line)
        if not self.samples or time.monotonic() - self.samples[-1]["time"] >= SAMPLE_SECONDS:
            self.samples.append(self.cluster.sample())

    def judge_line(self, node, line):
        for service, kind, begun, ended in line["failed"]:
            if self.ledger.explains((service, node, kind), begun, ended):
                self.explained[kind] += 1
            else:
                self.fail(f"a request from {node} to {service} {kind} between "
                          f"{begun - self.begin:.2f} and {ended - self.begin:.2f} s, without a reason; "
                          f"policy {self.world.policies.get(service)}, Pods "
                          f"{[(pod.name, pod.state, pod.host) for pod in self.world.of(service)]}")
        earliest = line["time"] - 2 * CONNECT_SECONDS_MAX
        for service, backends in line["seen"].items():
            for host in backends:
                if not any(owner == service and (until is None or until >= earliest)
                           for owner, _, until in self.owners[host]):
                    self.fail(f"a request from {node} to {service} was answered by {host}, which "
                              f"belonged to {self.owners[host]}")

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.look()
            time.sleep(min(left, 0.25))

    # The whole.

    def prepare(self):
        for host in self.free:
            doors.close_door(self.cluster.bed[host])
        for number in range(worlds.SERVICES_MIN + 1):
            self.act(Action("add-service", f"s{number + 1}",
                            {} if number == 0 else worlds.annotations(self.random)))
        self.settle("the start")

    def churn(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            action = worlds.choose(self.world, self.free, self.services_made, self.random)
            self.act(action)
            self.rest(self.random.uniform(*CHURN_PAUSE_SECONDS))

    def round(self):
        """Some churn, a fault in the middle of it, and agreement."""
        self.churn(self.random.uniform(0.5, 2.5))
        fault = self.faults.next()
        self.counts[f"fault {fault.kind}"] += 1
        self.say(f"{fault}  (answered {self.load.requests['answered']}, failed with a reason "
                 f"{sum(self.explained.values())})")
        self.cluster.begin(fault)
        (self.churn if fault.spares_server() else self.rest)(fault.seconds)
        self.cluster.end(fault)
        self.settle(str(fault))

    def run(self, seconds):
        self.begin = time.monotonic()
        while time.monotonic() - self.begin < seconds and len(self.wrong) < FAILURES_SHOWN:
            self.round()
        self.settle("the last round")
        self.rest(3 * SAMPLE_SECONDS)

    def judge(self, seconds):
        """After the load has ended."""
        for node, line in self.load.end():
            self.judge_line(node, line)
        print("done: " + ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items())))
        print(f"requests: {self.load.requests['answered']} answered, the slowest in "
              f"{self.load.slowest:.1f} s; {sum(self.explained.values())} failed with a reason "
              f"{dict(self.explained)}; leader changed {self.cluster.lease_transitions()} times; "
              f"longest until agreement {self.longest_agreement[0]:.1f} s after "
              f"{self.longest_agreement[1]}")
        units = {f"{name} {figure}": unit for name in faults.NEVER_KILLED
                 for figure, unit in parts.UNITS.items()}
        lines, wrong = figures.compared(self.samples, min(seconds / 3, WARM_UP_SECONDS_MAX), units,
                                        parts.rooms_of(faults.NEVER_KILLED))
        for kind, room in parts.lives():
            more, grown = figures.judged_lives(self.samples, room, kind)
            lines += more
            wrong += grown
        print("\n".join([*lines, *(figures.minutes(self.samples, f"{name} memory")
                                   for name in faults.NEVER_KILLED)]))
        self.wrong += wrong

    def judge_rest(self):
        """What stays once nobody calls: reports, and rules as a new proxy would write them."""
        eventually(lambda: not self.cluster.dishonored(), "every node reports that it follows all plans",
                   seen=self.cluster.dishonored)
        for node in NODES:
            self.wrong += self.cluster.render_anew(node)
        print(f"rules: {self.cluster.element_counts(NODES[0])['ip']} on {NODES[0]}, as a new proxy "
              "writes them")

    def interrupt(self):
        """As Ctrl-C does at the worst moment: everybody is stopped, the disk is full, nothing is
        reachable."""
        self.cluster.fill_disk()
        for name in (*faults.CONTROLLERS, *NODES):
            doors.cut(self.cluster.hosts[name], self.cluster.endpoint.port)
            self.cluster.parts[name].child.send_signal(signal.SIGSTOP)
        signal.raise_signal(signal.SIGINT)


class Place:
    """A folder with a small file system in it, for everything that a run writes, and what is left of the
    run afterwards."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="proxima-real-soak-"))
        self.disk, self.scratch, self.home = (self.root / name for name in ("disk", "tmp", "home"))
        for folder in (self.disk, self.scratch, self.home):
            folder.mkdir()
        self.mark = f"{MARK}={uuid.uuid4().hex}"
        # kubectl keeps a cache at home.
        os.environ.update([self.mark.split("=")], TMPDIR=str(self.scratch), HOME=str(self.home))
        os.environ.pop("KUBECONFIG", None)
        tempfile.tempdir = str(self.scratch)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=700", "proxima-real-soak",
                        self.disk], check=True)
        self.tables = self.tables_here()
        self.watch = None
        self.is_done = False

    @staticmethod
    def tables_here():
        return subprocess.run(["nft", "list", "tables"], capture_output=True, text=True).stdout

    def watch_namespaces(self, bed):
        self.files = running_cluster.namespace_files(bed)
        self.watch = NamespaceWatch.of_files(self.files)

    def keep_logs(self, endpoint, wrong):
        """Copies them to where they stay, unless all went well."""
        if self.is_done and not wrong:
            return
        kept = self.root / "logs"
        kept.mkdir()
        for log in (*self.disk.glob("*.log"), endpoint.log):
            shutil.copy(log, kept)

    def left(self):
        """What is still there, in words; a while after the end."""
        first_true(lambda: not self.left_now())
        return self.left_now()

    def left_now(self):
        found = [f"process {process}: {process_facts.command_line(process)[:120]}"
                 for process in process_facts.marked(self.mark) if process != os.getpid()]
        if self.watch:
            found += self.watch.left()
            found += [f"file {file}" for file in self.files if os.path.exists(file)]
        found += [f"file {path}" for path in self.scratch.rglob("*")]
        return found + [f"tables here: {self.tables_here()}"] * (self.tables_here() != self.tables)

    def remove(self):
        """All but the logs that are kept; their folder, or None."""
        if self.watch:
            self.watch.close()
        subprocess.run(["umount", self.disk], check=True)
        for folder in (self.disk, self.scratch, self.home):
            shutil.rmtree(folder)
        if (self.root / "logs").exists():
            return self.root / "logs"
        self.root.rmdir()
        return None


def soak(arguments, place, wrong):
    """Adds to `wrong`, and ends as by Ctrl-C when all is done."""
    with contextlib.ExitStack() as stack:
        endpoint = stack.enter_context(servers.real_server(beds.SERVICE_RANGES))
        cluster = RunningCluster(stack, arguments.program, endpoint, place.disk)
        # When all parts have ended, the other way round.
        stack.callback(place.keep_logs, endpoint, wrong)
        stack.callback(lambda: wrong.extend(cluster.wrong_ends()))
        place.watch_namespaces(cluster.bed)
        cluster.make_objects()
        cluster.start()
        load = Load(stack, cluster.bed, CLIENTS, arguments.rate)
        work = Soak(cluster, load, random.Random(arguments.seed))
        work.wrong = wrong
        try:
            work.prepare()
            print(f"ready after {time.monotonic() - work.begin:.1f} s", flush=True)
            work.run(arguments.minutes * 60)
            work.judge(arguments.minutes * 60)
            work.judge_rest()
        except (NotInTime, RuntimeError, OSError) as trouble:
            work.fail(repr(trouble))
        place.is_done = True
        work.interrupt()


def have_own_mounts():
    """Starts this program again with mounts of its own, which go with it. Returns where that cannot be,
    and why; None: it has them."""
    if OWN_MOUNTS in os.environ:
        return None
    words = ["unshare", "--mount", "--propagation", "private"]
    tried = subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True,
                           text=True)
    if tried.returncode != 0:
        return tried.stderr.strip()[:200]
    os.environ[OWN_MOUNTS] = "1"
    os.execvp(words[0], [*words, sys.executable, "-B", *sys.argv])


def run(arguments):
    place, wrong = Place(), []
    try:
        try:
            soak(arguments, place, wrong)
        except KeyboardInterrupt:
            wrong += [] if place.is_done else ["interrupted"]
        left = place.left()
        watched = len(place.watch) if place.watch else 0
        print(f"left behind after Ctrl-C: {len(left)}, of {watched} namespaces and what was beside them")
        return wrong + left
    finally:
        if logs := place.remove():
            print(f"logs: {logs}")


def main():
    beds.end_cleanly()
    # Shells let what they start in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=lambda word: pathlib.Path(word).resolve())
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--rate", type=float, default=60, help="requests a second")
    arguments = parser.parse_args()
    try:
        for name in ("etcd", "kube-apiserver", "kubectl"):
            servers.peer(name)
    except servers.Unavailable as missing:
        print(f"not shown: {missing}")
        return SKIPPED
    if why := have_own_mounts():
        print(f"not shown: mounts and network namespaces need root: {why}")
        return SKIPPED
    arguments.seed = seed_of_this_run(default=1)
    print(f"{arguments.minutes:g} minutes; again: make soak-real MINUTES={arguments.minutes:g} "
          f"SEED={arguments.seed}", flush=True)
    try:
        wrong = run(arguments)
    except beds.NoNamespaces as why:
        print(f"not shown: {why}")
        return SKIPPED
    for problem in wrong:
        print(f"WRONG: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
