# SPDX-License-Identifier: Apache-2.0
"""The whole cluster: brought up, looked at, and removed with everything that it left."""
import json
import pathlib
import shutil

from realcluster import control_groups, images, machine, wires
from realcluster.certificates import Authority
from realcluster.control_plane import ControlPlane
from realcluster.node import RunningNode
from realcluster.proxies import router
from realcluster.shape import Shape
from testbed.waiting import eventually

FOLDER = pathlib.Path("/var/lib/proxima-cluster")
COREDNS = pathlib.Path(__file__).with_name("coredns.yaml")
NODES_READY_SECONDS_MAX = 300


class Cluster:
    def __init__(self, shape, folder=FOLDER):
        self.shape = shape
        self.folder = folder
        self.authority = Authority(folder / "pki")
        self.control_plane = ControlPlane(folder / "control-plane", self.authority)
        self.running_nodes = [RunningNode(node, folder, self.authority) for node in shape.nodes]

    @classmethod
    def current(cls, folder=FOLDER):
        """The one that runs; LookupError when there is none."""
        try:
            return cls(Shape(**json.loads((folder / "shape.json").read_text())), folder)
        except FileNotFoundError:
            raise LookupError("there is no cluster; `make cluster` makes one") from None

    def kubectl(self, *words, text=None, quiet=False):
        return self.control_plane.kubectl(*words, text=text, quiet=quiet)

    def node(self, name):
        for one in self.running_nodes:
            if one.node.name == name:
                return one
        raise LookupError(f"no node {name!r}; there are: " +
                          ", ".join(one.node.name for one in self.running_nodes))

    def up(self, proxy, archives, say):
        """`archives`: images that nodes have beside pause and CoreDNS."""
        self.folder.mkdir(mode=0o711, parents=True)
        (self.folder / "shape.json").write_text(json.dumps(
            {"node_count": self.shape.node_count, "zone_count": self.shape.zone_count}))
        say("certificates and network")
        self.authority.make()
        self.authority.sign_all(self.shape)
        wires.lay(self.shape)
        say("images")
        images.gather(self.folder / "images", [*images.base_archives(), *archives])
        say("control plane")
        self.control_plane.up()
        say(f"{self.shape.node_count} nodes in {self.shape.zone_count} zones")
        for one in self.running_nodes:
            one.start(self.folder / "images")
        eventually(self._nodes_registered, "all nodes register", NODES_READY_SECONDS_MAX,
                   seen=self._nodes_text)
        for one in self.running_nodes:
            self._give_pod_ranges(one.node)
        eventually(self._nodes_ready, "all nodes are Ready", NODES_READY_SECONDS_MAX, seen=self._nodes_text)
        say(proxy)
        router(self, proxy).install()
        say("DNS")
        self.kubectl("apply", "-f", COREDNS)
        self.kubectl("-n", "kube-system", "rollout", "status", "deployment/coredns", "--timeout=180s")

    def _nodes_text(self):
        return self.kubectl("get", "nodes", "-o", "wide", quiet=True)

    def _nodes(self):
        return json.loads(self.kubectl("get", "nodes", "-o", "json", quiet=True) or '{"items": []}')["items"]

    def _nodes_registered(self):
        return len(self._nodes()) == self.shape.node_count

    def _nodes_ready(self):
        return all(condition["status"] == "True" for node in self._nodes()
                   for condition in node["status"]["conditions"] if condition["type"] == "Ready")

    def _give_pod_ranges(self, node):
        ranges = list(node.pod_ranges)
        self.kubectl("patch", "node", node.name, "--patch",
                     json.dumps({"spec": {"podCIDR": ranges[0], "podCIDRs": ranges}}))


def remove(folder=FOLDER):
    """Ends a cluster and removes all of it, also one that was cut off while it was made. Says what it
    found."""
    found = machine.spaces()
    for space in found:
        machine.kill_all_in(space)
    for space in found:
        machine.run("ip", "netns", "del", space)
    control_groups.remove_all()
    there = folder.exists()
    if there:
        shutil.rmtree(folder)
    return bool(found) or there
