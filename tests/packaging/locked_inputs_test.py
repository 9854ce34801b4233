#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is fetched from package indexes is what was fetched when it was reviewed: every package has a
version and a hash, and the programs that fetch them are told to insist on both."""
import json
import pathlib
import re
import subprocess
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def files(*patterns):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                            cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return [PROJECT / name for name in listed.splitlines()]


def requirements(text):
    """Each with its hashes, continued lines joined."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    return [line for line in joined.splitlines() if line and not line.startswith("#")]


class LockedInputs(unittest.TestCase):
    def test_python_packages_have_a_version_and_hashes(self):
        found = files("*requirements*.txt")
        self.assertTrue(found)
        for file in found:
            for line in requirements(file.read_text()):
                self.assertRegex(line, r"^[A-Za-z0-9_.-]+==\S+ ", file)
                self.assertRegex(line, HASH, file)

    def test_pip_insists_on_the_hashes(self):
        for file in files("*.py", "tools/*", "Makefile"):
            if file == pathlib.Path(__file__).resolve() or not file.is_file():
                continue
            text = file.read_text(errors="replace")
            for call in re.findall(r'"pip", "install".*', text):
                self.assertTrue("--require-hashes" in call or "--dry-run" in call, f"{file}: {call}")

    def test_npm_packages_have_a_version_and_a_hash(self):
        for file in files("*package-lock.json"):
            lock = json.loads(file.read_text())
            wanted = json.loads((file.parent / "package.json").read_text())
            for group in ("dependencies", "devDependencies"):
                for name, version in wanted.get(group, {}).items():
                    self.assertRegex(version, r"^\d+\.\d+\.\d+$", name)
            for name, package in lock["packages"].items():
                if name:
                    self.assertRegex(package["integrity"], r"^sha512-[A-Za-z0-9+/]+=*$", name)

    def test_npm_installs_what_the_lock_says(self):
        script = (PROJECT / "cmake/LivePage.cmake").read_text()
        self.assertIn("${NPM} ci ", script)
        self.assertNotRegex(script, r"\$\{NPM\} (i|install)\b")

    def test_every_go_module_has_its_sums(self):
        for module in files("*go.mod"):
            names = re.findall(r"(?m)^\s*(?:require )?(\S+) v\S+", module.read_text())
            sums = module.with_name("go.sum")
            self.assertTrue(sums.is_file() or not names, f"{sums} is missing")
            for line in sums.read_text().splitlines() if sums.is_file() else []:
                self.assertRegex(line, r"^\S+ v\S+ h1:[A-Za-z0-9+/]{43}=$", sums)

    def test_go_is_not_told_to_overlook_them(self):
        for file in files("tools/*", "tests/*.py", "tests/*.sh", "bench/*", "Makefile"):
            if file == pathlib.Path(__file__).resolve() or file.suffix == ".sum" or not file.is_file():
                continue
            for word in ("GONOSUM" + "DB", "GONOSUM" + "CHECK", "GOINSECURE", "GOSUMDB=off"):
                self.assertNotIn(word, file.read_text(errors="replace"), file)


if __name__ == "__main__":
    unittest.main()
