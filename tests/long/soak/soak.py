#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random actions and failures against a running `proxima up`: nothing grows, no request fails that has
no reason to, and nothing is left after Ctrl-C.

  soak.py PROXIMA --minutes 30                     (make soak MINUTES=30 SEED=1)
  soak.py PROXIMA --minutes 1 --nodes-per-zone 1   small, for every build
"""
import argparse
import collections
import pathlib
import random
import sys
import time

import choices
from peers import servers
import running_lab
from support import figures
from support.seeds import seed_of_this_run
from testbed.waiting import NotInTime

SKIPPED = 77
SAMPLE_SECONDS = 2
PAUSE_SECONDS = (0.3, 3.0)
WARM_UP_SECONDS_MAX = figures.HISTORY_SECONDS + 60


class Soak:
    def __init__(self, lab, generator):
        self.lab, self.random = lab, generator
        self.samples, self.counts, self.wrong = [], collections.Counter(), []
        self.failed = 0
        self.acted = 0.0  # when the last action had been done

    def act(self):
        # What an action did must be seen, or the next one takes away what the first left.
        state = self.lab.state_after(self.acted)
        action = choices.choose(state, self.random)
        if action is None:
            return
        self.counts[action.kind] += 1
        failed = state["totals"]["failedEver"]
        print(f"{time.monotonic() - self.begin:7.1f} s  {action}"
              f"  (failed {failed}, retried {state['totals']['retried']})", flush=True)
        self.tell_failures(state)
        try:
            self.lab.act(action)
        except (running_lab.Trouble, NotInTime) as trouble:
            self.wrong.append(f"{action.kind}: {trouble}")
        self.acted = time.time()

    def tell_failures(self, state):
        """Whose requests have failed since the last look, and who should have answered them."""
        if state["totals"]["failedEver"] == self.failed:
            return
        self.failed = state["totals"]["failedEver"]
        able = choices.serving(state)
        for service in state["services"]:
            if service["measured"]["failed"]:
                pods = ", ".join(f"{pod['name']} on {pod['node']}" for pod in
                                 able[service["service"]])
                print(f"           {service['service']} ({service['policy']}):"
                      f" {service['measured']['failed']} failed; serving: {pods or 'none'}",
                      flush=True)

    def rest(self, seconds):
        """Samples in the meantime."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.samples or time.monotonic() - self.samples[-1]["time"] >= SAMPLE_SECONDS:
                self.samples.append(self.lab.sample())
            time.sleep(min(left, SAMPLE_SECONDS / 4))

    def run(self, seconds):
        self.begin = time.monotonic()
        while time.monotonic() - self.begin < seconds:
            if self.lab.child.poll() is not None:
                self.wrong.append(f"up ended by itself: {self.lab.words()}")
                return
            self.act()
            self.rest(self.random.uniform(*PAUSE_SECONDS))
        self.lab.lab("heal")
        try:
            self.lab.wait_until_settled()
        except NotInTime as trouble:
            self.wrong.append(str(trouble))
        self.rest(3 * SAMPLE_SECONDS)

    def judge(self, warm_up):
        totals = self.lab.state()["totals"]
        print("actions: " + ", ".join(f"{count} {kind}" for kind, count in sorted(
            self.counts.items())))
        print(f"requests that failed: {totals['failedEver']}")
        if totals["failedEver"]:
            self.wrong.append(f"{totals['failedEver']} requests failed")
        if (more := self.lab.namespaces_too_many()) != 0:
            self.wrong.append(f"{more} namespaces more than the router, nodes and Pods need")
        lines, grown = figures.judged(self.samples, warm_up)
        print("\n".join(lines))
        self.wrong += grown


def soak(arguments, kubectl):
    generator = random.Random(arguments.seed)
    flags = ["--rate", arguments.rate, "--seed", arguments.seed, "--zones", arguments.zones,
             "--nodes-per-zone", arguments.nodes_per_zone]
    seconds = arguments.minutes * 60
    with running_lab.RunningLab(arguments.program, kubectl, [str(flag) for flag in flags]) as lab:
        begin = time.monotonic()
        lab.wait_until_ready()
        print(f"ready after {time.monotonic() - begin:.1f} s", flush=True)
        work = Soak(lab, generator)
        work.run(seconds)
        if lab.child.poll() is None:
            work.judge(min(seconds / 2, WARM_UP_SECONDS_MAX))
            work.wrong += lab.end()
        left = lab.leftovers()
        watched = len(lab.watch) if lab.watch else 0
        print(f"left behind: {len(left)}, of {watched} namespaces and what was beside them")
        return work.wrong + left


def refused(program):
    """Why there can be no lab here; None: there can."""
    with running_lab.RunningLab(program, "kubectl", ["--for", "1s", "--without-traffic"]) as lab:
        lab.child.wait(running_lab.END_SECONDS_MAX)
        words = lab.words()
    return words if "simulator" in words else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--zones", type=int, default=3)
    parser.add_argument("--nodes-per-zone", type=int, default=2)
    arguments = parser.parse_args()
    arguments.program = arguments.program.resolve()
    try:
        kubectl = servers.peer("kubectl")
    except servers.Unavailable as missing:
        print(f"not shown: {missing}")
        return SKIPPED
    if why := refused(arguments.program):
        print(f"not shown: there is no lab here: {why[-600:]}")
        return SKIPPED
    arguments.seed = seed_of_this_run(default=1)
    print(f"{arguments.minutes:g} minutes", flush=True)
    wrong = soak(arguments, kubectl)
    for problem in wrong:
        print(f"WRONG: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
