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


def lives(samples):
    """Proxy → its (time, MB), from when it is no longer young."""
    born, found = {}, {}
    for sample in samples:
        for process, size in sample["proxies"].items():
            if sample["time"] - born.setdefault(process, sample["time"]) >= PROXY_YOUNG_SECONDS:
                found.setdefault(process, []).append((sample["time"], size))
    return found


def grown_most(samples):
    """Of the proxy that grew most within its life: seconds, MB before and after; None without one."""
    grown = [(life[-1][0] - life[0][0], life[0][1], life[-1][1])
             for life in lives(samples).values() if len(life) > 1]
    return max(grown, key=lambda one: one[2] - one[1], default=None)


def judged_proxies(samples, room):
    """As judged(), of the one that grew most: a median would hide it among the others."""
    most = grown_most(samples)
    if most is None:
        return [], []
    seconds, before, after = most
    bound = room.bound(before)
    line = f"the proxy that grew most: from {before:.1f} to {after:.1f} MB in {seconds:.0f} s"
    wrong = [f"a proxy grew from {before:.1f} to {after:.1f} MB, above {bound:.1f}"]
    return [f"{line} (bound {bound:.1f})"], wrong if after > bound else []


def judged(samples, warm_up):
    """Lines to print, and what is wrong."""
    lines, wrong = [], []
    first, last = windows(samples, warm_up)
    if len(first) < 3:
        return lines, ["too short to compare anything"]
    room = rooms(warm_up, samples[-1]["time"] - samples[0]["time"])
    for name, unit in UNITS.items():
        before, after = (statistics.median(sample[name] for sample in some)
                         for some in (first, last))
        most = max(sample[name] for sample in samples)
        line = f"{name}: {before:.1f} {unit} after warm-up, {after:.1f} at the end, {most:.1f} at most"
        if name in room:
            bound = room[name].bound(before)
            line += f" (bound {bound:.1f})"
            if after > bound:
                wrong.append(f"{name} grew from {before:.1f} to {after:.1f} {unit}, "
                             f"above {bound:.1f}")
        lines.append(line)
    more, grown = judged_proxies(samples, room["proxy"])
    return lines + more + [minutes(samples, "up")], wrong + grown
