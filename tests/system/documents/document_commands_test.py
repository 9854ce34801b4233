#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that our documents show: document_commands_test.py PROGRAM [PAGE…].

Every ```sh block of README.md, CONTRIBUTING.md, ui/live/README.md and docs/ is run, in order, in a
folder of its own, unless a comment before it says why not (page_commands.py). Few may be: NOT_RUN_MAX.
"""
import sys
import time
from pathlib import Path

import page_commands as commands
from testbed import own_namespace
from testbed import sandbox

ROOT = Path(__file__).resolve().parents[3]
NOT_RUN_MAX = 10
LINES_SHOWN = 25


def pages(names):
    if names:
        return [Path(name).resolve() for name in names]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ui" / "live" / "README.md",
            *sorted((ROOT / "docs").rglob("*.md"))]


def run(page, program):
    """What went wrong with the commands of a page; nothing when all is well."""
    if page.faults or all(block.not_run for block in page.blocks):
        return page.faults
    if page.needs_proxy and not own_namespace.is_inside():
        print(f"not shown: the commands of {page.path}, which need a node proxy")
        return []
    script = commands.script_of(page)
    missing = sandbox.missing_programs(script)
    if missing:
        print(f"not shown: the commands of {page.path}; there is no {' and no '.join(missing)} here "
              "(make peers builds kubectl and helm)")
        return []
    started = time.monotonic()
    code, begun, output = sandbox.run_page(page, script, program)
    ran = len([block for block in page.blocks if block.not_run is None])
    if code == 0:
        print(f"{page.path}: {ran} blocks, {time.monotonic() - started:.1f} s")
        return []
    tail = "\n".join("    " + line for line in output.splitlines()[-LINES_SHOWN:])
    return [f"{page.path}:{begun[-1] if begun else '?'}: exit {code}\n{tail}"]


def main(arguments):
    if not arguments:
        print(__doc__)
        return 2
    why_not = own_namespace.move_inside()
    if why_not:
        print(f"no network namespace of its own here: {why_not}")
    program = str(Path(arguments[0]).resolve())
    findings, skipped = [], []
    for file in pages(arguments[1:]):
        page = commands.read_page(file.relative_to(ROOT).as_posix(),
                                  file.read_text(encoding="utf-8"))
        findings += run(page, program)
        skipped += [f"not run: {page.path}:{block.line}: {block.not_run}"
                    for block in page.blocks if block.not_run]
    print(*skipped, *findings, sep="\n")
    print(f"documents: {len(skipped)} blocks not run, {len(findings)} findings")
    if len(skipped) > NOT_RUN_MAX:
        print(f"at most {NOT_RUN_MAX} blocks may be left out")
    return 1 if findings or len(skipped) > NOT_RUN_MAX else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
