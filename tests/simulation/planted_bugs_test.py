#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bugs can still be planted: each guard is in the sources, once, and the table in README.md lists each bug."""

import re
import unittest
from collections import Counter

import planted_bugs
from planted_bugs import BUGS, ROOT


def rows_of_table():
    """The bugs and guards of the table."""
    text = (ROOT / "tests/simulation/README.md").read_text()
    return re.findall(r"^\| ([^|]+) \| `(\S+)`: `((?:\\\||[^|])+)` \|", text, re.MULTILINE)


class PlantedBugs(unittest.TestCase):
    def test_each_guard_is_in_its_file_once(self):
        for bug in BUGS:
            with self.subTest(bug.name):
                text = (ROOT / "src" / bug.file).read_text()
                self.assertEqual(text.count(bug.guard), 1, f"src/{bug.file} has it so often: {bug.guard}")

    def test_each_bug_is_planted_only_when_it_is_asked_for(self):
        for bug in BUGS:
            self.assertIn("PLANTED", bug.becomes, bug.name)

    def test_no_two_bugs_have_one_name_or_one_guard(self):
        for what in ((bug.name for bug in BUGS), ((bug.file, bug.guard) for bug in BUGS)):
            self.assertEqual([thing for thing, count in Counter(what).items() if count > 1], [])

    def test_all_bugs_of_a_file_can_be_planted_at_once(self):
        for file in {bug.file for bug in BUGS}:
            text = planted_bugs.with_bugs(file, (ROOT / "src" / file).read_text())
            numbers = [number for number, bug in enumerate(BUGS, 1) if bug.file == file]
            self.assertEqual(sorted(map(int, re.findall(r"is_planted\((\d+)\)", text))), numbers)

    def test_the_table_lists_each_bug_with_its_guard(self):
        expected = [(bug.name, bug.file, planted_bugs.shown_guard(bug)) for bug in BUGS]
        self.assertEqual(rows_of_table(), expected)


if __name__ == "__main__":
    unittest.main()
