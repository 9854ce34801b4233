#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints docs/seeds.md, made from statements.py."""
import statements as table

HEAD = """# The five documents, statement by statement

Proxima was made from five documents, which make {count} statements that can be tested:

{documents}

Each row below is one of them in our words, with a mark and the test that shows it with the real thing: packets through a
kernel, or API servers, controllers and proxies at work.

- *works*: as the document says;
- *different*: otherwise on purpose, and [differences.md](differences.md#in-what-is-asked-for) says why;
- *documented*: it is about what users are told, and the link leads to the page.

`make test T=NAME` runs a test; [tests/README.md](../tests/README.md) lists all of them. What runs in those named here:

| test | what runs |
|---|---|
{tests}

Scenarios of `controller_scenarios_test_real` run on the embedded API server as well.

This page is made from `tests/conformance/seeds/statements.py` by `make docs`. `seeds_table_test` checks that it is up to date
and that every test, case and page named here exists.
"""


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*")


def mark_of(statement):
    if statement.differs:
        return f"[different](differences.md#in-what-is-asked-for): `{statement.differs}`"
    if statement.about == table.DOCUMENT:
        return "documented"
    return "works" if statement.evidence else "to be shown"


def shown(evidence):
    source, _, case = evidence.partition(": ")
    if source.startswith("docs/"):
        page = source.removeprefix("docs/")
        return f"[{page}]({page})"
    return f"`{source}`: {cell(case)}"


def page():
    lines = [HEAD.format(
        documents="\n".join(f"- {title}" for title in table.DOCUMENTS.values()),
        count=len(table.STATEMENTS),
        tests="\n".join(f"| `{name}` | {', '.join(kinds)} |" for name, kinds in table.KINDS.items()))]
    for name, title in table.DOCUMENTS.items():
        lines += [f"## {title}", "", "| # | statement | mark | shown by |", "|--:|---|---|---|"]
        for statement in table.STATEMENTS:
            if statement.document() != name:
                continue
            evidence = dict.fromkeys(shown(one) for one in statement.evidence)
            lines.append(f"| {statement.number} | {statement.sentence.replace('|', '/')} | "
                         f"{mark_of(statement)} | {'; '.join(evidence)} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
