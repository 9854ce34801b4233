# SPDX-License-Identifier: Apache-2.0
"""Sees when a transaction of nftables is committed in a namespace."""
import socket
import time

import bed as beds

NETLINK_NETFILTER = 12
NFNLGRP_NFTABLES = 7
BUFFER = 1 << 22


class KernelWatch:
    def __init__(self, host):
        self.socket = beds.socket_inside(host.file, lambda: socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self.socket.bind((0, 1 << (NFNLGRP_NFTABLES - 1)))

    def drain(self):
        """Forgets what was seen so far."""
        self.socket.setblocking(False)
        while self.receive():
            pass

    def receive(self):
        try:
            return bool(self.socket.recv(1 << 16))
        except BlockingIOError:
            return False
        except OSError:  # more was told than the buffer holds: that is news, too
            return True

    def wait(self, seconds):
        """When the next transaction is told, or None after `seconds`."""
        self.socket.settimeout(seconds)
        try:
            self.socket.recv(1 << 16)
        except TimeoutError:
            return None
        except OSError:
            pass
        return time.monotonic()

    def close(self):
        self.socket.close()
