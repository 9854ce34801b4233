#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls Services at a steady rate, a TCP connection for each request: load_client.py RATE.

Reads lines of JSON, {"NAME": ["ADDRESS", PORT], …}, the Services to call from then on; ends with its
input. Writes a line of JSON a second: who answered, which requests failed, how and when (by the
monotonic clock, which all processes share), and which Services it calls or still waits for.
"""
import asyncio
import errno
import itertools
import json
import signal
import sys
import time

STEP_SECONDS_MAX = 10  # of connecting, of an answer
# The kernel remembers for two minutes where it sent an attempt to connect that was not answered, and sends
# the next one from the same port there too, whoever has the address by then. So ports are used in turn,
# below those that the kernel chooses for others.
PORTS = range(11000, 32000)
TELL_SECONDS = 1


class Client:
    def __init__(self):
        self.services = {}
        self.turn = 0
        self.open = {}  # task → Service
        self.ports = itertools.cycle(PORTS)
        self.forget()

    def forget(self):
        self.seen, self.failed, self.slowest = {}, [], 0.0

    def tell(self):
        print(json.dumps({"time": time.monotonic(), "seen": self.seen, "failed": self.failed,
                          "slowest": self.slowest,
                          "calls": sorted({*self.services, *self.open.values()})}), flush=True)
        self.forget()

    async def exchange(self, address, port):
        """The name of the backend. It closes the connection, so that the client's port is free."""
        async def within(step):
            return await asyncio.wait_for(step, STEP_SECONDS_MAX)

        reader, writer = await within(asyncio.open_connection(
            address, port, local_addr=("0.0.0.0", next(self.ports))))
        try:
            first = await within(reader.readline())
            writer.write(b"hi\n")
            second = await within(reader.readline())
            writer.write(b"bye\n")
            if await within(reader.read()) or not first or first != second:
                raise ConnectionResetError(errno.ECONNRESET, f"{first} and {second}")
            return first.split()[0].decode()
        finally:
            writer.transport.abort()

    async def request(self, service, address, port):
        begun = time.monotonic()
        try:
            backend = await self.exchange(address, port)
            counts = self.seen.setdefault(service, {})
            counts[backend] = counts.get(backend, 0) + 1
            self.slowest = max(self.slowest, time.monotonic() - begun)
        except (OSError, asyncio.TimeoutError) as error:
            self.failed.append([service, kind_of(error), begun, time.monotonic()])

    def begin(self):
        if self.services:
            self.turn += 1
            names = sorted(self.services)
            service = names[self.turn % len(names)]
            task = asyncio.create_task(self.request(service, *self.services[service]))
            self.open[task] = service
            task.add_done_callback(self.open.pop)


def kind_of(error):
    if isinstance(error, (asyncio.TimeoutError, TimeoutError)):
        return "timeout"
    names = {errno.ECONNREFUSED: "refused", errno.ECONNRESET: "reset", errno.EPIPE: "reset"}
    return names.get(error.errno, str(error))


async def listen(client):
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        client.services = json.loads(line)


async def main(rate):
    client = Client()
    listening = asyncio.create_task(listen(client))
    due = told = time.monotonic()
    while not listening.done():
        now = time.monotonic()
        if now >= due:
            client.begin()
            # What a busy machine did not begin in time is not begun all at once.
            due = max(due + 1 / rate, now - 1)
        if now - told >= TELL_SECONDS:
            client.tell()
            told = now
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    if client.open:
        await asyncio.wait(client.open)
    client.tell()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started it
    asyncio.run(main(float(sys.argv[1])))
