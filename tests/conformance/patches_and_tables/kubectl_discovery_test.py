#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets real kubectls discover and explain what the embedded API serves, through a server that answers
discovery and nothing else.

Usage: kubectl_discovery_test.py PROXIMA_API_VIEWS
PROXIMA_PEERS says where kubectl and kubectl-1.32 are. Exits with 77 and the reason without them.
"""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
from peers import servers

SKIPPED = 77
SECONDS_MAX = 60

# A command, and lines that its output has to hold.
EXPECTED = [
    (["api-resources", "--no-headers"],
     ["configmaps cm v1 true ConfigMap", "services svc v1 true Service", "nodes no v1 false Node",
      "endpointslices discovery.k8s.io/v1 true EndpointSlice", "events ev events.k8s.io/v1 true Event",
      "ipaddresses ip networking.k8s.io/v1 false IPAddress", "leases coordination.k8s.io/v1 true Lease"]),
    (["api-resources", "--categories=all", "-o", "name"], ["pods", "services"]),
    (["api-resources", "--verbs=create", "-o", "name"], ["services", "endpointslices.discovery.k8s.io"]),
    (["api-versions"], ["v1", "discovery.k8s.io/v1", "events.k8s.io/v1", "networking.k8s.io/v1", "coordination.k8s.io/v1"]),
    (["version"], ["Server Version: v1.36.4+proxima"]),
    (["explain", "service.spec"], ["KIND: Service", "FIELD: spec <ServiceSpec>", "ports <[]ServicePort>", "topologyKeys <[]string>"]),
    (["explain", "service.spec.trafficDistribution"],
     ["FIELD: trafficDistribution <string>", "A preference, never a promise: PreferSameZone or PreferSameNode keep traffic"]),
    (["explain", "service", "--recursive"], ["metadata <ObjectMeta>", "targetPort <IntOrString>", "creationTimestamp <string>"]),
    (["explain", "endpointslices.endpoints.hints"], ["GROUP: discovery.k8s.io", "forZones <[]ForZone>"]),
    (["explain", "pod.spec.containers.resources"], ["limits <map[string]Quantity>"]),
    (["explain", "configmap.data"], ["FIELD: data <map[string]string>"]),
    (["explain", "events", "--api-version=events.k8s.io/v1"], ["regarding <ObjectReference>"]),
    (["explain", "service.spec", "--output=plaintext-openapiv2"], ["KIND: Service", "RESOURCE: spec <Object>", "ports <[]Object>"]),
]


class Faces:
    """The co-process that answers, asked by one thread at a time."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()

    def get(self, target, headers):
        with self.lock:
            self.process.stdin.write(json.dumps({"do": "discovery", "target": target, "headers": headers}) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline()).get("result")


def handler(faces):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):  # noqa: N802: the library's name
            answer = faces.get(self.path, dict(self.headers.items())) or {"status": 404, "headers": {}, "body": ""}
            body = bytes.fromhex(answer["body"])
            self.send_response(answer["status"])
            for name, value in answer["headers"].items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def complaints(kubectl, url, home):
    for command, wanted in EXPECTED:
        done = subprocess.run([kubectl, "--server", url, *command], capture_output=True, text=True, timeout=SECONDS_MAX,
                              env={**os.environ, "HOME": home, "KUBECONFIG": os.path.join(home, "none")})
        lines = {" ".join(line.split()) for line in done.stdout.splitlines()}
        # An option mark follows some types.
        lines |= {line.removesuffix(" -required-") for line in lines}
        missing = [line for line in wanted if line not in lines]
        if done.returncode != 0 or missing:
            yield f"{kubectl.name} {' '.join(command)}: missing {missing}; {done.stderr.strip()}\n{done.stdout[:2000]}"


def main():
    try:
        kubectls = [servers.peer("kubectl"), servers.peer("kubectl-1.32")]
    except servers.Unavailable as why:
        print(f"skipped: {why}")
        return SKIPPED
    faces = Faces(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(faces))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    found = []
    for kubectl in kubectls:
        with tempfile.TemporaryDirectory() as home:
            found += complaints(kubectl, url, home)
    server.shutdown()
    server.server_close()
    faces.process.stdin.close()
    faces.process.wait(timeout=SECONDS_MAX)
    print("\n".join(found) or f"{len(kubectls)} kubectls, {len(EXPECTED)} commands each")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
