# SPDX-License-Identifier: Apache-2.0
"""Whether counts fit shares."""
import math

NORMAL_QUANTILE = 3.29  # one in two thousand is above


def statistic(counts, shares):
    """`counts` and `shares` by name; shares sum to 1."""
    total = sum(counts.values())
    return sum((counts.get(name, 0) - total * share) ** 2 / (total * share)
               for name, share in shares.items())


def bound(cells):
    """What the statistic of that many cells exceeds once in two thousand times (Wilson and
    Hilferty)."""
    freedom = max(1, cells - 1)
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + NORMAL_QUANTILE * math.sqrt(spread)) ** 3
