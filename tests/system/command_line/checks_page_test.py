#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/check.md is what the program prints, and its links lead somewhere: checks_page_test.py PROGRAM."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "check.md"
PROGRAM = ""  # set by main


def listed(form):
    return subprocess.run([PROGRAM, "check", "--list", "-o", form], check=True,
                          capture_output=True, text=True, timeout=60).stdout


class ChecksPage(unittest.TestCase):
    def test_it_is_what_the_program_prints(self):
        self.assertEqual(PAGE.read_text(encoding="utf-8"), listed("markdown"),
                         "stale: proxima check --list -o markdown > docs/check.md")

    def test_every_check_names_a_page_that_is_there(self):
        checks = json.loads(listed("json"))["items"]
        self.assertGreater(len(checks), 20)
        for check in checks:
            self.assertTrue((ROOT / check["page"]).is_file(), check["id"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
