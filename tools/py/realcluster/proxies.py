# SPDX-License-Identifier: Apache-2.0
"""Who routes Services on the nodes, and who writes slices: upstream's programs or Proxima's."""
import json

from peers.servers import PROJECT, peer
from realcluster.control_plane import ALL_CONTROLLERS, WITHOUT_SLICES
from realcluster.machine import in_space, run, start
from realcluster.shape import CONTROL_SPACE, POD_RANGES, SERVER_URL
from testbed.waiting import eventually

NAMES = ("kube-proxy", "proxima-nftables")
LABEL = "proxima.io/node-proxy"
CHART = PROJECT / "deploy/helm/proxima"

# A node here is a network namespace: it may not set the machine's limit of connections, and the
# machine may not let a container lower its score when memory runs out.
CONNECTION_LIMITS = {"conntrack": {"maxPerCore": 0}}


class KubeProxy:
    """kube-proxy as a process of each node."""

    def __init__(self, cluster):
        self._cluster = cluster

    def _configuration(self, node):
        return {"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration",
                "mode": "nftables", "hostnameOverride": node.name,
                "clientConnection": {"kubeconfig": str(self._cluster.authority.kubeconfig("kube-proxy"))},
                "clusterCIDR": ",".join(POD_RANGES), "metricsBindAddress": "0.0.0.0:10249",
                **CONNECTION_LIMITS}

    def start(self, running_node):
        folder = self._cluster.folder / running_node.node.name
        (folder / "kube-proxy.yaml").write_text(json.dumps(self._configuration(running_node.node)))
        start(running_node.words(peer("kube-proxy"), "--config=/node/kube-proxy.yaml"),
              folder / "kube-proxy.log")

    @staticmethod
    def stop(running_node):
        running_node.run("pkill", "-x", "kube-proxy")

    def install(self):
        for running_node in self._cluster.running_nodes:
            self.start(running_node)


class Proxima:
    """Proxima as its chart installs it: the controller in place of the controllers of slices, and the
    node proxy on the nodes that are labelled."""

    def __init__(self, cluster):
        self._cluster = cluster

    @staticmethod
    def values():
        return {"controller": {"endpointsMirroring": True},
                "proxy": {"enabled": True, "apiServer": SERVER_URL,
                          "config": {"clusterCIDR": ",".join(POD_RANGES), "oomScoreAdj": 0,
                                     **CONNECTION_LIMITS}}}

    def _helm(self, *words):
        return run(*in_space(CONTROL_SPACE, peer("helm"), "--kubeconfig",
                             self._cluster.authority.kubeconfig("admin"), *words))

    def install(self):
        self._cluster.control_plane.start_controllers(WITHOUT_SLICES)
        values = self._cluster.folder / "proxima-values.json"
        values.write_text(json.dumps(self.values()))
        self._helm("upgrade", "--install", "proxima", CHART, "--namespace", "kube-system", "--values",
                   values)
        for running_node in self._cluster.running_nodes:
            self.route_on(running_node)
        self._cluster.kubectl("-n", "kube-system", "rollout", "status", "deployment/proxima-controller",
                              "--timeout=120s")

    def route_on(self, running_node):
        """Labels the node and waits until its node proxy is ready."""
        name = running_node.node.name
        self._cluster.kubectl("label", "--overwrite", "node", name, f"{LABEL}=enabled")
        eventually(lambda: self._is_ready(name), f"Proxima routes on {name}", seen=self._pods)

    def _is_ready(self, node):
        pods = json.loads(self._cluster.kubectl(
            "-n", "kube-system", "get", "pods", "-o", "json", "-l",
            "app.kubernetes.io/name=proxima,app.kubernetes.io/component=proxy",
            "--field-selector", f"spec.nodeName={node}"))["items"]
        return any(condition["type"] == "Ready" and condition["status"] == "True"
                   for pod in pods for condition in pod["status"].get("conditions", ()))

    def _pods(self):
        return self._cluster.kubectl("-n", "kube-system", "get", "pods", "-o", "wide", quiet=True)

    def remove(self):
        """Gives slices back to upstream's controllers and removes everything of Proxima."""
        for running_node in self._cluster.running_nodes:
            self._cluster.kubectl("label", "node", running_node.node.name, f"{LABEL}-")
        self._helm("uninstall", "proxima", "--namespace", "kube-system", "--wait")
        self._cluster.control_plane.start_controllers(ALL_CONTROLLERS)


def router(cluster, name):
    return {"kube-proxy": KubeProxy, "proxima-nftables": Proxima}[name](cluster)
