#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The differences that the comparison excuses are those that docs/differences.md lists."""
import pathlib
import re
import sys

from differences import differences

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "differences.md"


def main():
    text = PAGE.read_text(encoding="utf-8")
    part = text.partition("## In the slices of a cluster at rest")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([^`]+)`", part, re.MULTILINE)
    known = [row.name for row in differences()]
    if listed != known:
        print(f"docs/differences.md lists {listed}, the comparison knows {known}")
        return 1
    said = text.partition("## What pins them")[0]
    names = re.findall(r"^\| `([^`]+)`", said, re.MULTILINE)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        print(f"listed twice: {sorted(twice)}")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
