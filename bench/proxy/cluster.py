# SPDX-License-Identifier: Apache-2.0
"""Many Services on a bed: each endpoint address is answered by one Pod, which has them all."""
import concurrent.futures
import subprocess
import threading

from testbed import bed as beds
from testbed import row_objects as objects
from testbed.api import Api

ENDPOINTS = 15
ZONES = ("a", "b", "c")
CLIENT = "pod-1-2"
BACKEND_RANGE = "10.181.0.0/16"
WRITERS = 4
PROBE = 0  # the number of the Service that is changed and called


def cluster_ip(number):
    return f"172.30.{1 + number // 250}.{1 + number % 250}"


def endpoint_address(number, endpoint):
    # Addresses may serve several Services: there are more endpoints than addresses.
    index = (number * ENDPOINTS + endpoint) % 60000
    return f"10.181.{index // 250}.{1 + index % 250}"


def slice_body(number, ready=ENDPOINTS):
    """Hints leave a third of the endpoints for the node's zone."""
    name = f"bench-{number}"
    endpoints = [{"addresses": [endpoint_address(number, endpoint)], "nodeName": "elsewhere",
                  "zone": ZONES[endpoint % 3], "conditions": {"ready": True},
                  "hints": {"forZones": [{"name": ZONES[endpoint % 3]}]}}
                 for endpoint in range(ready)]
    return {"metadata": {"name": name, "labels": {"kubernetes.io/service-name": name}},
            "addressType": "IPv4", "endpoints": endpoints,
            "ports": [{"name": "tcp", "protocol": "TCP", "port": beds.BACKEND_PORT}]}


def service_body(number):
    return {"metadata": {"name": f"bench-{number}"}, "spec": {
        "clusterIP": cluster_ip(number),
        "ports": [{"name": "tcp", "port": objects.PORT, "targetPort": beds.BACKEND_PORT}]}}


def make_services(endpoint, numbers):
    local = threading.local()

    def make(number):
        if not hasattr(local, "api"):
            local.api = Api(endpoint)
        objects.create(local.api, objects.SERVICES, service_body(number))
        objects.create(local.api, objects.SLICES, slice_body(number))

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        for _ in pool.map(make, numbers, chunksize=8):
            pass


def answer_for_all(bed, node=1):
    """One Pod of a node takes every packet to the endpoints' range."""
    backend = bed[f"pod-{node}-1"]
    subprocess.run(backend.enter(["ip", "route", "add", "local", BACKEND_RANGE, "dev", "lo"]),
                   check=True)
    subprocess.run(bed[f"node-{node}"].enter(["ip", "route", "add", BACKEND_RANGE, "via",
                                              backend.v4, "dev", "pod1", "onlink"]), check=True)
