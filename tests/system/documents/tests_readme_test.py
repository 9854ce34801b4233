#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/README.md lists every test of ctest with its labels, and no other: tests_readme_test.py
BUILD_FOLDER.

Every file *_test.py, *_test.mjs and *_test.sh below tests/ is also a test, called as the file is.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
INDEX = TESTS / "README.md"
# | `name` | what it proves | `make test T=name` | seconds | labels |
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| `make test T=(\w+)` \| ([\d.<]+|–) \| ([\w, -]+) \|$",
                 re.MULTILINE)
NOT_SHOWN = {"no-sanitizer", "threads"}  # they choose for sanitizers, and say nothing to a reader


def tests_of(build):
    """Name → labels, as ctest knows them."""
    told = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for test in json.loads(told[told.index("{"):])["tests"]:
        labels = next(one["value"] for one in test["properties"] if one["name"] == "LABELS")
        found[test["name"]] = set(labels) - NOT_SHOWN
    return found


def findings(build):
    tests, rows = tests_of(build), {}
    for name, command, _, labels in ROW.findall(INDEX.read_text(encoding="utf-8")):
        if name != command:
            yield f"{name}: its command runs {command}"
        if name in rows:
            yield f"{name}: listed twice"
        rows[name] = set(labels.split(", "))
    for name in sorted(tests.keys() | rows.keys()):
        if name not in rows:
            yield f"{name}: not in tests/README.md"
        elif name not in tests:
            if rows[name] != {"packaging"}:  # only a release is packed
                yield f"{name}: in tests/README.md, but not a test"
        elif rows[name] != tests[name]:
            yield f"{name}: has the labels {sorted(tests[name])}, not {sorted(rows[name])}"
    for file in sorted(TESTS.rglob("*_test.*")):
        if file.suffix in (".py", ".mjs", ".sh") and not any(
                name == file.stem or name.startswith(file.stem + "_") for name in rows):
            yield f"{file.relative_to(TESTS)}: no test is called {file.stem}"


def main():
    found = list(findings(sys.argv[1]))
    print(*found, f"tests_readme_test: {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
