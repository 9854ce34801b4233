# SPDX-License-Identifier: Apache-2.0
"""Scenarios of the controller: each a sentence and the steps that show that it is true."""
import dataclasses

ALL = []


@dataclasses.dataclass
class Scenario:
    sentence: str
    run: object  # World → None; AssertionError when it is not so
    flags: tuple | None = ()  # of the controller; None: it starts controllers itself
    ours_alone: bool = False  # upstream does otherwise
    embedded_alone: bool = False  # a real API server does not have what it is about


def scenario(sentence, flags=(), ours_alone=False, embedded_alone=False):
    def keep(function):
        ALL.append(Scenario(sentence, function, None if flags is None else tuple(flags),
                            ours_alone or embedded_alone or flags is None, embedded_alone))
        return function
    return keep


def everything():
    from . import (distribution_proposal, endpoints, gates,  # noqa: F401  they fill ALL
                   hint_proposal, hints, labels, metrics, mirroring, modes, ports, told,
                   topology_keys)
    return ALL
