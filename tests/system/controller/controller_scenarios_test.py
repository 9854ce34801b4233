#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scenarios of scenarios/, against a real kube-apiserver or the embedded one.

  controller_scenarios_test.py PROXIMA --server real|embedded [--only WORDS]
  controller_scenarios_test.py upstream --server real      upstream's own controller: are the scenarios true?
  controller_scenarios_test.py --list --server real        only print the scenarios that run on this server

Scenarios with the same flags share a controller; some start their own. Each has a namespace; Nodes are
its own too, so they run one after the other.
"""
import argparse
import contextlib
import itertools
import sys
import time

from peers import servers
from scenarios import everything
from testbed.controllers import controller, end_cleanly
from world import World

SKIPPED = 77


def chosen(program, server, only):
    rows = [row for row in everything() if not (program == "upstream" and row.ours_alone)]
    rows = [row for row in rows if not (server == "real" and row.embedded_alone)]
    rows = [row for row in rows if only in row.sentence]
    return sorted(rows, key=lambda row: (row.flags is None, row.flags or ()))


def run_one(program, endpoint, row, number):
    world = World(endpoint, f"scenario-{number}", program)
    began = time.monotonic()
    try:
        row.run(world)
        problem = None
    except AssertionError as error:
        problem = str(error)
    finally:
        world.close()
    seconds = time.monotonic() - began
    print(f"{'ok   ' if problem is None else 'FAILS'} {seconds:5.1f} s  {row.sentence}", flush=True)
    if problem is not None:
        print(f"      {problem[:2000]}")
    return problem is None


def run_all(program, endpoint, rows):
    failed, number = 0, 0
    for flags, group in itertools.groupby(rows, key=lambda row: row.flags):
        one_for_all = (contextlib.nullcontext() if flags is None else
                       controller(program, endpoint, *flags))
        with one_for_all:
            for row in group:
                number += 1
                failed += not run_one(program, endpoint, row, number)
    return failed


def main():
    end_cleanly()
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--server", choices=("real", "embedded"), required=True)
    parser.add_argument("--only", default="")
    words = parser.parse_args()
    rows = chosen(words.program, words.server, words.only)
    if not (words.list or words.program):
        parser.error("a program is required, except with --list")
    if words.list:
        print(*(row.sentence for row in rows), sep="\n")
        return 0
    with contextlib.ExitStack() as stack:
        try:
            server = (servers.real_server(servers.DUAL_STACK) if words.server == "real" else
                      servers.embedded_server(words.program, servers.DUAL_STACK))
            endpoint = stack.enter_context(server)
            failed = run_all(words.program, endpoint, rows)
        except servers.Unavailable as reason:
            print(f"skipped: {reason}")
            return SKIPPED
    print(f"{len(rows) - failed} of {len(rows)} scenarios")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
