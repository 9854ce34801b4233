# SPDX-License-Identifier: Apache-2.0
"""A network namespace of a test's own, from which some servers outside can be reached.

What runs in it sees a server at the server's own address and port, and nothing else: bytes go
through a socket that was opened inside and is served outside. Nothing is left when the process ends.
"""
import concurrent.futures
import ctypes
import os
import socket
import subprocess
import threading

CLONE_NEWNET = 0x40000000


class OwnNetwork:
    def __init__(self, host, port):
        self._inside = concurrent.futures.ThreadPoolExecutor(max_workers=1)
        self._listeners = []
        self.call(self._enter)
        self.reach(host, port)

    def reach(self, host, port):
        """Makes another server reachable from inside."""
        listener = self.call(socket.create_server, (host, port))
        self._listeners.append(listener)
        threading.Thread(target=self._forward, args=(listener, (host, port)), daemon=True).start()

    def call(self, function, *words, **named):
        """Runs it on the thread that is inside; programs that it starts are inside too."""
        return self._inside.submit(function, *words, **named).result(timeout=120)

    def run(self, *words, **named):
        return self.call(subprocess.run, [str(word) for word in words], capture_output=True,
                         text=True, timeout=60, **named)

    def close(self):
        for listener in self._listeners:
            listener.close()
        self._inside.shutdown()

    def _enter(self):
        library = ctypes.CDLL(None, use_errno=True)
        if library.unshare(CLONE_NEWNET) != 0:
            raise PermissionError(os.strerror(ctypes.get_errno()))
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True, timeout=20)

    def _forward(self, listener, target):
        while True:
            try:
                inside, _ = listener.accept()
                outside = socket.create_connection(target, timeout=20)
            except OSError:
                return
            outside.settimeout(None)
            for source, sink in ((inside, outside), (outside, inside)):
                threading.Thread(target=self._copy, args=(source, sink), daemon=True).start()

    @staticmethod
    def _copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            source.close()
