# SPDX-License-Identifier: Apache-2.0
"""Runs a case against a server: every step's answer, normalised."""
import copy
import datetime
import json
import re

from client import Client, Stream
from normalise import Normaliser
from objects import namespace
from steps import Step, create
from testbed.waiting import first_true

STREAM_EVENTS_MAX = 100


def fill_in(value, variables):
    """`<NAME>` replaced by what NAME stands for, in any part of a value."""
    if isinstance(value, dict):
        return {fill_in(key, variables): fill_in(item, variables) for key, item in value.items()}
    if isinstance(value, list):
        return [fill_in(item, variables) for item in value]
    if isinstance(value, str):
        whole = re.fullmatch(r"<(\w+)>", value)
        if whole and whole.group(1) in variables:
            return variables[whole.group(1)]
        return re.sub(r"<(\w+)>", lambda found: str(variables.get(found.group(1), found.group())),
                      value)
    return value


def part_of(body, path):
    """The value at "spec/ports/0/nodePort" or "groups/name=apps/versions", or None."""
    for word in path.split("/"):
        if isinstance(body, list):
            body = item_of(body, word)
        elif isinstance(body, dict):
            body = body.get(word)
        else:
            return None
    return body


def item_of(items, word):
    key, equals, value = word.partition("=")
    if equals:
        return next((item for item in items if part_of(item, key.replace(".", "/")) == value), None)
    return items[int(word)] if int(word) < len(items) else None


class CaseRun:
    def __init__(self, case, endpoint):
        written = json.dumps([[step.path, step.query, step.body, step.headers]
                              for step in case.steps])
        now = datetime.datetime.now(datetime.timezone.utc)
        self.case = case
        self.client = Client(endpoint)
        self.normaliser = Normaliser(case.namespace, written, now)
        self.variables = {"ns": case.namespace, "host": f"{endpoint.host}:{endpoint.port}"}
        self.stream = None

    def answers(self):
        """One answer a step: {"step", "status", "headers", "body"} or {"step", "events"}."""
        try:
            made = self.client.ask(self.prepared(create("namespaces", namespace("<ns>"))))
            if made[0] != 201:
                raise RuntimeError(f"the case's namespace: {made}")
            return [{"step": step.says, **self.answer(self.prepared(step))}
                    for step in self.case.steps]
        finally:
            self.client.close()
            if self.stream:
                self.stream.close()

    def prepared(self, step):
        step = copy.copy(step)
        step.path, step.query, step.body, step.headers = fill_in(
            [step.path, step.query, step.body, step.headers], self.variables)
        return step

    def answer(self, step):
        if step.stream == "open":
            return self.open_stream(step)
        if step.stream:
            found = self.stream.read(step.count or STREAM_EVENTS_MAX)
            self.save(step, found)
            return {"events": self.normalised(found)}
        status, headers, body = self.ask(step)
        self.save(step, body)
        return {"status": status, "headers": self.normalised(headers),
                "body": self.compared(step, body)}

    def ask(self, step):
        if step.method in ("PUT", "PATCH"):
            self.wait_for_cache(step)
        answer = None

        def is_wanted():
            nonlocal answer
            answer = self.client.ask(step)
            return not step.until or answer[0] == step.until

        first_true(is_wanted)  # an answer that never comes shows in the comparison
        return answer

    def wait_for_cache(self, step):
        """Waits until the server's cache has the object that the step changes.

        kube-apiserver tries an update on what its watch cache has, and once more when that is stale. The
        first try keeps the node ports that it has taken, so the second finds them taken."""
        read = Step("the object before it is changed", "GET", step.path)
        status, _, body = self.client.ask(read)
        version = part_of(body, "metadata/resourceVersion")
        if status == 200 and version:
            read.query = {"resourceVersion": version}
            self.client.ask(read)

    def open_stream(self, step):
        if self.stream:
            self.stream.close()
        self.stream = Stream(self.client, step)
        head = {"status": self.stream.status, "headers": self.normalised(self.stream.headers)}
        if self.stream.status == 200:
            return head
        return {**head, "body": self.normalised(self.stream.whole())}

    def save(self, step, body):
        for name, path in step.save.items():
            self.variables[name] = part_of(body, path)

    def compared(self, step, body):
        if not step.only:
            return self.normalised(body)
        return self.normalised({path: part_of(body, path) for path in step.only})

    def normalised(self, value):
        text = json.dumps(self.normaliser.answer(value))
        return json.loads(text.replace(self.variables["host"], "<host>"))
