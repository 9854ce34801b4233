# SPDX-License-Identifier: Apache-2.0
"""etcd, kube-apiserver, kube-scheduler and kube-controller-manager in the control plane's namespace."""
from peers.servers import peer
from realcluster.machine import in_space, run, start, stop
from realcluster.shape import CONTROL_SPACE, POD_RANGES, SERVER_IP, SERVER_PORT, SERVICE_RANGES
from testbed.waiting import eventually

# In kube-controller-manager's order of stopping.
PROGRAMS = ("kube-scheduler", "kube-controller-manager", "kube-apiserver", "etcd")
ALL_CONTROLLERS = "*,bootstrap-signer-controller,token-cleaner-controller"
# What Proxima does instead.
WITHOUT_SLICES = ALL_CONTROLLERS + ",-endpointslice-controller,-endpointslice-mirroring-controller"


class ControlPlane:
    def __init__(self, folder, authority):
        self._folder = folder
        self._authority = authority

    def _start(self, name, *flags):
        start(in_space(CONTROL_SPACE, peer(name), *flags), self._folder / f"{name}.log",
              self._folder / f"{name}.pid")

    def stop(self):
        for name in PROGRAMS:
            stop(self._folder / f"{name}.pid")

    def up(self):
        self._folder.mkdir(parents=True)
        self._start_etcd()
        self._start_apiserver()
        eventually(lambda: self.kubectl("get", "--raw", "/readyz", quiet=True) == "ok",
                   f"kube-apiserver is ready; its log is {self._folder}/kube-apiserver.log")
        self.start_controllers(ALL_CONTROLLERS)
        config = self._authority.kubeconfig("scheduler")
        self._start("kube-scheduler", f"--kubeconfig={config}", f"--authentication-kubeconfig={config}",
                    f"--authorization-kubeconfig={config}", "--leader-elect=false",
                    "--bind-address=127.0.0.1")

    def kubectl(self, *words, text=None, quiet=False):
        return run(*self.kubectl_words(*words), text=text, quiet=quiet)

    def kubectl_words(self, *words):
        return in_space(CONTROL_SPACE, peer("kubectl"),
                        f"--kubeconfig={self._authority.kubeconfig('admin')}", *words)

    def _start_etcd(self):
        client, other = "http://127.0.0.1:2379", "http://127.0.0.1:2380"
        # A cluster for tests: what a power cut would lose is of no use to anybody.
        self._start("etcd", "--data-dir", self._folder / "etcd", "--listen-client-urls", client,
                    "--advertise-client-urls", client, "--listen-peer-urls", other,
                    "--initial-advertise-peer-urls", other, "--initial-cluster", f"default={other}",
                    "--unsafe-no-fsync", "--log-level", "warn")

    def _start_apiserver(self):
        pki = self._authority
        self._start("kube-apiserver", "--etcd-servers=http://127.0.0.1:2379",
                    f"--advertise-address={SERVER_IP}", "--bind-address=0.0.0.0",
                    f"--secure-port={SERVER_PORT}", f"--tls-cert-file={pki.certificate('apiserver')}",
                    f"--tls-private-key-file={pki.key('apiserver')}",
                    f"--client-ca-file={pki.certificate('ca')}",
                    f"--kubelet-client-certificate={pki.certificate('apiserver-to-kubelet')}",
                    f"--kubelet-client-key={pki.key('apiserver-to-kubelet')}",
                    f"--kubelet-certificate-authority={pki.certificate('ca')}",
                    "--kubelet-preferred-address-types=InternalIP,Hostname",
                    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
                    f"--service-account-key-file={pki.key('service-accounts')}",
                    f"--service-account-signing-key-file={pki.key('service-accounts')}",
                    f"--service-cluster-ip-range={','.join(SERVICE_RANGES)}",
                    "--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
                    "--allow-privileged=true")

    def start_controllers(self, controllers):
        """Starts kube-controller-manager with these controllers, in place of one that runs."""
        stop(self._folder / "kube-controller-manager.pid")
        pki, config = self._authority, self._authority.kubeconfig("controller-manager")
        self._start("kube-controller-manager", f"--kubeconfig={config}",
                    f"--authentication-kubeconfig={config}", f"--authorization-kubeconfig={config}",
                    "--use-service-account-credentials",
                    f"--service-account-private-key-file={pki.key('service-accounts')}",
                    f"--root-ca-file={pki.certificate('ca')}",
                    f"--cluster-signing-cert-file={pki.certificate('ca')}",
                    f"--cluster-signing-key-file={pki.key('ca')}", "--leader-elect=false",
                    "--bind-address=127.0.0.1", f"--controllers={controllers}",
                    f"--service-cluster-ip-range={','.join(SERVICE_RANGES)}",
                    f"--cluster-cidr={','.join(POD_RANGES)}", "--allocate-node-cidrs=false")
