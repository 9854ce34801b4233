#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills `proxima apiserver` in the middle of concurrent writes, and one time in five in the middle of
the start that follows, again and again, and looks at what is there afterwards.

  apiserver_crash_test.py PROXIMA        PROXIMA_CRASH_KILLS=200 PROXIMA_SEED=1 for more

After every kill and restart:
- every write that was acknowledged is there, unless the same client had a later one under way, in
  which case either is right;
- nothing is half-written: each object carries its own length and checksum;
- no resourceVersion goes back, and no object has one that another has.

When a start is killed is drawn as a part of the time that starts took, so the moments differ between
machines; what is written, and which kills come during a start, does not.
"""

import http.client
import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from support.seeds import seed_of_this_run

WRITERS = 6
KEYS_PER_WRITER = 5
LARGEST_BODY = 40_000
MOST_WRITES = 150  # before a kill
START_SECONDS = 120  # on a machine that is busy with other tests
KILLED_STARTS = 0.2  # of all kills
START_PART_MAX = 1.2  # of the time that the last start took, after which the next may be killed
COLLECTION = "/api/v1/namespaces/default/configmaps"


def started(program, directory, durability):
    return subprocess.Popen(
        [program, "apiserver", "--data-dir", directory, "--secure-port", "0",
         "--durability", durability],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_a_start(program, directory, durability, seconds):
    """Kills a process so long after it began; whether it was still starting then."""
    process = started(program, directory, durability)
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
        return "https://" not in said
    # Nobody has killed it.
    sys.exit(f"the server ended by itself with {code} while it started: {process.communicate()[1]}")


class Server:
    """One process; the data directory outlives it."""

    def __init__(self, program, directory, durability):
        begin = time.monotonic()
        self.process = started(program, directory, durability)
        watchdog = threading.Timer(START_SECONDS, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline()
        watchdog.cancel()
        self.start_seconds = time.monotonic() - begin
        match = re.search(r"https://127\.0\.0\.1:(\d+)", line)
        if not match:
            self.process.kill()
            sys.exit(f"the server did not start: {line}{self.process.stderr.read()}")
        self.port = int(match[1])
        self.token = open(os.path.join(directory, "pki", "admin.token")).read().strip()
        self.context = ssl.create_default_context(
            cafile=os.path.join(directory, "pki", "ca.crt"))

    def connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=self.context)

    def call(self, connection, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.token, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def payload(rng, count):
    text = "".join(rng.choices("abcdefgh", k=8)) * rng.randrange(1, LARGEST_BODY // 8)
    return {"count": str(count), "text": text, "check": str(zlib.crc32(text.encode()))}


class Writer(threading.Thread):
    """Writes its own few objects, one request at a time, and remembers what was acknowledged."""

    def __init__(self, number, seed, server, known, acknowledgements):
        super().__init__()
        self.acknowledgements = acknowledgements  # a semaphore: how many there were
        self.number = number
        self.rng = random.Random(f"{seed}/{number}")
        self.server = server
        self.known = known  # name → (count, resourceVersion), or None once it was deleted
        self.under_way = None  # (name, count or None)
        self.acknowledged = 0
        self.newest = 0
        self.problem = None

    def run(self):
        connection = self.server.connect()
        try:
            while True:
                self.write_once(connection)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            pass  # killed
        except Exception as error:  # pylint: disable=broad-except
            self.problem = f"writer {self.number}: {error!r}"

    def write_once(self, connection):
        name = f"w{self.number}-{self.rng.randrange(KEYS_PER_WRITER)}"
        there = self.known.get(name)
        count = self.rng.randrange(1 << 60)
        body = {"metadata": {"name": name}, "data": payload(self.rng, count)}
        if there and self.rng.random() < 0.2:
            self.under_way = (name, None)
            status, answer = self.server.call(connection, "DELETE", f"{COLLECTION}/{name}")
            wanted, result = 200, None
        elif there:
            self.under_way = (name, count)
            status, answer = self.server.call(connection, "PUT", f"{COLLECTION}/{name}", body)
            wanted, result = 200, count
        else:
            self.under_way = (name, count)
            status, answer = self.server.call(connection, "POST", COLLECTION, body)
            wanted, result = 201, count
        if status != wanted:
            raise RuntimeError(f"{status} {answer}")
        if result is None:
            self.known[name] = None
        else:
            revision = int(answer["metadata"]["resourceVersion"])
            if revision <= self.newest:
                raise RuntimeError(f"resourceVersion {revision} after {self.newest}")
            self.newest = revision
            self.known[name] = (count, revision)
        self.acknowledged += 1
        self.under_way = None
        self.acknowledgements.release()


def check(server, known, under_way, newest):
    """Compares what is there with what may be there; returns the resourceVersion of the list."""
    connection = server.connect()
    status, answer = server.call(connection, "GET", COLLECTION)
    assert status == 200, answer
    found = {item["metadata"]["name"]: item for item in answer["items"]}
    now = int(answer["metadata"]["resourceVersion"])
    assert now >= newest, f"the server is at {now}, but had acknowledged {newest}"
    revisions = set()
    for name, item in found.items():
        data = item["data"]
        assert str(zlib.crc32(data["text"].encode())) == data["check"], f"{name} is half-written"
        revision = int(item["metadata"]["resourceVersion"])
        assert revision <= now and revision not in revisions, f"{name}: resourceVersion {revision}"
        revisions.add(revision)
    for name in set(known) | set(found) | {name for name, _ in under_way}:
        present = found.get(name)
        count = int(present["data"]["count"]) if present else None
        expected = known.get(name)
        if (name, count) in under_way:
            pass  # it came through before the end
        elif expected is None:
            assert present is None, f"{name} came back from the dead"
        else:
            assert present is not None, f"{name} is lost"
            assert count == expected[0], f"{name} is not as it was acknowledged"
            assert int(present["metadata"]["resourceVersion"]) == expected[1], name
        known[name] = (count, int(present["metadata"]["resourceVersion"])) if present else None
    connection.close()
    return now


def main():
    program = os.path.abspath(sys.argv[1])
    kills = int(os.environ.get("PROXIMA_CRASH_KILLS", "5"))
    seed = seed_of_this_run()
    print(f"{kills} kills", flush=True)
    rng = random.Random(seed)
    directory = tempfile.mkdtemp(prefix="proxima-crash-")
    known, newest, acknowledged, caught = {}, 0, 0, 0
    left, starts, in_starts = kills, 0, 0
    server = Server(program, directory, "full")
    try:
        while left > 0:
            number, left = kills - left, left - 1
            acknowledgements = threading.Semaphore(0)
            writers = [Writer(i, f"{seed}/{number}", server,
                              {k: v for k, v in known.items() if k.startswith(f"w{i}-")},
                              acknowledgements)
                       for i in range(WRITERS)]
            for writer in writers:
                writer.start()
            for _ in range(rng.randrange(MOST_WRITES)):
                acknowledgements.acquire(timeout=20)
            server.kill()
            for writer in writers:
                writer.join()
                assert writer.problem is None, writer.problem
                known.update(writer.known)
                acknowledged += writer.acknowledged
                newest = max(newest, writer.newest)
            under_way = {writer.under_way for writer in writers if writer.under_way}
            caught += len(under_way)
            while left > 0 and rng.random() < KILLED_STARTS:
                left, starts = left - 1, starts + 1
                in_starts += kill_a_start(program, directory, rng.choice(["full", "normal"]),
                                          server.start_seconds * rng.uniform(0, START_PART_MAX))
            server = Server(program, directory, rng.choice(["full", "normal"]))
            newest = max(newest, check(server, known, under_way, newest))
        print(f"{kills} kills, {acknowledged} acknowledged writes all there; "
              f"{caught} writes were under way when it was killed; {starts} kills were aimed at starts, "
              f"and {in_starts} hit before it was ready")
    except AssertionError as error:
        sys.exit(f"apiserver_crash_test: {error}")
    finally:
        server.kill()
        shutil.rmtree(directory)


main()
