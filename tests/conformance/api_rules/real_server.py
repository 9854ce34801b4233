# SPDX-License-Identifier: Apache-2.0
"""Questions to a real kube-apiserver that peers.servers starts."""

import contextlib
import json
import urllib.error
import urllib.request

from peers import servers


class RealServer:
    def __init__(self, endpoint: servers.Endpoint):
        self.endpoint = endpoint

    def call(self, method: str, path: str, body: str | None = None) -> tuple[int, dict, list[str]]:
        """Status code, body, texts of Warning headers."""
        request = urllib.request.Request(
            self.endpoint.url + path, data=None if body is None else body.encode(), method=method,
            headers={"Authorization": f"Bearer {self.endpoint.admin}", "Accept": "application/json",
                     "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, context=self.endpoint.trust, timeout=30) as answer:
                code, text, headers = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            code, text, headers = error.code, error.read(), error.headers
        warnings = [header.split('"', 1)[1][:-1].replace('\\"', '"').replace("\\\\", "\\")
                    for header in headers.get_all("Warning") or []]
        return code, json.loads(text), warnings


@contextlib.contextmanager
def real_server(service_cidrs: str):
    with servers.real_server(service_cidrs) as endpoint:
        yield RealServer(endpoint)
