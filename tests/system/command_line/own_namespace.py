# SPDX-License-Identifier: Apache-2.0
"""Starts a test script again in a network namespace of its own."""
import os
import subprocess
import sys

_INSIDE = "PROXIMA_TEST_INSIDE"
# Of a proxy in it: the machine's own limits are not a test's to change.
PROXY_FLAGS = ("--conntrack-max-per-core=0", "--conntrack-tcp-timeout-established=0",
               "--conntrack-tcp-timeout-close-wait=0", "--oom-score-adj=0")


def is_inside():
    return _INSIDE in os.environ


def enter(what):
    """The exit code of the script, run inside; says so where that is not allowed."""
    unshare = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user",
                                                               "--net"]
    probe = ["sh", "-c", "ip link set lo up && nft add table ip probe"]
    try:
        tried = subprocess.run([*unshare, *probe], capture_output=True, text=True, timeout=60)
    except OSError as error:
        tried = subprocess.CompletedProcess([], 1, stderr=str(error))
    if tried.returncode != 0:
        print(f"not shown: {what}; no network namespace with nftables here: {tried.stderr.strip()}")
        return 0
    return subprocess.run([*unshare, "sh", "-c", 'ip link set lo up && exec "$@"', "sh",
                           sys.executable, *sys.argv], env={**os.environ, _INSIDE: "1"},
                          timeout=280).returncode
