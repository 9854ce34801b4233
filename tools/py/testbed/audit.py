# SPDX-License-Identifier: Apache-2.0
"""Whose writes the real server saw, from its audit log."""
import collections
import datetime
import json


def entries(endpoint, user="controller"):
    """Writes of that user that the server did, oldest first."""
    found = []
    with open(endpoint.audit_log, encoding="utf-8") as log:
        for line in log:
            if not line.endswith("\n"):
                break  # being written
            entry = json.loads(line)
            code = entry.get("responseStatus", {}).get("code", 0)
            if entry["user"]["username"] == user and 200 <= code < 300:
                found.append(entry)
    return found


def resource(entry):
    reference = entry["objectRef"]
    sub = reference.get("subresource")
    return reference["resource"] + ("/" + sub if sub else "")


def writes(endpoint, namespace=None):
    """Counter of (resource, verb) by the controller, in one namespace or all."""
    return collections.Counter(
        (resource(entry), entry["verb"]) for entry in entries(endpoint)
        if namespace is None or entry["objectRef"].get("namespace") == namespace)


def slice_writes(endpoint):
    return sum(count for (name, _), count in writes(endpoint).items() if name == "endpointslices")


def when(entry):
    """Seconds since 1970 at which the answer was given."""
    text = entry["stageTimestamp"].rstrip("Z")
    return datetime.datetime.fromisoformat(text).replace(
        tzinfo=datetime.timezone.utc).timestamp()
