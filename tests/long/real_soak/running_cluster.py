# SPDX-License-Identifier: Apache-2.0
"""Two controllers and a proxy on each node, on a real API server, in namespaces: how to break and mend
each part, and whether all of them agree."""
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import time

import agreement
import faults
import parts
from peers import servers
from support import expected_slices
from support import process_facts
from testbed import bed as beds
from testbed import controllers
from testbed import doors
from testbed import proxies
from testbed import row_objects
from testbed.api import Api, Refused
from testbed.waiting import eventually

PROJECT = servers.PROJECT
NAMESPACE = "soak"
BASE = f"/api/v1/namespaces/{NAMESPACE}"
SLICES = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/proxima-controller"
HONORED = "proxima.io/TrafficDistributionHonored"
SHAPE = ("a:8", "b:8", "c:8")
NODES = ("node-1", "node-2", "node-3")
CLIENTS = ("pod-1-8", "pod-2-8", "pod-3-8", "node-2")
CONTROLLER_HOSTS = {"controller-1": "outside-1", "controller-2": "outside-2"}
REPORT_PORT = 10261
ELECTION = ("--leader-elect=true", "--leader-elect-lease-duration=5s",
            "--leader-elect-renew-deadline=3s", "--leader-elect-retry-period=1s")
DISK_BYTES = 16 << 20
TOKEN_HOURS = 24
WRITE_SECONDS_MAX = 60
PAGE_SECONDS_MAX = 10


def kubectl(endpoint, *words):
    return subprocess.run([servers.peer("kubectl"), "--kubeconfig", endpoint.kubeconfig,
                           *(str(word) for word in words)], check=True, capture_output=True,
                          text=True, timeout=60).stdout


class RunningCluster:
    """`disk`: a small file system for what our programs write."""

    def __init__(self, stack, program, endpoint, disk):
        self.stack, self.program, self.endpoint, self.disk = stack, program, endpoint, disk
        self.api = Api(endpoint)
        self.bed = beds.Bed(stack, beds.programs_beside(program), SHAPE)
        self.hosts = {**{name: self.bed[name] for name in NODES},
                      **{name: self.bed[host] for name, host in CONTROLLER_HOSTS.items()}}
        self.relays = {name: beds.Relay(host, endpoint.port) for name, host in self.hosts.items()}
        stack.callback(lambda: [relay.close() for relay in self.relays.values()])
        self.parts = dict(endpoint.programs)
        self.expected_to_run = set(self.parts)

    def make_objects(self):
        row_objects.make_nodes(self.api, self.bed)
        self.api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        for folder in ("kubernetes", "proxy"):
            for name in ("service-account.yaml", "rbac.yaml"):
                kubectl(self.endpoint, "apply", "-f", PROJECT / "deploy" / folder / name)

    def start(self):
        for name in faults.CONTROLLERS:
            address = self.hosts[name].v4
            words = controllers.our_words(
                self.program, self.endpoint.controller_kubeconfig, *ELECTION,
                f"--report-bind-address={address}:{REPORT_PORT}")
            self.start_part(name, words)
        for name in NODES:
            config, token = self.disk / f"{name}.json", self.disk / f"{name}.token"
            config.write_text(proxies.configuration(self.endpoint.kubeconfig, name,
                                                    proxies.Settings()))
            token.write_text(kubectl(
                self.endpoint, "create", "token", "proxima-proxy", "-n", "kube-system", "--audience",
                "proxima-controller", "--bound-object-kind", "Node", "--bound-object-name", name,
                "--duration", f"{TOKEN_HOURS}h"))
            self.start_part(name, proxies.words_of(str(self.program), config, name,
                                                   [f"--report-token-file={token}"]))

    def start_part(self, name, words):
        part = servers.Program(self.hosts[name].enter(words), self.disk / f"{name}.log")
        self.parts[name] = self.stack.enter_context(part)
        self.expected_to_run.add(name)

    def ended(self):
        """Parts that nobody killed and that are gone, in words; they are started again."""
        told = []
        for name in self.expected_to_run:
            child = self.parts[name].child
            if child.poll() is not None:
                told.append(f"{name} ended by itself with {child.returncode}: "
                            f"{servers.last_lines(self.parts[name].log)[-1500:]}")
                self.parts[name].start()
        return told

    # Faults.

    def begin(self, fault):
        if fault.kind in (faults.KILL, faults.DISK):
            self.expected_to_run.discard(fault.target)
        if fault.kind == faults.KILL:
            self.parts[fault.target].kill()
        elif fault.kind == faults.STOP:
            self.parts[fault.target].child.send_signal(signal.SIGSTOP)
        elif fault.kind == faults.REFUSE:
            self.relays[fault.target].close()
        elif fault.kind == faults.SILENCE:
            doors.cut(self.hosts[fault.target], self.endpoint.port)
        elif fault.kind == faults.REPORTS:
            doors.cut(self.hosts[fault.target], REPORT_PORT)
        elif fault.kind == faults.DISK:
            self.fill_disk()
            self.parts[fault.target].kill()
            self.restart(fault.target)

    def end(self, fault):
        if fault.kind == faults.KILL:
            self.restart(fault.target)
        elif fault.kind == faults.STOP:
            self.parts[fault.target].child.send_signal(signal.SIGCONT)
        elif fault.kind == faults.REFUSE:
            self.relays[fault.target].open()
        elif fault.kind in (faults.SILENCE, faults.REPORTS):
            doors.mend(self.hosts[fault.target])
        elif fault.kind == faults.DISK:
            (self.disk / "filler").unlink()
        if not fault.spares_server():
            servers.wait_until_ready(self.endpoint, [], self.endpoint.log)

    def restart(self, name):
        self.parts[name].start()
        self.expected_to_run.add(name)

    def fill_disk(self):
        with contextlib.suppress(OSError), open(self.disk / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"\0" * 4096)

    # Writes.

    def write(self, method, path, body=None, content_type="application/json"):
        """As often as it takes: a server that was broken a moment ago may still refuse."""
        def written():
            try:
                return [self.api.call(method, path, body, content_type)]
            except (OSError, http.client.HTTPException):
                return None
            except Refused as refusal:
                if refusal.status == 409 and method == "POST":  # a try before was heard
                    return [self.api.get(f"{path}/{body['metadata']['name']}")]
                if refusal.status == 404 and method == "DELETE":
                    return [None]
                if refusal.status == 429 or refusal.status >= 500:
                    return None
                raise

        return eventually(written, f"{method} {path} is done", WRITE_SECONDS_MAX)[0]

    def create(self, path, body):
        return self.write("POST", path, body)

    def patch(self, path, body):
        return self.write("PATCH", path, body, "application/merge-patch+json")

    def delete(self, path, grace_seconds=None):
        body = None if grace_seconds is None else {"gracePeriodSeconds": grace_seconds}
        return self.write("DELETE", path, body)

    # Agreement.

    def page(self, node, path):
        """Of a proxy's pages, asked on its node."""
        connection = http.client.HTTPConnection("127.0.0.1", proxies.METRICS_PORT,
                                                timeout=PAGE_SECONDS_MAX)
        connection.sock = beds.socket_inside(
            self.hosts[node].file,
            lambda: socket.create_connection(("127.0.0.1", proxies.METRICS_PORT), PAGE_SECONDS_MAX))
        try:
            connection.request("GET", path)
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def rules(self, node, *flags, family="ip"):
        done = subprocess.run(self.hosts[node].enter(["nft", *flags, "list", "table", family, "proxima"]),
                              capture_output=True, text=True)
        return done.stdout

    def disagreements(self):
        """Sentences about what has not settled yet; the first kind that there is."""
        try:
            if told := expected_slices.problems(self.api, NAMESPACE):
                return told
            services, slices = self.api.items(f"{BASE}/services"), self.api.items(SLICES)
            nodes = {node["metadata"]["name"]: node for node in self.api.items("/api/v1/nodes")}
            told = []
            for name in NODES:
                document = json.loads(self.page(name, "/debug/routes"))
                told += agreement.route_problems(nodes[name], services, slices, document, NAMESPACE)
                told += agreement.kernel_problems(name, document, self.rules(name), NAMESPACE)
            return told
        except (OSError, http.client.HTTPException, Refused, ValueError) as error:
            return [repr(error)]

    def wait_for_agreement(self):
        began = time.monotonic()
        last = []

        def agree():
            nonlocal last
            last = self.disagreements()
            return not last

        eventually(agree, "slices, routes and rules agree", seen=lambda: "; ".join(last)[:2000])
        return time.monotonic() - began

    def dishonored(self):
        """Services whose condition does not say that every node follows their plan. Those that ask for
        nothing have none."""
        told = []
        for service in self.api.items(f"{BASE}/services"):
            found = [one for one in service.get("status", {}).get("conditions") or ()
                     if one["type"] == HONORED]
            policy = (service["metadata"].get("annotations") or {}).get(agreement.POLICY)
            if policy not in (None, agreement.CLUSTER_WIDE) and not any(one["status"] == "True" for one in found):
                told.append(f"{service['metadata']['name']} ({policy}): {found}")
        return told

    def lease_transitions(self):
        return self.api.get(LEASE)["spec"].get("leaseTransitions", 0)

    # Figures and the end.

    def sample(self):
        sample = {"time": time.monotonic(), **{kind.key: {} for kind, _ in parts.lives()}}
        for name in (*faults.CONTROLLERS, *NODES):
            process = self.parts[name].child.pid
            memory = process_facts.status_field(process, "RssAnon")
            found = {"memory": memory and memory / 1024,
                     "descriptors": process_facts.descriptors(process),
                     "threads": process_facts.status_field(process, "Threads")}
            for figure, value in found.items():
                sample[f"{name} {figure}"] = value or 0
                if value is not None and name not in faults.NEVER_KILLED:
                    sample[parts.lives_key(parts.role_of(name), figure)][process] = value
        return sample

    def element_counts(self, node):
        return {family: agreement.element_counts(json.loads(self.rules(node, "-j", family=family)))
                for family in ("ip", "ip6")}

    def wrong_ends(self):
        """What is wrong about how parts have ended that ran until then."""
        return parts.end_problems({name: self.parts[name].child.returncode
                                   for name in (*faults.CONTROLLERS, *NODES)
                                   if name in self.expected_to_run})

    def end_part(self, name):
        """What is wrong about its end."""
        self.expected_to_run.discard(name)
        code = self.parts[name].end()
        return [] if code == 0 else [f"{name} ended with {code} after SIGTERM"]

    def render_anew(self, node):
        """Ends the proxy, removes all that it wrote, and lets a new one write. What is wrong."""
        wrong, before = [], self.element_counts(node)
        wrong += self.end_part(node)
        host = self.hosts[node]
        subprocess.run(host.enter([self.program, "proxy", "--cleanup"]), check=True,
                       capture_output=True)
        tables = subprocess.run(host.enter(["nft", "list", "tables"]), check=True,
                                capture_output=True, text=True).stdout
        if tables.strip():
            wrong.append(f"{node}: tables left by --cleanup: {tables.split()}")
        self.restart(node)
        self.wait_for_agreement()
        after = self.element_counts(node)
        return wrong + [f"{node}: {family}: {problem}" for family, counts in before.items()
                        for problem in agreement.count_problems(counts, after[family])]


def free_hosts():
    """Hosts that can be backends → node."""
    return {f"pod-{node[-1]}-{number}": node for node in NODES for number in range(1, 8)}


def namespace_files(bed):
    return [host.file for host in bed.hosts.values() if os.path.exists(host.file)]
