# SPDX-License-Identifier: Apache-2.0
"""Samples of a soak, and whether they are flat."""
import dataclasses
import statistics

UNITS = {"up": "MB", "up whole": "MB", "proxy": "MB", "descriptors": "", "namespaces": ""}
# The page remembers a quarter of an hour: what was compared before that still grows.
HISTORY_SECONDS = 15 * 60
# Events are kept for an hour, and memory grows a little for as long: 22.0 MB after 16 minutes were 22.7
# after 30 and 25.6 after 85 (docs/measurements.md).
SOON_SECONDS = 40 * 60
PROXY_YOUNG_SECONDS = 10  # in which a proxy reads its cluster, and grows by that


@dataclasses.dataclass(frozen=True)
class Room:
    """What a figure may be above the one after warm-up: allocators keep some of what they were given,
    and a lab has now more Pods and now fewer."""

    part: float
    more: float
    # Above the most that there was until the end of the first window, not above its median: of a figure that
    # is smaller for a while, as descriptors are while a program is cut off.
    of_most: bool = False

    def bound(self, before):
        return before * (1 + self.part) + self.more


def rooms(warm_up, seconds):
    """Name → Room, for a soak of so many seconds of which so many are not compared."""
    loose = {name: Room(0.15, more) for name, more in
             {"up": 8, "proxy": 2, "descriptors": 120, "namespaces": 40}.items()}
    if warm_up < HISTORY_SECONDS:
        return loose
    return {**loose, "up": Room(0.05, 2 if seconds <= SOON_SECONDS else 4)}


def windows(samples, warm_up):
    """The first tenth after `warm_up` seconds, and the last tenth, at least three samples each."""
    begin = samples[0]["time"] + warm_up
    warm = [sample for sample in samples if sample["time"] >= begin]
    size = max(3, len(warm) // 10)
    return warm[:size], warm[-size:]


def minutes(samples, name):
    """The figure at each full minute: shows whether it still grows."""
    begin, found = samples[0]["time"], []
    for sample in samples:
        if sample["time"] - begin >= 60 * len(found):
            found.append(f"{sample[name]:.1f}")
    return f"{name} by minute: {' '.join(found)}"


@dataclasses.dataclass(frozen=True)
class Lives:
    """Processes that come and go, and a figure of theirs."""

    what: str = "proxy"
    unit: str = "MB"
    key: str = "proxies"  # under which a sample has process → figure
    size: int = 1  # the least of so many last figures is compared with the largest of so many first ones


def lives(samples, key="proxies"):
    """Process → its (time, figure), from when it is no longer young."""
    born, found = {}, {}
    for sample in samples:
        for process, size in sample[key].items():
            if sample["time"] - born.setdefault(process, sample["time"]) >= PROXY_YOUNG_SECONDS:
                found.setdefault(process, []).append((sample["time"], size))
    return found


def grown_most(samples, kind=Lives()):
    """Of the process that grew most within its life: seconds, its figure before and after; None without
    one."""
    grown = [(life[-1][0] - life[0][0], max(size for _, size in life[:kind.size]),
              min(size for _, size in life[-kind.size:]))
             for life in lives(samples, kind.key).values() if len(life) > 1]
    return max(grown, key=lambda one: one[2] - one[1], default=None)


def judged_lives(samples, room, kind=Lives()):
    """As compared(), of the process that grew most: a median would hide it among the others."""
    most = grown_most(samples, kind)
    if most is None:
        return [], []
    seconds, before, after = most
    bound = room.bound(before)
    grew = f"from {before:.1f} to {after:.1f} {kind.unit}"
    line = f"the {kind.what} that grew most: {grew} in {seconds:.0f} s (bound {bound:.1f})"
    return [line], [f"a {kind.what} grew {grew}, above {bound:.1f}"] if after > bound else []


def compared(samples, warm_up, units, room):
    """Lines to print, and what is wrong. `units`: name of a figure → its unit; `room`: name → Room, of
    those that must be flat."""
    lines, wrong = [], []
    first, last = windows(samples, warm_up)
    if len(first) < 3:
        return lines, ["too short to compare anything"]
    for name, unit in units.items():
        before, after = (statistics.median(sample[name] for sample in some)
                         for some in (first, last))
        if name in room and room[name].of_most:
            before = max(sample[name] for sample in samples if sample["time"] <= first[-1]["time"])
        most = max(sample[name] for sample in samples)
        line = f"{name}: {before:.1f} {unit} after warm-up, {after:.1f} at the end, {most:.1f} at most"
        if name in room:
            bound = room[name].bound(before)
            line += f" (bound {bound:.1f})"
            if after > bound:
                wrong.append(f"{name} grew from {before:.1f} to {after:.1f} {unit}, "
                             f"above {bound:.1f}")
        lines.append(line)
    return lines, wrong


def judged(samples, warm_up):
    """As compared(), of a running `proxima up`."""
    room = rooms(warm_up, samples[-1]["time"] - samples[0]["time"])
    lines, wrong = compared(samples, warm_up, UNITS, room)
    if not lines:
        return lines, wrong
    more, grown = judged_lives(samples, room["proxy"])
    return lines + more + [minutes(samples, "up")], wrong + grown
