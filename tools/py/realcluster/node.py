# SPDX-License-Identifier: Apache-2.0
"""One node: a containerd and a kubelet in network, mount, process, host name and IPC namespaces, on an
overlay of the machine's root, so that nothing they write reaches the machine."""
import json
import os
import pathlib
import signal

from peers.servers import peer
from realcluster import control_groups
from realcluster.machine import in_space, is_running, run, start
from realcluster.shape import DNS_IP, SERVER_IP
from testbed.waiting import eventually

INIT = pathlib.Path(__file__).with_name("node_init.sh")
PAUSE_IMAGE = "registry.k8s.io/pause:3.10.1"

CONTAINERD = f"""
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  # This machine may not let us lower a score.
  restrict_oom_score_adj = true
  sandbox_image = "{PAUSE_IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
"""


def cni(node):
    """A bridge with addresses of the node's ranges; hairpin, so that a Pod reaches itself by a Service."""
    return {"cniVersion": "0.4.0", "name": "pods", "plugins": [
        {"type": "bridge", "bridge": "cni0", "isGateway": True, "hairpinMode": True, "ipMasq": False,
         "ipam": {"type": "host-local", "dataDir": "/run/cni-ipam",
                  "routes": [{"dst": "0.0.0.0/0"}, {"dst": "::/0"}],
                  "ranges": [[{"subnet": pods}] for pods in node.pod_ranges]}},
        {"type": "portmap", "capabilities": {"portMappings": True}, "snat": True}]}


def kubelet(node, authority):
    """A KubeletConfiguration."""
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
            "failCgroupV1": False, "cgroupDriver": "cgroupfs",
            "cgroupRoot": control_groups.path_of(node), "enforceNodeAllocatable": [],
            "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
            "clusterDNS": [DNS_IP], "clusterDomain": "cluster.local", "resolvConf": "/node/resolv.conf",
            "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": True},
                               "x509": {"clientCAFile": str(authority.certificate("ca"))}},
            "authorization": {"mode": "Webhook"},
            "tlsCertFile": str(authority.certificate(node.name)),
            "tlsPrivateKeyFile": str(authority.key(node.name)), "failSwapOn": False,
            # Images are imported once; nobody could pull them again.
            "imageGCHighThresholdPercent": 100,
            "evictionHard": {"memory.available": "200Mi", "nodefs.available": "2%"},
            "serializeImagePulls": False, "registerNode": True, "syncFrequency": "30s",
            "kubeAPIQPS": 50, "kubeAPIBurst": 100}


class RunningNode:
    def __init__(self, node, folder, authority):
        self.node = node
        self._folder = folder / node.name
        self._authority = authority
        self._pid_file = self._folder / "pid"

    def _write_files(self):
        for name in ("upper", "work", "root", "containerd", "kubelet", "cni"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        (self._folder / "cni/10-pods.conflist").write_text(json.dumps(cni(self.node), indent=1))
        (self._folder / "containerd.toml").write_text(CONTAINERD)
        (self._folder / "kubelet.yaml").write_text(json.dumps(kubelet(self.node, self._authority), indent=1))
        (self._folder / "resolv.conf").write_text(f"nameserver {SERVER_IP}\n")
        (self._folder / "kubelet-flags").write_text("\n".join([
            "--config=/node/kubelet.yaml", f"--kubeconfig={self._authority.kubeconfig(self.node.name)}",
            f"--hostname-override={self.node.name}", f"--node-ip={','.join(self.node.addresses)}",
            "--root-dir=/var/lib/kubelet",
            f"--node-labels=topology.kubernetes.io/zone={self.node.zone},"
            "topology.kubernetes.io/region=region-1"]) + "\n")

    def start(self, images):
        self._write_files()
        control_groups.make(self.node)
        outside = start(
            in_space(self.node.space, "unshare", "--mount", "--uts", "--ipc", "--pid", "--fork",
                     "--kill-child", "--propagation=private", "sh", INIT, self._folder, self.node.name,
                     peer("kubelet"), images), self._folder / "log")
        self._pid_file.write_text(f"{self._first_process(outside)}\n")

    def _first_process(self, outside):
        """Process 1 of the node, as the machine numbers it."""
        children = pathlib.Path(f"/proc/{outside}/task/{outside}/children")

        def child():
            if not is_running(outside):
                raise RuntimeError(f"{self.node.name} ended: {(self._folder / 'log').read_text()[-2000:]}")
            return children.read_text().split()

        return eventually(child, f"{self.node.name} starts")[0]

    @property
    def pid(self):
        return int(self._pid_file.read_text())

    def words(self, *words):
        """The command line that runs `words` on the node."""
        return ["nsenter", "-t", str(self.pid), "-n", "-m", "-p", "-u", "-i", *map(str, words)]

    def run(self, *words, quiet=False):
        return run(*self.words(*words), quiet=quiet)

    def cut_power(self):
        """Ends everything on the node at once."""
        pid = self.pid
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: not is_running(pid), f"{self.node.name} ends")
