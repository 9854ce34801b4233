# SPDX-License-Identifier: Apache-2.0
"""The commands of a Markdown page: its ```sh blocks, and what the page says about running them.

Before a block, a comment may say that it is not run, and why:

    <!-- not run: needs a node whose kube-proxy may be stopped -->

Anywhere in a page, a comment asks for a cluster: an API server that holds examples/three-zones.yaml,
with the controller at work, is there for all of the page's blocks, and KUBECONFIG leads to it. With
a node proxy, the page's commands run on node a1, whose proxy is proxima's.

    <!-- commands have: a cluster -->
    <!-- commands have: a cluster and a node proxy -->

Or a lab: `proxima up` runs, as in another terminal, and nothing is set in this one.

    <!-- commands have: a lab -->
"""
import dataclasses
import re

NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")
CLUSTER = "<!-- commands have: a cluster -->"
NODE = "<!-- commands have: a cluster and a node proxy -->"
LAB = "<!-- commands have: a lab -->"
OTHER_NAMES = ("bash", "shell", "console", "zsh")


@dataclasses.dataclass
class Block:
    line: int  # of its first command, from 1
    text: str
    not_run: str | None  # the reason


@dataclasses.dataclass
class Page:
    path: str
    blocks: list[Block]
    needs_cluster: bool
    needs_proxy: bool
    needs_lab: bool
    faults: list[str]


def read_page(path, text):
    blocks, faults, reason, start, language = [], [], None, None, None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("```"):
            start, language = number, line[3:].strip()
            if language in OTHER_NAMES:
                faults.append(f"{path}:{number}: commands are in ```sh blocks, not ```{language}")
        elif start is not None and line.startswith("```"):
            if language == "sh":
                blocks.append(Block(start + 1, "\n".join(lines[start:number - 1]), reason))
            start, reason = None, None
        elif start is None and line.strip():
            found = NOT_RUN.fullmatch(line.strip())
            reason = found.group(1) if found else None
    if start is not None:
        faults.append(f"{path}:{start}: the block has no end")
    return Page(path, blocks, needs_cluster=CLUSTER in text or NODE in text,
                needs_proxy=NODE in text, needs_lab=LAB in text, faults=faults)


def script_of(page):
    """A bash script of all blocks that are run. Descriptor 3 gets the line of each as it begins."""
    parts = ["set -euo pipefail"]
    for block in page.blocks:
        if block.not_run is None:
            parts.append(f"echo {block.line} >&3\n{block.text}")
    return "\n".join(parts) + "\n"
