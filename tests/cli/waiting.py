# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition."""
import time


def eventually(check, what, seconds=60):
    """What `check` says once it is true; an error that names `what` when it never is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := check():
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")
