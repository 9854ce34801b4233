# SPDX-License-Identifier: Apache-2.0
"""Samples of a soak, and whether they are flat."""
import statistics

# A figure at the end may be above the one after warm-up by this part and this much: allocators keep
# some of what they were given, and a lab has now more Pods and now fewer.
PART = 0.15
BOUNDS = {"up": 8, "proxy": 4, "descriptors": 120, "namespaces": 40}
UNITS = {"up": "MB", "up whole": "MB", "proxy": "MB", "descriptors": "", "namespaces": ""}


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


def judged(samples, warm_up):
    """Lines to print, and what is wrong."""
    lines, wrong = [], []
    first, last = windows(samples, warm_up)
    if len(first) < 3:
        return lines, ["too short to compare anything"]
    for name, unit in UNITS.items():
        before, after = (statistics.median(sample[name] for sample in some)
                         for some in (first, last))
        most = max(sample[name] for sample in samples)
        line = f"{name}: {before:.1f} {unit} after warm-up, {after:.1f} at the end, {most:.1f} at most"
        if name in BOUNDS:
            bound = before * (1 + PART) + BOUNDS[name]
            line += f" (bound {bound:.1f})"
            if after > bound:
                wrong.append(f"{name} grew from {before:.1f} to {after:.1f} {unit}, "
                             f"above {bound:.1f}")
        lines.append(line)
    lines.append(minutes(samples, "up"))
    return lines, wrong
