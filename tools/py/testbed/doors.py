# SPDX-License-Identifier: Apache-2.0
"""Closes the port of a backend, and cuts a host off from a server, by nftables rules inside the host's
namespace. The host's other rules stay as they are."""
import subprocess

from testbed import bed as beds

# New connections only: those that are there may go on to their end.
REFUSING = "tcp flags & (syn | ack) == syn reject with tcp reset"
SILENT = "drop"  # to all of them, as after a power cut
DOOR = """
table inet door { chain in { type filter hook input priority 0; tcp dport %d %s; }; }
"""
# Both hooks: servers are behind a cable, or relayed to the loopback device.
CUT = """
table inet cut {
  chain in { type filter hook input priority -300; tcp dport %(port)d drop; tcp sport %(port)d drop; }
  chain out { type filter hook output priority -300; tcp dport %(port)d drop; tcp sport %(port)d drop; }
}
"""


def apply_rules(host, text):
    subprocess.run(host.enter(["nft", "-f", "-"]), input=text, text=True, check=True)


def close_door(host, how=REFUSING):
    apply_rules(host, DOOR % (beds.BACKEND_PORT, how))


def open_door(host):
    subprocess.run(host.enter(["nft", "delete", "table", "inet", "door"]), check=True)


def cut(host, port):
    """Packets from and to that port of any server are lost, and nobody is told."""
    apply_rules(host, CUT % {"port": port})


def mend(host):
    subprocess.run(host.enter(["nft", "delete", "table", "inet", "cut"]), check=True)
