# SPDX-License-Identifier: Apache-2.0
"""The bill of materials in package, tarball and image: complete, of this program, and repeatable."""
import hashlib
import json
import re
import subprocess
import tarfile
import unittest
from pathlib import Path

import built

PLACE = "share/doc/proxima/sbom.spdx.json"


def unpacked(package, target):
    if package.suffix == ".deb":
        built.run("dpkg-deb", "--extract", package, target)
    else:
        with tarfile.open(package) as archive:
            archive.extractall(target)
    (program,) = (path for path in target.rglob("bin/proxima") if not path.is_symlink())
    return program


def related(document, kind):
    names = {one["SPDXID"]: one["name"] for one in document["packages"]}
    return {names[one["relatedSpdxElement"]] for one in document["relationships"]
            if one["relationshipType"] == kind}


class BillOfMaterials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = {kind: unpacked(package, built.folder / f"bill-{kind}")
                        for kind, package in (("deb", built.debian), ("tarball", built.tarball))}
        cls.documents = {kind: json.loads((program.parents[1] / PLACE).read_text())
                         for kind, program in cls.programs.items()}

    def test_it_is_of_the_program_beside_it(self):
        for kind, document in self.documents.items():
            (main,) = (one for one in document["packages"] if one["SPDXID"] == "SPDXRef-program-proxima")
            digest = hashlib.sha256(self.programs[kind].read_bytes()).hexdigest()
            self.assertEqual(main["checksums"], [{"algorithm": "SHA256", "checksumValue": digest}], kind)
            self.assertEqual(main["versionInfo"], built.version())

    def test_every_library_that_the_program_loads_is_in_it(self):
        loaded = re.findall(r"(/\S+) \(0x", built.run("ldd", self.programs["deb"]))
        names = {name for path in loaded for name in (path, "/usr" + path, str(Path(path).resolve()))}
        # Of the names that a file has, dpkg knows one; it exits with 1 for the others.
        told = subprocess.run(["dpkg-query", "--search", *sorted(names)], capture_output=True, text=True).stdout
        owners = {line.split(":")[0] for line in told.splitlines()}
        self.assertIn("libssl3", owners)
        self.assertEqual(related(self.documents["deb"], "DYNAMIC_LINK"), owners)

    def test_what_is_compiled_or_bundled_into_it_is_in_it(self):
        for document in self.documents.values():
            self.assertLessEqual({"libcli11-dev", "libboost1.81-dev", "libstdc++-12-dev"},
                                 related(document, "STATIC_LINK"))
            self.assertLessEqual({"preact", "uplot", "d3-scale"}, related(document, "CONTAINS"))
            self.assertNotIn("esbuild", related(document, "CONTAINS"), "it bundles, and is not bundled")

    def test_versions_are_those_of_this_machine_and_of_the_lock(self):
        packages = {one["name"]: one for one in self.documents["deb"]["packages"]}
        told = built.run("dpkg-query", "--show", "--showformat=${Version}", "libssl3")
        self.assertEqual(packages["libssl3"]["versionInfo"], told)
        locked = json.loads((built.PROJECT / "ui/live/package-lock.json").read_text())["packages"]
        preact = locked["node_modules/preact"]
        self.assertEqual(packages["preact"]["versionInfo"], preact["version"])
        self.assertEqual(packages["preact"]["checksums"][0]["algorithm"], "SHA512")

    def test_it_has_what_spdx_asks_for(self):
        for document in self.documents.values():
            self.assertEqual((document["spdxVersion"], document["SPDXID"], document["dataLicense"]),
                             ("SPDX-2.3", "SPDXRef-DOCUMENT", "CC0-1.0"))
            self.assertRegex(document["documentNamespace"], r"^urn:uuid:[0-9a-f-]{36}$")
            self.assertEqual(document["creationInfo"]["created"], "2024-01-01T00:00:00Z")
            names = [one["SPDXID"] for one in document["packages"]]
            self.assertEqual(len(names), len(set(names)))
            for name in names:
                self.assertRegex(name, r"^SPDXRef-[A-Za-z0-9.-]+$")
            for relation in document["relationships"]:
                self.assertIn(relation["relatedSpdxElement"], names)

    def test_it_is_the_same_when_it_is_made_again(self):
        again = built.pack("DEB", built.folder / "bill-again")
        program = unpacked(again, built.folder / "bill-again-root")
        self.assertEqual((program.parents[1] / PLACE).read_text(),
                         (self.programs["deb"].parents[1] / PLACE).read_text())

    def test_the_image_has_one_of_all_that_is_in_it(self):
        root = built.folder / "bill-image"
        built.run(built.PROJECT / "packaging/image-root", built.debian, root)
        document = json.loads((root / "usr/share/doc/proxima/image.spdx.json").read_text())
        records = {path.name for path in (root / "var/lib/dpkg/status.d").iterdir()}
        contained = related(document, "CONTAINS")
        self.assertLessEqual(records - {"proxima"}, contained)
        self.assertLessEqual({"ca-certificates", "libc6", "preact"}, contained)
