# SPDX-License-Identifier: Apache-2.0
"""Starts the proxy that is tested on a node of the bed: the real kube-proxy, or ours."""
import contextlib
import dataclasses
import json
import subprocess

from peers import servers
from testbed import bed as beds
from testbed.waiting import eventually

HEALTH_PORT, METRICS_PORT = 10256, 10249
UPSTREAM = "kube-proxy"


@dataclasses.dataclass(frozen=True)
class Settings:
    """What of the proxy's configuration a test may want otherwise."""
    detector: bool = True
    masquerade_all: bool = False
    min_sync: str = "0.05s"
    gates: str = ""  # "A=false,B=true"


def configuration(kubeconfig, node, settings, ports=(HEALTH_PORT, METRICS_PORT)):
    """A KubeProxyConfiguration; JSON is YAML. `ports`: of health and of metrics."""
    gates = {name: value == "true" for name, _, value in
             (gate.partition("=") for gate in settings.gates.split(",") if gate)}
    return json.dumps({
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration",
        "mode": "nftables", "hostnameOverride": node, "featureGates": gates,
        "clientConnection": {"kubeconfig": str(kubeconfig), "qps": 500, "burst": 1000},
        "clusterCIDR": beds.POD_RANGES if settings.detector else "",
        "detectLocalMode": "ClusterCIDR",
        "nftables": {"masqueradeAll": settings.masquerade_all, "minSyncPeriod": settings.min_sync,
                     "syncPeriod": "30s"},
        # Those of the machine are not the lab's to change.
        "conntrack": {"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s",
                      "tcpCloseWaitTimeout": "0s"},
        "oomScoreAdj": 0,
        "healthzBindAddress": f"127.0.0.1:{ports[0]}",
        "metricsBindAddress": f"127.0.0.1:{ports[1]}"})


def words_of(which, config, node, flags=()):
    """`which`: "kube-proxy", a version of it ("kube-proxy-1.33"), or the path of our program."""
    if which.startswith(UPSTREAM):
        return [servers.peer(which), f"--config={config}", "--v=1"]
    return [which, "proxy", f"--config={config}", f"--hostname-override={node}", *flags]


class Proxy:
    """A proxy on one node; it can be killed and started again."""

    def __init__(self, which, host, endpoint, folder, settings=Settings(), flags=(),
                 ports=(HEALTH_PORT, METRICS_PORT)):
        self.which, self.host, self.flags = which, host, flags
        self.config = folder / f"{host.name}.json"
        self.config.write_text(configuration(endpoint.kubeconfig, host.name, settings, ports))
        self.log = folder / f"{host.name}.log"
        self.child = None

    def start(self):
        with open(self.log, "ab") as sink:
            self.child = subprocess.Popen(
                self.host.enter(words_of(self.which, self.config, self.host.name, self.flags)),
                stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)

    def kill(self):
        self.child.kill()
        self.child.wait()

    def stop(self):
        if self.child is None or self.child.poll() is not None:
            return
        self.child.terminate()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def last_words(self):
        return self.log.read_text(errors="replace")[-3000:]

    def eventually(self, condition, what):
        """As waiting.eventually, while the proxy is alive; an error has the proxy's own words."""
        last = None

        def holds():
            nonlocal last
            last = condition()
            if not last:
                self.check_alive()
            return last

        return eventually(holds, what, seen=lambda: f"{last}\n{self.last_words()}")

    def check_alive(self):
        if self.child.poll() is not None:
            raise AssertionError(f"the proxy ended with {self.child.returncode}:\n" +
                                 self.last_words())


def forget_rules(host):
    """A node without any proxy's rules and without tracked flows."""
    for words in (["nft", "flush", "ruleset"], ["conntrack", "-F"]):
        subprocess.run(host.enter(words), check=False, capture_output=True)


@contextlib.contextmanager
def proxy_on(which, host, endpoint, folder, settings=Settings()):
    """A running proxy, whose rules go with it."""
    proxy = Proxy(which, host, endpoint, folder, settings)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()
        forget_rules(host)


def chosen(program, wish=None):
    """(name, what to start) of each proxy that is wished, "proxima" or "kube-proxy" or both, and
    can be run here."""
    found = []
    if wish in (None, "proxima"):
        found.append(("proxima", program))
    if wish in (None, UPSTREAM):
        try:
            servers.peer("kube-proxy")
            found.append((UPSTREAM, UPSTREAM))
        except servers.Unavailable as why:
            print(f"not shown: what the real kube-proxy does: {why}")
    return found
