# SPDX-License-Identifier: Apache-2.0
"""Sees when a transaction of nftables is committed in a namespace, whatever its user does
meanwhile."""
import contextlib
import queue
import select
import socket
import threading
import time

from testbed import bed as beds

NETLINK_NETFILTER = 12
NFNLGRP_NFTABLES = 7
BUFFER = 1 << 22
LOOK_SECONDS = 0.2


class KernelWatch:
    def __init__(self, host):
        self.socket = beds.socket_inside(host.file, lambda: socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self.socket.bind((0, 1 << (NFNLGRP_NFTABLES - 1)))
        self.told = queue.SimpleQueue()  # when
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        while not self.closed.is_set():
            if not select.select([self.socket], [], [], LOOK_SECONDS)[0]:
                continue
            now = time.monotonic()
            with contextlib.suppress(OSError):  # more was told than the buffer holds: news, too
                self.socket.recv(1 << 16)
            self.told.put(now)

    def drain(self):
        """Forgets what was seen so far."""
        with contextlib.suppress(queue.Empty):
            while True:
                self.told.get_nowait()

    def wait(self, seconds):
        """When the next transaction was told, or None after `seconds`."""
        try:
            return self.told.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self):
        self.closed.set()
        self.thread.join()
        self.socket.close()
