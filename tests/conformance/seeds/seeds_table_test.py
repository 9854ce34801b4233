#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every statement of the five documents has evidence that exists, of a kind that can show it, and
docs/seeds.md says so."""
import re
import subprocess
import sys
from pathlib import Path

import seeds_page
import statements as table

ROOT = Path(__file__).resolve().parents[3]
SCENARIOS = ROOT / "tests" / "system" / "controller" / "controller_scenarios_test.py"
STATEMENTS_COUNT = 149
INDEX_ROW = re.compile(r"^\| `(\w+)` \| ", re.MULTILINE)
DIFFERENCE_ROW = re.compile(r"^\| `([\w-]+)` \| ", re.MULTILINE)
GOOGLE_TEST = re.compile(r"[A-Z]\w+\.[A-Z]\w+")
SOURCES = (".py", ".txt", ".cc", ".h")


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def sources_of(test):
    """The text of the folder of a script that is a test, or of the variants of one."""
    for script in (ROOT / "tests").rglob("*.py"):
        if test == script.stem or test.startswith(script.stem + "_"):
            files = sorted(file for file in script.parent.rglob("*") if file.suffix in SOURCES)
            # Sentences may go on in the next line of a source.
            return re.sub(r'"\s*\n\s*"', "", "\n".join(file.read_text(encoding="utf-8")
                                                       for file in files))
    return ""


def google_tests():
    return {f"{suite}.{name}" for folder in ("src", "tests") for file in (ROOT / folder).rglob("*_test.cc")
            for suite, name in re.findall(r"\bTEST(?:_F|_P)?\((\w+), (\w+)\)",
                                          file.read_text(encoding="utf-8"))}


def scenarios_on(server):
    """Titles of the controller's scenarios that run on the real or the embedded API server."""
    listed = subprocess.run([sys.executable, SCENARIOS, "--list", "--server", server],
                            capture_output=True, text=True, check=True).stdout
    return set(listed.splitlines())


class Evidence:
    """What can be looked up."""

    def __init__(self):
        self.embedded_only = scenarios_on("embedded") - scenarios_on("real")
        self.index = set(INDEX_ROW.findall(text_of("tests/README.md")))
        self.google = google_tests()
        self.sources = {}

    def has_case(self, test, case):
        if GOOGLE_TEST.fullmatch(case):
            return case in self.google
        if test not in self.sources:
            self.sources[test] = sources_of(test)
        if case in self.embedded_only and test.endswith("_real"):
            return False
        # The stories of packets are functions, and their names are their titles.
        return (f'"{case}"' in self.sources[test] or
                f"def {case.replace(' ', '_')}(" in self.sources[test])

    def fault(self, evidence):
        """What is wrong with one piece of evidence, or None."""
        source, _, case = evidence.partition(": ")
        if source.startswith("docs/"):
            is_there = (ROOT / source).is_file() and case in text_of(source)
            return None if is_there else f'{source} does not say "{case}"'
        if source not in self.index:
            return f"{source} is not a test of tests/README.md"
        if source not in table.KINDS:
            return f"what runs in {source} is not in KINDS"
        return None if self.has_case(source, case) else f'{source} has no case "{case}"'


def kinds_of(statement):
    found = set()
    for evidence in statement.evidence:
        source = evidence.partition(": ")[0]
        found.update({"document"} if source.startswith("docs/") else table.KINDS.get(source, ()))
    return found


def findings():
    numbers = [statement.number for statement in table.STATEMENTS]
    if numbers != list(range(1, STATEMENTS_COUNT + 1)):
        yield f"the statements are not numbered from 1 to {STATEMENTS_COUNT}: {numbers}"
    evidence, differences = Evidence(), set(DIFFERENCE_ROW.findall(text_of("docs/differences.md")))
    for statement in table.STATEMENTS:
        for one in statement.evidence:
            if fault := evidence.fault(one):
                yield f"{statement.number}: {fault}"
        if statement.differs and statement.differs not in differences:
            yield f"{statement.number}: docs/differences.md has no {statement.differs}"
        if statement.number in table.TO_BE_NAMED:
            yield f"{statement.number}: its evidence is still to be named: {statement.sentence}"
        elif not kinds_of(statement) & table.SHOWS[statement.about]:
            yield f"{statement.number}: nothing of it runs with {' or '.join(table.SHOWS[statement.about])}"
    if text_of("docs/seeds.md") != seeds_page.page():
        yield "docs/seeds.md is not what statements.py makes; make docs brings it up to date"


def main():
    found = list(findings())
    print(*found, f"seeds_table_test: {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
