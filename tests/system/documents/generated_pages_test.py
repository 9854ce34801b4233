#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference pages say what the program and its sources say: generated_pages_test.py PROGRAM."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "docs" / "reference"
PROGRAM = ""  # set by main


def page(name):
    return (REFERENCE / name).read_text(encoding="utf-8")


def source(path):
    return (ROOT / "src" / path).read_text(encoding="utf-8")


def words_of(text):
    """Everything in back quotes."""
    return set(re.findall(r"`([^`\n]+)`", text))


class Reference(unittest.TestCase):
    maxDiff = None

    def test_the_command_line_is_what_the_program_prints(self):
        printed = subprocess.run([PROGRAM, "man", "-o", "markdown"], capture_output=True, text=True,
                                 check=True, timeout=60).stdout
        self.assertEqual(page("cli.md"), printed, "make docs brings it up to date")

    def test_every_annotation_and_label_is_told(self):
        names = set(re.findall(r'k\w+(?:Label|Annotation) =\s*"([^"]+)"',
                               source("core/model/labels.h")))
        self.assertGreater(len(names), 10)
        self.assertEqual({name for name in names if name not in page("annotations.md")}, set())

    def test_every_policy_is_told(self):
        told = page("annotations.md")
        row = next(line for line in page("cli.md").splitlines() if "`--default-policy`" in line)
        names = re.findall(r"[a-z]+(?:-[a-z]+)*", row.partition("themselves: ")[2])
        self.assertGreater(len(names), 6)
        self.assertEqual([name for name in names if f"`{name}`" not in told], [])

    def test_every_field_of_the_proxys_configuration_is_told(self):
        told = page("configuration.md")
        fields = set(re.findall(r'"([a-z]\w+)"', re.search(
            r"known_sections\(\) \{.*?\n\}", source("proxy/parse_config.cc"), re.DOTALL).group(0)))
        # Those of modes that are not ours are told as a whole.
        fields -= {"apiVersion", "kind", "localhostNodePorts", "scheduler", "excludeCIDRs",
                   "strictARP", "tcpTimeout", "tcpFinTimeout"}
        self.assertEqual({field for field in fields if not re.search(rf"\b{field}\b", told)}, set())

    def test_every_flag_that_is_a_field_is_told_beside_it(self):
        told = page("configuration.md")
        rows = re.findall(r'\{"(--[\w-]+)[^"]*", [^{}]*?"([a-z]\w*(?:\.\w+)?)", k\w+,',
                          source("cli/proxy_flags.cc"))
        self.assertGreater(len(rows), 20)
        for flag, field in rows:
            line = next((row for row in told.splitlines() if f"`{field}`" in row), "")
            self.assertIn(f"`{flag}`", line, field)

    def test_no_metric_is_told_that_the_sources_do_not_have(self):
        sources = "\n".join(file.read_text(encoding="utf-8") for file in
                            (ROOT / "src").rglob("*.[ch]*") if not file.stem.endswith("_test"))
        names = [name for name in words_of(page("metrics.md")) if re.fullmatch(r"[a-z_]+", name)]
        self.assertGreater(len(names), 50)
        # Upstream's are put together of a prefix and the rest.
        prefix = re.compile(r"^(kubeproxy|endpoint_slice(_mirroring)?_controller)_")
        unknown = [name for name in names if f'"{prefix.sub("", name)}"' not in sources]
        self.assertEqual(unknown, [])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
