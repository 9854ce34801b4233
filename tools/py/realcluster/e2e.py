# SPDX-License-Identifier: Apache-2.0
"""Kubernetes' own e2e suite against the cluster, and what its specs said."""
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as xml

from peers.servers import peer
from realcluster import images
from realcluster.machine import in_space, run
from realcluster.shape import CONTROL_SPACE

PROGRAMS = ("agnhost", "regression-issue-74839", "e2e.test", "ginkgo")
# Images of the suite that agnhost on a Debian root can stand for.
AGNHOST_IMAGES = ("agnhost", "busybox", "glibc-dns-testing", "distroless-iptables")
SUITE_SECONDS_MAX = 3 * 3600

# Groups of specs by what they begin with, and how many run at a time: Serial and Disruptive ones alone.
GROUPS = {
    "slices": r"\[sig-network\] (EndpointSlice|EndpointSliceMirroring|Traffic Distribution|Topology Hints|"
              r"Endpoints|Service CIDRs|ServiceCIDR)",
    "services": r"\[sig-network\] Services",
    "networking": r"\[sig-network\] (Networking|Conntrack|KubeProxy|HostPort|Proxy|NetworkingAPI|Services GCE)",
    "dual-stack": r"\[Feature:IPv6DualStack\]",
}
CONFORMANCE = r"\[sig-network\].*\[Conformance\]"
# What no node proxy and no slice controller can influence, or what needs a cloud.
SKIP = (r"\[Flaky\]|\[Alpha\]|\[Feature:(LoadBalancer|NetworkPolicy|SCTPConnectivity|PerformanceDNS|"
        r"Networking-Performance|Networking-IPv6|Example|NoSNAT|KubeProxyDaemonSetUpgrade|"
        r"KubeProxyDaemonSetDowngrade|Ingress)|LoadBalancer|\[sig-network\] (Ingress|NetworkPolicy|DNS)")
ALONE = r"\[Serial\]|\[Disruptive\]"


@dataclasses.dataclass(frozen=True)
class Spec:
    name: str
    status: str  # passed, failed, timedout, …
    seconds: float
    why: str


def archives():
    """Images that specs need, as archives to import."""
    listed = subprocess.run([peer("e2e.test"), "--list-images"], capture_output=True, text=True,
                            check=True).stdout.split()
    names = [image for image in listed if image.rsplit("/", 1)[-1].split(":")[0] in AGNHOST_IMAGES]
    other = [image for image in listed if "regression-issue-74839" in image]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        return [images.agnhost(scratch, names),
                *(images.single_program(scratch, "regression-issue-74839", image) for image in other)]


def specs_of(folder):
    """Every spec that ran, of the JUnit files in `folder`, by name."""
    found = {}
    for path in sorted(folder.glob("junit*.xml")):
        for case in xml.parse(path).iter("testcase"):
            name, status = case.get("name"), case.get("status")
            if status == "skipped" or (not name.startswith("[It] ") and status == "passed"):
                continue
            failure = case.find("failure")
            found[name] = Spec(name.removeprefix("[It] "), status, float(case.get("time", 0)),
                               "" if failure is None else " ".join((failure.get("message") or "").split())[:300])
    return [found[name] for name in sorted(found)]


def run_group(cluster, folder, focus, skip, processes):
    """Runs specs and returns what they said. Their whole output is in `folder`/log."""
    folder.mkdir(parents=True, exist_ok=True)
    words = in_space(
        CONTROL_SPACE, peer("ginkgo"), "run", f"--procs={processes}", "--no-color",
        f"--timeout={SUITE_SECONDS_MAX}s", f"--focus={focus}", f"--skip={skip}", peer("e2e.test"), "--",
        "--provider=local", f"--kubeconfig={cluster.authority.kubeconfig('admin')}",
        f"--kubectl-path={peer('kubectl')}", f"--report-dir={folder}", "--dump-logs-on-failure=false",
        "--disable-log-dump")
    with open(folder / "log", "w") as log:
        subprocess.run([str(word) for word in words], stdout=log, stderr=log, cwd=folder, check=False,
                       env={**os.environ, "ACK_GINKGO_DEPRECATIONS": "2.28.1"})
    specs = specs_of(folder)
    if not specs and "Ran 0 of" not in (folder / "log").read_text():
        raise RuntimeError(f"the suite did not run; see {folder / 'log'}:\n"
                           f"{run('tail', '-n', '20', folder / 'log')}")
    return specs


def write_results(path, specs):
    path.write_text(json.dumps([dataclasses.asdict(spec) for spec in specs], indent=1) + "\n")
