# SPDX-License-Identifier: Apache-2.0
"""The clients of a soak, one in the namespace of a Pod or node each."""
import collections
import json
import pathlib
import queue
import subprocess
import sys
import threading

PROGRAM = pathlib.Path(__file__).resolve().parent / "load_client.py"


class Load:
    def __init__(self, stack, bed, clients, rate):
        """`clients`: names of hosts; `rate`: requests a second of all of them."""
        self.lines = queue.Queue()
        self.nodes = {name: bed[name].node or name for name in clients}
        self.children, self.threads = {}, []
        self.requests = collections.Counter()  # "answered", "failed"
        self.slowest = 0.0
        self.calls = {}  # client → Services
        for name in clients:
            child = subprocess.Popen(
                bed[name].enter([sys.executable, "-B", PROGRAM, rate / len(clients)]),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(child.wait)
            stack.callback(child.kill)
            self.children[name] = child
            thread = threading.Thread(target=self.read, args=(name, child), daemon=True)
            thread.start()
            self.threads.append(thread)

    def read(self, name, child):
        for line in child.stdout:
            self.lines.put((name, json.loads(line)))

    def call(self, services):
        """From now on these: Service → (address, port)."""
        for child in self.children.values():
            child.stdin.write(json.dumps(services) + "\n")
            child.stdin.flush()

    def collect(self):
        """What clients have told since the last time: (node of the client, line)."""
        found = []
        while not self.lines.empty():
            name, line = self.lines.get()
            self.requests["answered"] += sum(sum(some.values()) for some in line["seen"].values())
            self.requests["failed"] += len(line["failed"])
            self.slowest = max(self.slowest, line["slowest"])
            self.calls[name] = line["calls"]
            found.append((self.nodes[name], line))
        return found

    def is_called(self, service):
        """As far as clients have told."""
        return any(service in calls for calls in self.calls.values())

    def dead(self):
        return [name for name, child in self.children.items() if child.poll() is not None]

    def end(self):
        """Requests that are under way come to their end."""
        for child in self.children.values():
            child.stdin.close()
        for child in self.children.values():
            child.wait()
        for thread in self.threads:
            thread.join()
        return self.collect()
