# SPDX-License-Identifier: Apache-2.0
"""Starts the controllers that are compared: upstream's and ours."""
import contextlib
import pathlib
import signal
import sys

from peers import servers

# Upstream's defaults would make the comparison one of rate limits.
QPS = ("--kube-api-qps=5000", "--kube-api-burst=10000")
UPSTREAM = "kube-controller-manager"
MIRRORING = "--endpoints-mirroring"  # ours; upstream has a controller of its own for it


def upstream_words(program, kubeconfig, *flags):
    controllers = "endpointslice-controller" + (
        ",endpointslice-mirroring-controller" if MIRRORING in flags else "")
    return [servers.peer(program), f"--kubeconfig={kubeconfig}",
            f"--controllers={controllers}", "--leader-elect=false", "--secure-port=0",
            *QPS, "--v=0", *(flag for flag in flags if flag != MIRRORING)]


def our_words(program, kubeconfig, *flags):
    elect = () if any(flag.startswith("--leader-elect") for flag in flags) else (
        "--leader-elect=false",)
    status = () if any(flag.startswith("--metrics-bind-address") for flag in flags) else (
        "--metrics-bind-address=127.0.0.1:0",)
    return [program, "controller", f"--kubeconfig={kubeconfig}", *elect, *status, *QPS, *flags]


def words_of(which, endpoint, *flags):
    """`which`: "upstream", a version of upstream's ("kube-controller-manager-1.33"), or the path of our
    program."""
    kubeconfig = endpoint.controller_kubeconfig or endpoint.kubeconfig
    if which == "upstream":
        return upstream_words(UPSTREAM, kubeconfig, *flags)
    if which.startswith(UPSTREAM):
        return upstream_words(which, kubeconfig, *flags)
    return our_words(which, kubeconfig, *flags)


def end_cleanly():
    """Whoever is told to end, by `timeout` or by hand, ends what it started first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))


@contextlib.contextmanager
def controller(which, endpoint, *flags, log=None):
    """A running controller; it must still be there at the end of the block."""
    log = pathlib.Path(log or endpoint.kubeconfig.parent / "controller.log")
    with servers.running(words_of(which, endpoint, *flags), log) as child:
        yield child
        if child.poll() is not None:
            raise AssertionError(f"the controller ended with {child.returncode}:\n" +
                                 log.read_text(errors="replace")[-3000:])
