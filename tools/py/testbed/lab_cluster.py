# SPDX-License-Identifier: Apache-2.0
"""A bed with an API server that some of its nodes can reach."""
import pathlib
import tempfile

from peers import servers
from testbed import bed as beds
from testbed import row_objects
from testbed.api import Api


def has_real_server():
    try:
        return bool(servers.peer("kube-apiserver") and servers.peer("etcd"))
    except servers.Unavailable:
        return False


def server_for(program, wish=None):
    """"real" or "embedded" as wished; else the real one where it is there."""
    if wish == "real" or (wish is None and has_real_server()):
        return servers.real_server(beds.SERVICE_RANGES)
    return servers.embedded_server(program, beds.SERVICE_RANGES)


class LabCluster:
    def __init__(self, stack, program, shape, endpoint, proxied=("node-1",)):
        self.program, self.endpoint = program, endpoint
        self.api = Api(endpoint)
        self.bed = beds.Bed(stack, beds.programs_beside(program), shape)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.relays = {name: beds.Relay(self.bed[name], endpoint.port) for name in proxied}
        stack.callback(lambda: [relay.close() for relay in self.relays.values()])
        row_objects.make_nodes(self.api, self.bed)
