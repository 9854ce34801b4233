# SPDX-License-Identifier: Apache-2.0
"""A namespace and the Nodes, in words short enough for a scenario.

  nodes("n1 zone-a", "n2 zone-b 8", "n3 - !")     name, zone or -, CPU, ! for not ready
  pods("p1 n1", "p2 n2 !", "p3 n1 other")         name, node, ! for not ready, shape of containers
  expect("web", "p1 zone-a ready for zone-a")     Pod, zone or -, condition, hints
"""
import collections
import contextlib
import dataclasses
import datetime
import re
import subprocess
import time
import urllib.request

import drive
from published import node_hints, zone_hints
from testbed import controllers
from testbed.api import Api, Refused
from testbed.objects import (MANAGED_BY, MANAGER, SERVICE_NAME, SHAPES, ZONE, node, node_status,
                             pod, pod_status, service, web_port)
from testbed.waiting import always, eventually

# Longer than the second after which a controller looks at what it wrote again.
STILL_SECONDS = 1.3
APP = {"app": "web"}


def condition_of(endpoint):
    """ready, unready, leaving (still serves), left; with publishNotReadyAddresses "ready …"."""
    conditions = endpoint["conditions"]
    base = {(True, False): "ready", (False, False): "unready", (True, True): "leaving",
            (False, True): "left"}[conditions["serving"], conditions["terminating"]]
    if conditions["ready"] and base != "ready":
        return "ready-though-" + base
    return base


def line_of(endpoint):
    hints = zone_hints(endpoint) + node_hints(endpoint)
    target = endpoint.get("targetRef", {}).get("name", "?")
    return " ".join([target, endpoint.get("zone", "-"), condition_of(endpoint)] +
                    (["for", *hints] if hints else []))


def is_repair(event):
    """A real API server looks after addresses that it gave out, and tells of it."""
    component = event.get("reportingComponent") or event.get("source", {}).get("component", "")
    return component.endswith("allocator-repair-controller")


class Status:
    """What a controller serves about itself. Its log says where; the last one that started counts."""

    def __init__(self, log):
        self.url = eventually(
            lambda: re.findall(r"status at (\S+)\n", log.read_text(errors="replace")),
            "the line with its address")[-1]

    def metric(self, name, **labels):
        """The sum of all series of a metric that have these labels; None where there is none."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=10) as answer:
            text = answer.read().decode()
        wanted = {f'{key}="{value}"' for key, value in labels.items()}
        found = [float(value) for series, value in
                 re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
                 if wanted <= set(re.findall(r'\w+="[^"]*"', series))]
        return sum(found) if found else None


class World:
    def __init__(self, endpoint, namespace, program=None):
        self.endpoint, self.program = endpoint, program
        self.api = Api(endpoint)
        self.namespace = namespace
        self.base = f"/api/v1/namespaces/{namespace}"
        self.addresses = {}  # Pod → its IPv4 address
        self.api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})

    @contextlib.contextmanager
    def controller(self, *flags, kubeconfig=None):
        """One of its own, for scenarios with flags=None; gives its Status."""
        log = self.endpoint.kubeconfig.parent / f"{self.namespace}.log"
        log.write_text("")
        endpoint = self.endpoint
        if kubeconfig:
            endpoint = dataclasses.replace(endpoint, kubeconfig=kubeconfig,
                                           controller_kubeconfig=None)
        with controllers.controller(self.program, endpoint, *flags, log=log):
            yield Status(log)

    def proxima(self, *words):
        """What one of our commands prints about this cluster."""
        done = subprocess.run([self.program, *words, f"--kubeconfig={self.endpoint.kubeconfig}"],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def expect_refused(self, words, do):
        """The server refuses what `do` asks for, and says these words."""
        try:
            do()
        except Refused as refusal:
            assert refusal.status == 422 and words in str(refusal), str(refusal)
            return
        raise AssertionError(f"accepted; it should be refused: {words}")

    # Nodes

    def nodes(self, *rows):
        for row in rows:
            name, zone, *rest = row.split()
            ready = "!" not in rest
            cpu = next((word for word in rest if word != "!"), "4")
            self.api.create("/api/v1/nodes", node(name, None if zone == "-" else zone))
            self.node_state(name, ready, cpu)

    def node_state(self, name, ready=True, cpu="4"):
        self.api.patch(f"/api/v1/nodes/{name}/status", node_status(ready, cpu))

    def node_zone(self, name, zone):
        self.node_label(name, ZONE, zone)

    def node_label(self, name, key, value):
        self.api.patch(f"/api/v1/nodes/{name}", {"metadata": {"labels": {key: value}}})

    def drop_node(self, name):
        self.api.delete(f"/api/v1/nodes/{name}", missing_ok=True)

    # Pods

    def pods(self, *rows, labels=None, **spec):
        for row in rows:
            name, place, *rest = row.split()
            shape = next((word for word in rest if word in SHAPES), "plain")
            number = len(self.addresses) + 1
            self.addresses[name] = f"10.7.{number // 200}.{number % 200 + 1}"
            self.api.create(self.base + "/pods", pod(name, labels or APP, place, shape, **spec))
            self.pod_state(name, ready="!" not in rest)

    def pod_state(self, name, ready=True, ips=None, phase="Running"):
        now = datetime.datetime.now(datetime.timezone.utc)
        self.api.patch(f"{self.base}/pods/{name}/status",
                       pod_status(ips or [self.addresses[name]], ready, phase,
                                  now.strftime("%Y-%m-%dT%H:%M:%SZ")))

    def leave(self, name):
        self.api.delete(f"{self.base}/pods/{name}", 60)

    def drop_pod(self, name):
        self.api.delete(f"{self.base}/pods/{name}", 0)

    def patch_pod(self, name, metadata):
        self.api.patch(f"{self.base}/pods/{name}", {"metadata": metadata})

    # Services

    def service(self, name="web", ports=None, selector=None, labels=None, annotations=None, **spec):
        return self.api.create(self.base + "/services", service(
            name, [web_port()] if ports is None else ports,
            APP if selector is None else selector, labels, annotations, **spec))

    def change(self, name="web", labels=None, annotations=None, **spec):
        metadata = {**({"labels": labels} if labels else {}),
                    **({"annotations": annotations} if annotations else {})}
        self.api.patch(f"{self.base}/services/{name}", {"metadata": metadata, "spec": spec})

    def drop_service(self, name):
        self.api.delete(f"{self.base}/services/{name}")

    def find_service(self, name="web"):
        return self.api.get(f"{self.base}/services/{name}")

    # What is published

    def slices(self, name="web"):
        return [item for item in self.api.items(drive.slices_path(self.namespace, name))
                if item["metadata"]["labels"].get(MANAGED_BY) == MANAGER]

    def lines(self, name="web"):
        return sorted(line_of(endpoint) for item in self.slices(name)
                      for endpoint in item.get("endpoints") or [])

    def expect(self, name, *lines):
        wanted = sorted(lines)
        eventually(lambda: self.slices(name) and self.lines(name) == wanted,
                   f"{name} has {wanted}", seen=lambda: self.lines(name))

    def hint_counts(self, name="web"):
        """Zone → endpoints that are for it."""
        return dict(collections.Counter(zone for item in self.slices(name)
                                        for endpoint in item.get("endpoints") or []
                                        for zone in zone_hints(endpoint)))

    def expect_counts(self, name="web", **wanted):
        """zone_a=2: so many endpoints are for zone-a."""
        wanted = {key.replace("_", "-"): value for key, value in wanted.items()}
        eventually(lambda: self.hint_counts(name) == wanted, f"hints {wanted}",
                   seen=lambda: f"{self.hint_counts(name)}: {self.lines(name)}")

    def expect_slices(self, name, count):
        eventually(lambda: len(self.slices(name)) == count, f"{name} has {count} slices",
                   seen=lambda: len(self.slices(name)))

    def expect_labels(self, name, **labels):
        """Of every slice, besides those that each has."""
        wanted = {SERVICE_NAME: name, MANAGED_BY: MANAGER,
                  **{key.replace("__", "/").replace("_", "."): value
                     for key, value in labels.items()}}
        eventually(lambda: [item["metadata"]["labels"] for item in self.slices(name)] ==
                   [wanted] * max(1, len(self.slices(name))), f"all slices have {wanted}",
                   seen=lambda: [item["metadata"]["labels"] for item in self.slices(name)])

    def versions(self):
        return {item["metadata"]["name"]: item["metadata"]["resourceVersion"]
                for item in self.api.items(drive.slices_path(self.namespace))}

    def expect_still(self, seconds=STILL_SECONDS):
        """Nothing is written for a while."""
        before = self.versions()
        always(lambda: self.versions() == before, f"no slice is written after {before}", seconds,
               seen=self.versions)

    def rest(self, seconds=STILL_SECONDS):
        """Until nothing was written for a while."""
        state = {"versions": self.versions(), "since": time.monotonic()}

        def is_still():
            now = self.versions()
            if now != state["versions"]:
                state.update(versions=now, since=time.monotonic())
            return time.monotonic() - state["since"] > seconds
        eventually(is_still, "slices are no longer written")

    def events(self, name="web"):
        """(type, reason, message, count) of the Service's Events, oldest first."""
        found = [item for item in self.api.items(self.base + "/events")
                 if item["involvedObject"].get("name") == name and not is_repair(item)]
        found.sort(key=lambda item: (item.get("firstTimestamp") or item.get("eventTime") or "",
                                     int(item["metadata"]["resourceVersion"])))
        return [(item["type"], item["reason"], item["message"], item.get("count", 1))
                for item in found]

    def expect_event(self, name, kind, reason, message):
        eventually(lambda: any(event[:3] == (kind, reason, message)
                               for event in self.events(name)),
                   f"the Event {(kind, reason, message)}", seen=lambda: self.events(name))

    def close(self):
        for kind in ("pods", "services"):
            for item in self.api.items(f"{self.base}/{kind}"):
                self.api.delete(f"{self.base}/{kind}/{item['metadata']['name']}", 0,
                                missing_ok=True)
        for item in self.api.items("/api/v1/nodes"):
            self.drop_node(item["metadata"]["name"])
        self.api.close()
