# SPDX-License-Identifier: Apache-2.0
"""Sends the requests of a step and gives back what came, unchanged."""
import http.client
import json
import urllib.parse

ANSWER_SECONDS_MAX = 30
# The headers that a client acts upon.
HEADERS = ("Content-Type", "Warning", "Retry-After", "WWW-Authenticate", "Allow")


class Client:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.connection = None

    def tokens(self, who):
        return {"admin": self.endpoint.admin, "reader": self.endpoint.reader,
                "stranger": "nobody-has-this-token"}.get(who)

    def new_connection(self):
        return http.client.HTTPSConnection(self.endpoint.host, self.endpoint.port,
                                           timeout=ANSWER_SECONDS_MAX, context=self.endpoint.trust)

    def send(self, connection, step):
        target = step.path + ("?" + urllib.parse.urlencode(step.query) if step.query else "")
        headers = dict(step.headers)
        token = self.tokens(step.who)
        if token:
            headers.setdefault("Authorization", "Bearer " + token)
        body = step.body
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        connection.request(step.method, target, body=body, headers=headers)
        return connection.getresponse()

    def ask(self, step):
        """(status, headers, body: JSON if it is that, else text)"""
        for fresh in (False, True):
            if self.connection is None:
                self.connection = self.new_connection()
            try:
                answer = self.send(self.connection, step)
                text = answer.read().decode("utf-8", "replace")
                break
            except (http.client.HTTPException, ConnectionError):
                # The server may close a connection that was idle or that it refused something on.
                self.connection.close()
                self.connection = None
                if fresh:
                    raise
        return answer.status, kept_headers(answer), as_json(text)

    def close(self):
        if self.connection is not None:
            self.connection.close()


class Stream:
    """A watch: its answer's head, then its events one by one."""

    def __init__(self, client, step):
        self.connection = client.new_connection()
        self.answer = client.send(self.connection, step)
        self.status = self.answer.status
        self.headers = kept_headers(self.answer)

    def read(self, count):
        """Up to `count` events; fewer when the stream ends or is silent for too long."""
        found = []
        while len(found) < count:
            try:
                line = self.answer.readline()
            except TimeoutError:
                found.append("nothing more came in time")
                break
            if not line:
                found.append("the stream ended")
                break
            found.append(as_json(line.decode()))
        return found

    def whole(self):
        """What a refusal says."""
        return as_json(self.answer.read().decode())

    def close(self):
        self.connection.close()


def kept_headers(answer):
    kept = {}
    for name in HEADERS:
        values = answer.headers.get_all(name)
        if values:
            kept[name] = values if len(values) > 1 else values[0]
    return kept


def as_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text
