#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reference/limits.md is what the program prints: limits_page_test.py PROGRAM."""

import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "limits.md"


def main(program):
    printed = subprocess.run([program, "limits", "-o", "markdown"], check=True,
                             capture_output=True, text=True).stdout
    if PAGE.read_text(encoding="utf-8") == printed:
        return 0
    print(f"{PAGE.name} is stale: proxima limits -o markdown > docs/reference/limits.md")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
