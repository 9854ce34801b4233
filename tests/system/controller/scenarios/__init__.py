# SPDX-License-Identifier: Apache-2.0
"""Scenarios of the controller: each a sentence and the steps that show that it is true."""
import dataclasses

ALL = []


@dataclasses.dataclass
class Scenario:
    sentence: str
    run: object  # World → None; AssertionError when it is not so
    flags: tuple = ()  # of the controller
    ours_alone: bool = False  # upstream does otherwise


def scenario(sentence, flags=(), ours_alone=False):
    def keep(function):
        ALL.append(Scenario(sentence, function, tuple(flags), ours_alone))
        return function
    return keep


def everything():
    from . import (endpoints, hints, labels, mirroring, modes, ports,  # noqa: F401  they fill ALL
                   told)
    return ALL
