# SPDX-License-Identifier: Apache-2.0
"""Waits for conditions: the only place in which Python code of tests, benches and tools polls."""
import time

# Generous: a machine that is busy with other tests delays everything, and a condition that holds
# ends the wait at once. Give another bound only where the time itself is what is tested.
SECONDS_MAX = 120
PAUSE_SECONDS = 0.05


class NotInTime(AssertionError):
    """The condition did not hold in time; says what was awaited and what was seen last."""


def first_true(condition, seconds=SECONDS_MAX):
    """The first true value of `condition()`, or its last value when time is up. An exception of the
    condition ends the wait."""
    deadline = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
    return value


def eventually(condition, what, seconds=SECONDS_MAX, seen=None):
    """The first true value of `condition()`; raises NotInTime when there is none within `seconds`.

    `what` names what is awaited. `seen()` describes the state for the error; without it the error
    has the last value of the condition.
    """
    value = first_true(condition, seconds)
    if not value:
        raise NotInTime(f"not within {seconds:g} s: {what}; last seen: {seen() if seen else value}")
    return value


def always(condition, what, seconds, seen=None):
    """Raises AssertionError when `condition()` is not true at some time during `seconds`."""
    if first_true(lambda: not condition(), seconds):
        raise AssertionError(f"not true for {seconds:g} s: {what}" +
                             (f"; last seen: {seen()}" if seen else ""))
