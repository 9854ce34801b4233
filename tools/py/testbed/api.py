# SPDX-License-Identifier: Apache-2.0
"""A JSON client that keeps its connection, and a watch that remembers what it saw."""
import http.client
import json
import threading
import time

from testbed.waiting import first_true

ANSWER_SECONDS_MAX = 60
SLICES = "/apis/discovery.k8s.io/v1/endpointslices"


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(f"{status}: {text[:500]}")
        self.status = status


def connect(endpoint, seconds=ANSWER_SECONDS_MAX):
    return http.client.HTTPSConnection(endpoint.host, endpoint.port, timeout=seconds,
                                       context=endpoint.trust)


class Api:
    """One connection; not for several threads at once."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.connection = connect(endpoint)

    def call(self, method, path, body=None, content_type="application/json"):
        headers = {"Authorization": "Bearer " + self.endpoint.admin, "Content-Type": content_type}
        data = None if body is None else json.dumps(body)
        for again in (False, True):
            try:
                self.connection.request(method, path, data, headers)
                answer = self.connection.getresponse()
                text = answer.read().decode()
                break
            except (http.client.HTTPException, ConnectionError):
                # A server closes connections that were idle.
                self.connection.close()
                self.connection = connect(self.endpoint)
                if again:
                    raise
        if answer.status >= 400:
            raise Refused(answer.status, text)
        return json.loads(text) if text else None

    def get(self, path):
        return self.call("GET", path)

    def find(self, path):
        """The object, or None where there is none."""
        try:
            return self.get(path)
        except Refused as refusal:
            if refusal.status == 404:
                return None
            raise

    def items(self, path):
        return self.get(path)["items"]

    def create(self, path, body):
        return self.call("POST", path, body)

    def replace(self, path, body):
        return self.call("PUT", path, body)

    def patch(self, path, body):
        return self.call("PATCH", path, body, "application/merge-patch+json")

    def delete(self, path, grace_seconds=None, missing_ok=False):
        body = None if grace_seconds is None else {"gracePeriodSeconds": grace_seconds}
        try:
            return self.call("DELETE", path, body)
        except Refused as refusal:
            if refusal.status == 404 and missing_ok:
                return None
            raise

    def close(self):
        self.connection.close()


class SliceWatch(threading.Thread):
    """Every change of an EndpointSlice from its start on, whoever made it."""

    def __init__(self, endpoint):
        super().__init__(daemon=True)
        self.endpoint = endpoint
        api = Api(endpoint)
        self.version = api.get(SLICES + "?limit=1")["metadata"]["resourceVersion"]
        api.close()
        self.lock = threading.Lock()
        self.events = []  # (monotonic time, type, object)
        self.changed_at = time.monotonic()
        self.connection = None
        self.ended = False
        self.start()

    def run(self):
        while not self.ended:
            try:
                self.follow()
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                # The server has ended, or is being restarted by a test; asking again costs little.
                time.sleep(0.05)

    def follow(self):
        self.connection = connect(self.endpoint, seconds=600)
        self.connection.request(
            "GET", f"{SLICES}?watch=true&resourceVersion={self.version}&timeoutSeconds=500",
            headers={"Authorization": "Bearer " + self.endpoint.admin})
        answer = self.connection.getresponse()
        while not self.ended:
            line = answer.readline()
            if not line:
                return
            event = json.loads(line)
            now = time.monotonic()
            if event["type"] in ("ERROR", "BOOKMARK"):
                continue
            self.version = event["object"]["metadata"]["resourceVersion"]
            with self.lock:
                self.events.append((now, event["type"], event["object"]))
                self.changed_at = now

    def count(self):
        with self.lock:
            return len(self.events)

    def since(self, number):
        with self.lock:
            return self.events[number:]

    def quiet_seconds(self):
        with self.lock:
            return time.monotonic() - self.changed_at

    def close(self):
        self.ended = True


def wait_until_quiet(watches, quiet_seconds, seconds_max):
    """Returns when none has seen a change for so long. After seconds_max it gives up: False."""
    began = time.monotonic()
    return first_true(lambda: min(time.monotonic() - began,
                                  *(watch.quiet_seconds() for watch in watches)) >= quiet_seconds,
                      seconds_max)
