# SPDX-License-Identifier: Apache-2.0
"""`kubectl proxima`, with the real kubectl and the program as it is installed."""
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import unittest
from pathlib import Path

import yaml

import built
from peers import servers

EXAMPLE = built.PROJECT / "examples/three-zones.yaml"


def find_kubectl():
    try:
        return str(servers.peer("kubectl"))
    except servers.Unavailable:
        return shutil.which("kubectl")


class Plugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kubectl_path = find_kubectl()
        cls.root = built.folder / "plugin"
        built.run("dpkg-deb", "--extract", built.debian, cls.root)
        cls.programs = cls.root / "usr/bin"
        if not cls.kubectl_path:
            print("not shown: kubectl proxima; there is no kubectl here (make peers)")

    def kubectl(self, *words, **variables):
        """What `kubectl …` did; None when there is no kubectl."""
        if not self.kubectl_path:
            return None
        path = f"{self.programs}:{os.environ['PATH']}"
        return subprocess.run([self.kubectl_path, *map(str, words)], capture_output=True, text=True,
                              timeout=60, env={**os.environ, "PATH": path, **variables})

    def test_kubectl_lists_it(self):
        done = self.kubectl("plugin", "list")
        if done:
            self.assertIn(str(self.programs / "kubectl-proxima"), done.stdout, done.stderr)

    def test_its_answers_are_the_programs(self):
        words = ["explain", "service/shop/search", "--from-node", "a1", "-f", str(EXAMPLE)]
        done = self.kubectl("proxima", *words)
        if done:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, built.run(self.programs / "proxima", *words))

    def test_its_help_says_how_it_is_called(self):
        done = self.kubectl("proxima", "plan", "--help")
        if done:
            self.assertIn("\n  kubectl proxima plan [SERVICE...] [flags]\n", done.stdout)
            self.assertIn("\n  kubectl proxima plan -f dump.json -o json\n", done.stdout)
            self.assertNotRegex(done.stdout, r"(?m)^  proxima ")

    def test_a_mistake_is_answered_in_the_same_words(self):
        done = self.kubectl("proxima", "plan", "--flie", "x")
        if done:
            self.assertEqual(done.returncode, 2)
            self.assertIn("unknown flag: --flie", done.stderr)
            self.assertIn("See 'kubectl proxima plan --help'.", done.stderr)

    def test_it_reads_the_cluster_that_kubectl_speaks_to(self):
        with servers.embedded_server(self.programs / "proxima") as endpoint:
            done = self.kubectl("proxima", "plan", "-o", "json", KUBECONFIG=str(endpoint.kubeconfig))
            if done:
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([item["name"] for item in json.loads(done.stdout)["items"]
                                  if item["name"] != "kubernetes"], [])

    def completed(self, *words):
        done = self.kubectl("__complete", "proxima", *words)
        return None if done is None else [line.split("\t")[0] for line in done.stdout.splitlines()]

    def test_kubectl_completes_its_commands_flags_and_values(self):
        for words, offered in ((["pl"], ["plan", ":4"]),
                               (["plan", "--str"], ["--strict", ":4"]),
                               (["plan", "-o", "j"], ["json", ":4"]),
                               (["plan", "-f", ""], [":0"])):
            with self.subTest(words=words):
                found = self.completed(*words)
                if found is not None:
                    self.assertEqual(found, offered)


class Krew(unittest.TestCase):
    def test_the_manifest_names_what_is_in_the_tarball(self):
        uri = "https://example.com/proxima.tar.gz"
        manifest = yaml.safe_load(built.run(built.PROJECT / "packaging/krew/manifest",
                                            built.tarball, uri))
        platform, = manifest["spec"]["platforms"]
        self.assertEqual(manifest["spec"]["version"], "v" + built.version())
        self.assertEqual(platform["uri"], uri)
        self.assertEqual(platform["sha256"], hashlib.sha256(built.tarball.read_bytes()).hexdigest())
        with tarfile.open(built.tarball) as archive:
            names = set(archive.getnames())
        for file in platform["files"]:
            self.assertIn(file["from"], names)
        self.assertEqual(Path(platform["files"][0]["from"]).name, platform["bin"])
