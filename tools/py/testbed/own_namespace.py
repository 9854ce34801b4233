# SPDX-License-Identifier: Apache-2.0
"""A network namespace for a whole test: every port is free there, and rules are nobody else's."""
import os
import subprocess
import sys

INSIDE = "PROXIMA_IN_A_NAMESPACE_OF_ITS_OWN"
# With its own mounts too: a lab has a place for its namespaces.
SPACE = ["unshare", "--map-root-user", "--net", "--mount"]


def is_inside():
    return INSIDE in os.environ


def move_inside():
    """Starts this program again in a namespace of its own. Returns where that cannot be, and why."""
    if is_inside():
        return None
    try:
        tried = subprocess.run([*SPACE, "sh", "-c", "ip link set lo up && nft list ruleset"],
                               capture_output=True, text=True, timeout=30)
    except FileNotFoundError as missing:
        return str(missing)
    if tried.returncode != 0:
        return tried.stderr.strip()[:200]
    os.environ[INSIDE] = "1"
    os.execvp(SPACE[0], [*SPACE, "sh", "-c", "ip link set lo up && exec \"$@\"", "sh",
                         sys.executable, "-B", *sys.argv])
