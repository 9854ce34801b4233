# SPDX-License-Identifier: Apache-2.0
"""Fills a real API server's store with a large cluster, once; every run begins with a copy.

Nodes and Pods go straight into etcd, as JSON, which the server reads like its own: 50,000 Pods over
the API, with their status, would take many minutes. Services go over the API, for their addresses.
"""
import base64
import http.client
import json
import uuid

from peers import servers
from testbed.api import Api
from testbed.objects import TOPOLOGY_MODE, node, node_status, pod, pod_status, service, web_port

NAMESPACE = "big"
OPERATIONS_IN_A_WRITE = 100  # etcd takes 128
ZONES = ("zone-a", "zone-b", "zone-c")
MOMENT = "2026-01-01T00:00:00Z"


def stored(thing, namespace=None):
    meta = thing["metadata"]
    meta.update({"uid": str(uuid.uuid4()), "creationTimestamp": MOMENT,
                 **({"namespace": namespace} if namespace else {})})
    return json.dumps(thing)


def node_rows(count):
    for number in range(count):
        thing = node(f"node-{number}", ZONES[number % len(ZONES)])
        thing.update(node_status(True), spec={})
        yield f"/registry/minions/node-{number}", stored(thing)


def big_pod(number, services, nodes):
    thing = pod(f"pod-{number}", {"app": f"app-{number % services}", "pod-template-hash": "abc"},
                f"node-{number % nodes}")
    for container in thing["spec"]["containers"]:
        container.update(imagePullPolicy="IfNotPresent", resources={},
                         terminationMessagePath="/dev/termination-log",
                         terminationMessagePolicy="File")
    thing["spec"].update(restartPolicy="Always", dnsPolicy="ClusterFirst", securityContext={},
                         schedulerName="default-scheduler", terminationGracePeriodSeconds=30)
    return thing


def address(number):
    return f"10.{number // 62500 + 1}.{number // 250 % 250}.{number % 250 + 1}"


def pod_rows(count, services, nodes):
    for number in range(count):
        thing = big_pod(number, services, nodes)
        thing.update(pod_status([address(number)], True))
        yield f"/registry/pods/{NAMESPACE}/pod-{number}", stored(thing, NAMESPACE)


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def put_all(etcd_url, rows):
    host = etcd_url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=60)
    rows = list(rows)
    for first in range(0, len(rows), OPERATIONS_IN_A_WRITE):
        puts = [{"requestPut": {"key": encoded(key), "value": encoded(value)}}
                for key, value in rows[first:first + OPERATIONS_IN_A_WRITE]]
        connection.request("POST", "/v3/kv/txn", json.dumps({"success": puts}))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"etcd: {answer.status} {text[:500]}")
    connection.close()


def how(number):
    """A quarter each by CPU, by zone, and half without hints."""
    if number % 4 == 0:
        return {"annotations": {TOPOLOGY_MODE: "Auto"}}
    return {"trafficDistribution": "PreferClose"} if number % 4 == 1 else {}


def fill(folder, nodes, services, pods):
    """Leaves the store in the folder."""
    with servers.real_server(etcd_to=folder) as endpoint:
        api = Api(endpoint)
        api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        for number in range(services):
            api.create(f"/api/v1/namespaces/{NAMESPACE}/services", service(
                f"service-{number}", [web_port()], {"app": f"app-{number}"}, **how(number)))
        api.close()
        put_all(endpoint.etcd_url, node_rows(nodes))
        put_all(endpoint.etcd_url, pod_rows(pods, services, nodes))
