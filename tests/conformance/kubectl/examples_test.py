#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The clusters in examples/ are objects that any API server takes from kubectl, and what
proxima reads in a dump of the server is what it reads in the file.

  examples_test.py --server real|embedded --program PROXIMA
Exits with 77 and the reason when a program is not to be had.
"""
import argparse
import pathlib
import subprocess
import sys
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
from peers import servers

SKIPPED = 77
COMMAND_SECONDS_MAX = 60
# By which kubectl each is given. The others in the folder are scenarios of `proxima up`.
EXAMPLES = {"three-zones.yaml": "kubectl", "two-one-one.yaml": "kubectl-1.32"}
options = None  # set by main


def objects(path):
    """kind and name of every object of a file."""
    for document in yaml.safe_load_all(path.read_text()):
        kind = document["kind"].lower()
        for item in document.get("items", [document]):
            yield f"{kind.removesuffix('list')}/{item['metadata']['name']}"


def namespaces(path):
    return [document["metadata"]["name"] for document in yaml.safe_load_all(path.read_text())
            if document["kind"] == "Namespace"]


class Examples(unittest.TestCase):
    def server(self):
        if options.server == "real":
            return servers.real_server()
        return servers.embedded_server(options.program)

    def run_program(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=COMMAND_SECONDS_MAX)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done.stdout

    def check(self, kubectl, path):
        with self.server() as endpoint:
            speak = (servers.peer(kubectl), "--kubeconfig", endpoint.kubeconfig)
            for words, outcome in ((("apply",), "created"),
                                   (("replace", "--subresource=status"), "replaced"),
                                   # Replacing took kubectl's note of what was applied along.
                                   (("apply",), "configured")):
                told = self.run_program(*speak, *words, "-f", path)
                self.assertEqual(sorted(told.splitlines()),
                                 sorted(f"{name} {outcome}" for name in objects(path)))
            # Without slices: a real server has one of its own, and then none are derived from Pods.
            dump = endpoint.kubeconfig.parent / "dump.json"
            dump.write_text(self.run_program(*speak, "get", "nodes,namespaces,services,pods", "-A",
                                             "-o", "json"))
            for space in namespaces(path):
                compare = (options.program, "compare", "-n", space, "-f")
                self.assertEqual(self.run_program(*compare, dump),
                                 self.run_program(*compare, path))

    def test_kubectl_applies_them_and_proxima_reads_them_back(self):
        for name, kubectl in EXAMPLES.items():
            with self.subTest(kubectl=kubectl, example=name):
                self.check(kubectl, ROOT / "examples" / name)

    def test_every_cluster_of_the_folder_is_among_them(self):
        clusters = [path.name for path in sorted((ROOT / "examples").glob("*.yaml"))
                    if any("kind" in document
                           for document in yaml.safe_load_all(path.read_text()))]
        self.assertEqual(clusters, list(EXAMPLES))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=("real", "embedded"), required=True)
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    try:
        for program in (*EXAMPLES.values(), *("kube-apiserver", "etcd") * (options.server == "real")):
            servers.peer(program)
    except servers.Unavailable as why:
        print(why)
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *rest])
