# SPDX-License-Identifier: Apache-2.0
"""A real Kubernetes cluster on this machine, with real kubelets and Pods, without Docker (root).

    tools/cluster up [--nodes N] [--zones N] [--proxy kube-proxy|proxima-nftables]
                     [--image FILE...] [--package FILE]
    tools/cluster e2e FOLDER [--group NAME...] [--conformance] [--processes N]
                                          run Kubernetes' own e2e suite; results go to FOLDER
    tools/cluster kubectl WORD...         kubectl, as admin
    tools/cluster enter NODE [WORD...]    run a command on a node, a shell without one
    tools/cluster down                    remove the cluster, also after a crash

`make cluster` builds what it needs before. Logs are below /var/lib/proxima-cluster.
"""
import argparse
import os
import pathlib
import sys
import time

from peers.servers import Unavailable
from realcluster import e2e, images
from realcluster.cluster import FOLDER, Cluster, remove
from realcluster.proxies import NAMES
from realcluster.shape import Shape


def parse():
    parser = argparse.ArgumentParser(prog="tools/cluster", description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    up = verbs.add_parser("up", help="make a cluster")
    up.add_argument("--nodes", type=int, default=6)
    up.add_argument("--zones", type=int, default=3)
    up.add_argument("--proxy", choices=NAMES, default="proxima-nftables")
    up.add_argument("--image", type=pathlib.Path, action="append", default=[],
                    help="an archive that every node imports")
    up.add_argument("--package", type=pathlib.Path,
                    help="a Debian package of Proxima to make its image of, instead of one by `make image`")
    up.add_argument("--e2e-images", action="store_true", help="import the images of the e2e suite, too")
    suite = verbs.add_parser("e2e", help="run Kubernetes' own e2e suite")
    suite.add_argument("folder", type=pathlib.Path)
    suite.add_argument("--group", choices=e2e.GROUPS, action="append",
                       help="one group of specs; all of them without")
    suite.add_argument("--conformance", action="store_true", help="only specs of the conformance suite")
    suite.add_argument("--processes", type=int, default=4, help="specs at a time")
    verbs.add_parser("kubectl", help="run kubectl as admin")
    verbs.add_parser("enter", help="run a command on a node").add_argument("node")
    verbs.add_parser("down", help="remove the cluster")
    return parser.parse_args(own_words())


def own_words():
    """The command line without the words of another program, which may begin with a dash."""
    own = {"kubectl": 2, "enter": 3}.get(sys.argv[1] if len(sys.argv) > 1 else "")
    return sys.argv[1:own]


def foreign_words():
    return sys.argv[1 + len(own_words()):]


def up(words):
    shape = Shape(words.nodes, words.zones)
    if FOLDER.exists():
        raise LookupError(f"{FOLDER} is there: a cluster runs or was cut off; `make cluster-down` removes it")
    for flag, files in ("--image", words.image), ("--package", [words.package] if words.package else []):
        for file in files:
            if not file.exists():
                raise LookupError(f"{flag}: {file} does not exist")
    began = time.monotonic()
    archives = [image.resolve() for image in words.image]
    if words.package:
        archives.append(images.proxima(words.package.resolve()))
    if words.e2e_images:
        archives += e2e.archives()
    cluster = Cluster(shape)
    cluster.up(words.proxy, archives,
               lambda text: print(f"cluster: {time.monotonic() - began:4.0f} s  {text}", flush=True))
    print(f"cluster: ready after {time.monotonic() - began:.0f} s. Try:\n"
          "  tools/cluster kubectl get nodes -L topology.kubernetes.io/zone\n"
          "  make cluster-down")


def run_suite(words):
    """Exits with 1 when a spec failed."""
    cluster, failed = Cluster.current(), 0
    groups = {"conformance": e2e.CONFORMANCE} if words.conformance else {
        name: e2e.GROUPS[name] for name in words.group or e2e.GROUPS}
    specs = []
    for name, focus in groups.items():
        for part, skip, processes in ((name, f"{e2e.SKIP}|{e2e.ALONE}", words.processes),
                                      *(((f"{name}-alone", e2e.SKIP, 1),) if not words.conformance else ())):
            began = time.monotonic()
            chosen = focus if processes > 1 else f"({focus}).*({e2e.ALONE})"
            ran = e2e.run_group(cluster, words.folder.resolve() / part, chosen, skip, processes)
            bad = [spec for spec in ran if spec.status != "passed"]
            failed += len(bad)
            specs += ran
            print(f"{part}: {len(ran) - len(bad)} of {len(ran)} passed in {time.monotonic() - began:.0f} s", flush=True)
            for spec in bad:
                print(f"  {spec.status}: {spec.name}\n    {spec.why}", flush=True)
    e2e.write_results(words.folder / "specs.json", specs)
    return 1 if failed else 0


def replace_process(words):
    os.execvp(words[0], [str(word) for word in words])


def main():
    words = parse()
    if os.geteuid() != 0:
        raise PermissionError("a cluster needs namespaces and mounts: run it as root")
    if words.verb == "up":
        up(words)
    elif words.verb == "e2e":
        sys.exit(run_suite(words))
    elif words.verb == "down":
        print("cluster: removed" if remove() else "cluster: there was none")
    elif words.verb == "kubectl":
        replace_process(Cluster.current().control_plane.kubectl_words(*foreign_words()))
    else:
        replace_process(Cluster.current().node(words.node).words(*(foreign_words() or ["bash"])))


try:
    main()
except (LookupError, PermissionError, ValueError, RuntimeError, AssertionError, Unavailable) as failure:
    sys.exit(f"cluster: {failure}")
