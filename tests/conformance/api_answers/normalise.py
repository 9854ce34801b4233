# SPDX-License-Identifier: Apache-2.0
"""Replaces what legitimately differs between two runs by placeholders that are the same in both.

A value keeps its placeholder through a case, so that "the uid stays" and "the version changes" are
still compared: the first uid of a case is `<uid 1>` wherever it is seen.
"""
import datetime
import re

UID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)")
AGE = re.compile(r"^(\d+[smhdy])+$|^<invalid>$")
AGE_COLUMNS = ("Age", "Last Seen", "First Seen")
# Numbers in messages that are resource versions.
VERSIONS_IN_TEXT = re.compile(r"(esourceVersion in precondition: |esourceVersion in object meta: "
                              r"|esource version: |, current: |\(|resourceVersion: \")"
                              r"(\d+)(?=[,.)\s\"]|$)")
FUTURE_VERSION = "99999999"  # what the cases write for one that is yet to come
# Addresses of the Services' ranges: those that a case did not ask for were allocated.
ADDRESS = re.compile(r"\b(?:10\.96\.\d+\.\d+|fd00:96::[0-9a-f:]+)\b(?!/)")
# A patch or a patched object inside a message, as the server's language prints it.
OBJECT_IN_TEXT = re.compile(
    r'Invalid value: "(?:\{.*?\}|map\[.*?\]|\[\{.*?\}\])(?:\\n)?": ', re.DOTALL)
# Of server-side apply, and of storage: only the real server has them.
ABSENT_FIELDS = ("managedFields", "storageVersionHash")
NODE_PORTS = range(30000, 32768)


def random_names(prefix):
    """What the server makes of a prefix: at most 63 characters, the last five at random."""
    return re.compile("(" + re.escape(prefix[:58]) + r")[a-z0-9]{5}\b")


class Placeholders:
    """Values of one sort, numbered as they are met."""

    def __init__(self, sort):
        self.sort = sort
        self.numbers = {}

    def __call__(self, value):
        return f"<{self.sort} {self.numbers.setdefault(value, len(self.numbers) + 1)}>"


class Normaliser:
    """One a case: `written` is everything that the case itself says, which stays as it is."""

    def __init__(self, namespace, written, now):
        self.namespace = namespace
        self.written = written
        self.now = now
        self.uid = Placeholders("uid")
        self.version = Placeholders("rv")
        self.address = Placeholders("address")
        self.node_port = Placeholders("node port")
        self.generated = [random_names(prefix) for prefix in
                          re.findall(r'"generateName": "([^"]+)"', written)]
        self.columns = []

    def answer(self, body):
        return self.value(body, ())

    def value(self, value, path):
        if isinstance(value, dict):
            return self.object(value, path)
        if isinstance(value, list):
            return [self.value(item, path + (index,)) for index, item in enumerate(value)]
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value, path)
        return value

    def object(self, value, path):
        if "columnDefinitions" in value:
            return self.table(value, path)
        if value.get("type") == "BOOKMARK":  # the real server shows an empty object beside it
            value = {**value, "object": {key: value["object"].get(key)
                                         for key in ("kind", "apiVersion", "metadata")}}
        done = {}
        for key, item in value.items():
            if key in ABSENT_FIELDS or (key == "details" and item == {}):  # which says nothing
                continue
            done[key] = self.field(key, item, path, value)
        return done

    def field(self, key, item, path, parent):
        if key == "resourceVersion" and isinstance(item, str):
            return self.resource_version(item, path, parent)
        if key == "continue" and item:
            return "<continue>"
        return self.value(item, path + (key,))

    def resource_version(self, text, path, parent):
        """Of a list it is the whole server's, which others move: only its presence counts."""
        if text in ("", "0"):
            return text
        of_object = "name" in parent or "uid" in parent
        return self.version(text) if of_object else "<version>"

    def number(self, number, path):
        is_port = bool(path) and path[-1] in ("nodePort", "healthCheckNodePort")
        if is_port and number in NODE_PORTS and str(number) not in self.written:
            return self.node_port(number)
        return number

    def text(self, text):
        text = text.replace(self.namespace, "<ns>")
        for names in self.generated:
            text = names.sub(lambda found: found.group(1) + "<random>", text)
        text = UID.sub(lambda found: self.unless_written(found, self.uid), text)
        text = ADDRESS.sub(lambda found: self.unless_written(found, self.address), text)
        text = VERSIONS_IN_TEXT.sub(
            lambda found: found.group() if found.group(2) == FUTURE_VERSION
            else found.group(1) + "<version>", text)
        text = OBJECT_IN_TEXT.sub('Invalid value: "<object>": ', text)
        return TIME.sub(self.time, text)

    def unless_written(self, found, placeholder):
        return found.group() if found.group() in self.written else placeholder(found.group())

    def time(self, found):
        """A time of today is the server's doing; the cases write of other days."""
        moment = datetime.datetime.fromisoformat(found.group().replace("Z", "+00:00"))
        if abs(moment - self.now) > datetime.timedelta(days=1):
            return found.group()
        return "<time with fraction>" if found.group(1) else "<time>"

    def table(self, value, path):
        """Ages are hidden by their columns; columns come with the first event of a watch only."""
        if value["columnDefinitions"]:
            self.columns = [column["name"] for column in value["columnDefinitions"]]
        rows = [{**row, "cells": [self.cell(*pair) for pair in zip(self.columns, row["cells"])]}
                for row in value.get("rows") or []]
        definitions = [{**column, "description": "<text>" if column.get("description") else ""}
                       for column in value["columnDefinitions"] or []]
        rest = {key: item for key, item in value.items()
                if key not in ("columnDefinitions", "rows")}
        done = self.value(rest, path)
        done["columnDefinitions"] = definitions
        done["rows"] = self.value(rows, path + ("rows",))
        return done

    def cell(self, column, value):
        if column in AGE_COLUMNS and isinstance(value, str) and AGE.match(value):
            return "<age>"
        if isinstance(value, str) and column.startswith("Port"):
            return re.sub(r":(\d{5})/", self.node_port_in_cell, value)
        return value

    def node_port_in_cell(self, found):
        """The middle of "80:31234/TCP"."""
        if found.group(1) in self.written:
            return found.group()
        return f":{self.node_port(int(found.group(1)))}/"
