# SPDX-License-Identifier: Apache-2.0
"""Where the embedded server differs from the real one on purpose, and why.

`case`, `step` and `field` are patterns of fnmatch. A row that no answer needs any more is an error:
the table says what is true, not what once was.
"""
import dataclasses
import fnmatch


@dataclasses.dataclass
class Difference:
    case: str
    step: str
    field: str
    why: str
    used: bool = False

    def covers(self, case, step, field):
        return all(fnmatch.fnmatchcase(text, pattern) for text, pattern in
                   ((case, self.case), (step, self.step), (field, self.field)))


DIFFERENCES = [
]


def is_deliberate(case, step, field):
    rows = [row for row in DIFFERENCES if row.covers(case, step, field)]
    for row in rows:
        row.used = True
    return bool(rows)
