# SPDX-License-Identifier: Apache-2.0
"""Our parts by their role: what their figures may grow by, and how they have to end. Pure."""
import faults
from support.figures import Lives, Room

UNITS = {"memory": "MB", "descriptors": "", "threads": ""}
MEMORY = Room(0.10, 3)
# A leader has 8 threads and 23 descriptors more than a standby, and one that is judged may be a standby
# at first and lead at the end. Node proxies do the same from their beginning to their end.
ROOMS = {role: {"memory": MEMORY, "descriptors": Room(0.0, descriptors, of_most=True),
                "threads": Room(0.0, threads, of_most=True)}
         for role, descriptors, threads in (("controller", 30, 10), ("proxy", 3, 1))}
# Of those that are killed, the figures of so many samples at the begin and at the end of a life are
# compared: a part that is cut off for a while has fewer connections.
LIFE_SAMPLES = {"memory": 1, "descriptors": 5, "threads": 5}


def role_of(name):
    return "controller" if name in faults.CONTROLLERS else "proxy"


def rooms_of(names):
    """"NAME FIGURE" → Room."""
    return {f"{name} {figure}": room for name in names for figure, room in ROOMS[role_of(name)].items()}


def lives():
    """(figures.Lives, Room) of each figure of those that may be killed."""
    return [(Lives(f"killed {role} by {figure}", unit, lives_key(role, figure), LIFE_SAMPLES[figure]),
             ROOMS[role][figure])
            for role in ROOMS for figure, unit in UNITS.items()]


def lives_key(role, figure):
    """Under which a sample has the figure of each process that may be killed."""
    return f"lives: {role} {figure}"


def end_problems(codes):
    """`codes`: name → exit code after SIGTERM, of parts that ran; None where there is none."""
    return [f"{name} {'was still there' if code is None else f'ended with {code}'} after Ctrl-C"
            for name, code in sorted(codes.items()) if code != 0]
