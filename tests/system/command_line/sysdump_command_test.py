#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`proxima sysdump` as its users meet it: sysdump_command_test.py PROGRAM.

The embedded server gets a made-up cluster with planted secrets. What the archive says is compared with
what kubectl's dump of the same cluster says.
"""
import gzip
import http.server
import io
import json
import os
import pathlib
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

import yaml

from peers import servers
from testbed.waiting import eventually

from live_cluster_test import ORDER, PATHS, Writer

PROGRAM = ""  # set by main
SECRET = "s3cr3t"
NOBODY = "http://127.0.0.1:1"  # where no component listens
EVENTS = "/api/v1/namespaces/{}/events"


def run(*words, folder=None, **options):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, timeout=120, cwd=folder,
                          **options)


def plant(item):
    """Secrets where people keep them."""
    annotations = item["metadata"].setdefault("annotations", {})
    annotations["kubectl.kubernetes.io/last-applied-configuration"] = SECRET
    annotations["example.com/token"] = SECRET
    if item["kind"] == "Pod":
        for container in item["spec"]["containers"]:
            container["image"] = container["name"] + ":" + SECRET
            container["args"] = ["--token", SECRET]
            container["env"] = [{"name": "TOKEN", "value": SECRET}]


def files_of(archive):
    """Path below the archive's folder → text."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {member.name.partition("/")[2]: files.extractfile(member).read().decode()
                for member in files}


class Sysdump(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = run("generate", "--nodes", "9", "--services", "8", "--pods", "60", "--slices",
                   "-o", "json")
        items = sorted(json.loads(made.stdout)["items"], key=lambda item: ORDER.index(item["kind"]))
        cls.server = servers.embedded_server(PROGRAM)
        cls.endpoint = cls.server.__enter__()
        cls.kubeconfig = ("--kubeconfig", cls.endpoint.kubeconfig)
        writer = Writer(cls.endpoint)
        for item in items:
            plant(item)
            writer.create(item)
        for component in ("endpoint-slice-controller", "kubelet"):
            writer.send("POST", EVENTS.format("default"), {
                "metadata": {"name": component, "namespace": "default"}, "reason": "Tried",
                "message": "of " + component, "source": {"component": component},
                "involvedObject": {"kind": "Service", "namespace": "default", "name": "cart"}})
        cls.writer = writer
        cls.service = next(f'{item["metadata"]["namespace"]}/{item["metadata"]["name"]}'
                           for item in items if item["kind"] == "Service")
        cls.node = next(item["metadata"]["name"] for item in items if item["kind"] == "Node")

    @classmethod
    def tearDownClass(cls):
        cls.writer.connection.close()
        cls.server.__exit__(None, None, None)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def collect(self, *words):
        """The archive at standard output."""
        done = run("sysdump", "-o", "-", *self.kubeconfig, "--controller", NOBODY, "--node", NOBODY,
                   *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def dump(self):
        """As `kubectl get … -A -o json` writes it."""
        items = []
        for kind, (group, plural) in PATHS.items():
            listed = self.writer.send("GET", f"{group}/{plural}", None)
            items += [{"kind": kind, "apiVersion": listed["apiVersion"], **item}
                      for item in listed["items"]]
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})

    def test_commands_say_of_it_what_they_say_of_the_cluster(self):
        (self.folder / "dump.json").write_text(self.dump())
        (self.folder / "bug.tar.gz").write_bytes(self.collect())
        for words in (["plan", "-o", "json"], ["plan", "-o", "wide"], ["compare", "-o", "json"],
                      ["compare"], ["migrate"],
                      ["explain", "service/" + self.service, "--from-node", self.node],
                      ["explain", self.service, "--from-zone", "region-1a", "-o", "json"]):
            with self.subTest(words=words):
                by_dump = run(*words, "-f", self.folder / "dump.json")
                by_sysdump = run(*words, "-f", self.folder / "bug.tar.gz", "--strict")
                self.assertEqual(by_sysdump.returncode, 0, by_sysdump.stderr)
                self.assertEqual(by_sysdump.stdout, by_dump.stdout)
                self.assertEqual(by_sysdump.stderr, b"")
                self.assertGreater(len(by_dump.stdout), 100)

    def test_no_secret_is_in_it(self):
        self.assertIn(SECRET, self.dump())
        files = files_of(self.collect())
        for name, text in files.items():
            for word in (SECRET, "managedFields", "last-applied", "image", self.endpoint.admin,
                         str(self.endpoint.kubeconfig)):
                self.assertNotIn(word, text, name)
        self.assertEqual(json.loads(files["cluster/events.json"])["items"][0]["message"],
                         "of endpoint-slice-controller")
        self.assertNotIn("kubelet", files["cluster/events.json"])

    def test_it_says_what_is_in_it_and_what_is_not(self):
        files = files_of(self.collect())
        told = json.loads(files["sysdump.json"])
        self.assertEqual((told["apiVersion"], told["kind"]), ("cli.proxima.io/v1", "Sysdump"))
        self.assertEqual(told["command"],
                         f"proxima sysdump --controller {NOBODY} --node {NOBODY}")
        version = run("version", "-o", "json").stdout
        self.assertEqual(told["version"], json.loads(version)["version"])
        self.assertRegex(told["kubernetes"], r"^v1\.\d+")
        self.assertEqual({file["path"] for file in told["files"]}, set(files) - {"sysdump.json"})
        for file in told["files"]:
            self.assertEqual(file["bytes"], len(files[file["path"]].encode()))
        pods = next(file for file in told["files"] if file["path"] == "cluster/pods.json")
        self.assertEqual(pods["objects"], 60)
        self.assertEqual(json.loads(files["cluster/pods.json"])["kind"], "List")
        self.assertEqual({missing["what"] for missing in told["notCollected"]},
                         {"leases", "controller", "proxy-http---127.0.0.1-1"})

    def test_a_namespace_leaves_the_others_out(self):
        namespace = self.service.partition("/")[0]
        files = files_of(self.collect("-n", namespace))
        for kind in ("services", "pods", "endpointslices"):
            found = {item["metadata"]["namespace"]
                     for item in json.loads(files[f"cluster/{kind}.json"])["items"]}
            self.assertEqual(found, {namespace})
        self.assertEqual(json.loads(files["sysdump.json"])["namespace"], namespace)

    def test_a_file_is_for_its_owner_and_nothing_is_overwritten(self):
        done = run("sysdump", *self.kubeconfig, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        [file] = self.folder.iterdir()
        self.assertRegex(file.name, r"^proxima-sysdump-\d{8}-\d{6}\.tar\.gz$")
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertTrue(done.stdout.decode().startswith(file.name + ": "), done.stdout)
        with tarfile.open(file) as files:
            for member in files:
                self.assertTrue(member.name.startswith(file.name.removesuffix(".tar.gz") + "/"))
                self.assertEqual(member.mode, 0o600)
        (self.folder / "there").write_text("kept")
        (self.folder / "link").symlink_to("nowhere")
        for name in ("there", "link"):
            refused = run("sysdump", *self.kubeconfig, "-o", name, folder=self.folder)
            self.assertEqual((refused.returncode, refused.stdout), (1, b""))
            self.assertIn(b"is there already", refused.stderr)
        self.assertEqual((self.folder / "there").read_text(), "kept")
        self.assertFalse((self.folder / "nowhere").exists())

    def test_components_of_this_cluster_are_asked(self):
        port = servers.free_port()
        log = self.folder / "controller.log"
        with servers.running([PROGRAM, "controller", *map(str, self.kubeconfig), "--leader-elect=false",
                              f"--metrics-bind-address=127.0.0.1:{port}"], log):
            address = f"127.0.0.1:{port}"
            name = self.service.partition("/")[2]

            def files_with_a_plan():
                done = run("sysdump", "-o", "-", *self.kubeconfig, "--controller", address)
                files = files_of(done.stdout)
                return files if name in files.get("controller/debug-plan.txt", "") else None

            files = eventually(files_with_a_plan, "the controller shows its plan",
                               seen=lambda: servers.last_lines(log))
        self.assertIn("proxima_build_info", files["controller/metrics.txt"])
        self.assertIn("ping", files["controller/readyz.txt"])

    def test_it_can_be_repacked_by_tar(self):
        expected = run("plan", "-f", "-", input=self.collect()).stdout
        (self.folder / "bug.tar.gz").write_bytes(self.collect())
        with tarfile.open(self.folder / "bug.tar.gz") as files:
            files.extractall(self.folder / "out")
        for layout in ("gnu", "ustar", "pax"):
            subprocess.run(["tar", "czf", self.folder / f"{layout}.tgz", f"--format={layout}", "-C",
                            self.folder / "out", "."], check=True)
            done = run("plan", "-f", self.folder / f"{layout}.tgz", "--strict")
            self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
        self.assertEqual(run("plan", "-f", self.folder / "out").stdout, expected)


class PartOfACluster(http.server.BaseHTTPRequestHandler):
    """A server that lists some things, forbids others, and breaks."""
    LISTS = {"/api/v1/services": {"metadata": {"namespace": "shop", "name": "cart"},
                                  "spec": {"ports": [{"port": 80}]}},
             "/api/v1/nodes": {"metadata": {"name": "n1"}}}

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/version":
            return self.answer(200, {"gitVersion": "v1.30.0"})
        if path == "/api/v1/namespaces":
            return self.answer(200, {"items": []})
        if path in self.LISTS:
            return self.answer(200, {"kind": "List", "metadata": {}, "items": [self.LISTS[path]]})
        return self.answer(403, {"kind": "Status", "apiVersion": "v1", "status": "Failure",
                                 "reason": "Forbidden", "message": "not \x1b[31mallowed"})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *ignored):
        pass


class Partial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.archive = self.folder / "bug.tar.gz"

    def kubeconfig(self, url):
        file = self.folder / "kubeconfig"
        file.write_text(yaml.safe_dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": url}}],
            "users": [{"name": "u", "user": {}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}]}))
        return file

    def test_what_is_forbidden_is_a_warning_then_and_when_it_is_read(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PartOfACluster)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            done = run("sysdump", "-o", self.archive, "--kubeconfig",
                       self.kubeconfig(f"http://127.0.0.1:{server.server_port}"))
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"warning: the sysdump has no pods: list pods: ", done.stderr)
        self.assertNotIn(b"\x1b[31mallowed", done.stderr)
        planned = run("plan", "-f", self.archive)
        self.assertEqual(planned.returncode, 0, planned.stderr)
        self.assertIn(b"cart", planned.stdout)
        self.assertIn(b"the cluster's endpointslices are missing: list endpointslices: ",
                      planned.stderr)
        self.assertEqual(run("plan", "-f", self.archive, "--strict").returncode, 1)

    def test_where_nothing_can_be_had_no_file_is_left(self):
        port = servers.free_port()
        environment = {**os.environ, "HOME": str(self.folder), "KUBECONFIG": "",
                       "XDG_STATE_HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder)}
        for words, why in ((["--kubeconfig", self.kubeconfig(f"http://127.0.0.1:{port}")],
                            b"nothing of the cluster: "),
                           (["--kubeconfig", self.folder / "missing"], b"missing"),
                           ([], b"nothing of a cluster: ")):
            with self.subTest(words=words):
                done = run("sysdump", "-o", self.archive, "--controller", NOBODY, "--node", NOBODY,
                           *words, env=environment)
                self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
                self.assertIn(why, done.stderr)
                self.assertFalse(self.archive.exists())


def archive_of(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, text in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return out.getvalue()


class Hostile(unittest.TestCase):
    """Archives of strangers: an error in words, soon, and nothing on the disk."""

    def refused(self, data, *wanted):
        with tempfile.TemporaryDirectory() as folder:
            done = run("plan", "-f", "-", input=data, folder=folder)
            self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
            self.assertEqual(os.listdir(folder), [])
        for words in wanted:
            self.assertIn(words, done.stderr)
        self.assertLess(len(done.stderr), 1000)
        return done.stderr

    def test_a_bomb_ends_at_the_limit(self):
        header = tarfile.TarInfo("cluster/pods.json")
        header.size = 2 << 30
        self.refused(gzip.compress(header.tobuf(tarfile.USTAR_FORMAT)), b"1073741824 bytes")
        header.size = 100 << 20
        piece = gzip.compress(header.tobuf(tarfile.USTAR_FORMAT) + bytes(header.size), 1)
        self.refused(piece * 12, b"1073741824 bytes")
        self.assertLess(len(piece), 1 << 20)

    def test_too_many_entries_end_at_the_limit(self):
        self.refused(gzip.compress(archive_of([(f"{i}.txt", b"") for i in range(10_001)])),
                     b"more than 10000 entries")

    def test_damage_is_named(self):
        whole = gzip.compress(archive_of([("a.json", b'{"kind": "Node"}' * 1000)]))
        self.refused(whole[:len(whole) // 2], b"-: ")
        self.refused(gzip.compress(b"kind: Node\n"), b"no tar archive: unpack it first")
        self.refused(b"\x1f\x8b" + b"x" * 1000, b"-: the archive is damaged")

    def test_names_steer_no_terminal_and_lead_nowhere(self):
        stderr = self.refused(gzip.compress(archive_of([("../\x1b[31mup.json", b"{"),
                                                        ("/tmp/abs.json", b"{}")])), b"up.json")
        self.assertNotIn(b"\x1b", stderr)

    def test_a_terminal_gets_no_archive(self):
        main, terminal = os.openpty()
        try:
            done = subprocess.run([PROGRAM, "sysdump", "-o", "-"], stdout=terminal,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        finally:
            os.close(terminal)
            os.close(main)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"an archive is not for a terminal", done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
