#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs into the product, one at a time, and expects the simulator to find each.

    planted_bugs.py BUILD_FOLDER [--seeds N] [NAME…]

A bug is a line that a guard consists of, and what it becomes without the guard. The sources are put
back afterwards, whatever happens. Build the folder first: what takes time is the compiler.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Bug:
    name: str  # what is wrong, as a sentence without its subject
    file: str  # below src/
    line: str  # as it is: stands once in the file
    becomes: str


BUGS = (
    Bug("a leader whose lease has run out goes on writing", "kube/fenced_api.cc",
        "if (whole <= milliseconds(0))", "if (false)"),
    Bug("a follower does not wait for the end of a lease", "kube/election.cc",
        "return observed_at_ + duration > now;", "return observed_at_ > now + duration;"),
    Bug("a watch takes over what is older than the cache", "kube/event_order.cc",
        "return newer ? News::Apply : News::Old;", "return newer ? News::Apply : News::Apply;"),
    Bug("an expired watch is tried again from the same version", "kube/reflector_plan.cc",
        "if (relist) restart_list();", ""),
    Bug("a key that is added while it is worked on is lost", "kube/work_queue.h",
        "if (again) ready_.push_back(key);", ""),
    Bug("a sync that failed is not tried again", "controller/sync_term.cc",
        "services_.add_rate_limited(key);", ""),
    Bug("a worker decides on a cache that has not seen its writes", "controller/service_sync.cc",
        "if (!parts_.tracker.is_stale(key, slices)) return slices;", "if (true) return slices;"),
    Bug("nobody looks again when awaited slices have come", "controller/work_intake.cc",
        "queue_locked({*found}, kube::Duration::zero());", ""),
    Bug("slices that strangers change are left as they are", "controller/work_intake.cc",
        "queue_locked(services_to_sync(change, tracker_), std::max(kLeastDelay, batch_period_));", ""),
    Bug("a term that ended leaves its workers running", "controller/controller.cc",
        "outdated_ = term_ != nullptr;\n  changed_.notify_all();\n}\n\nvoid RunningController::wait_until_idle",
        "changed_.notify_all();\n}\n\nvoid RunningController::wait_until_idle"),
    Bug("a family that failed is not taken over anew", "proxy/route_sync.cc",
        "family.in_step = status.has_value();", "family.in_step = true;"),
    Bug("a transaction that the kernel refused counts as done", "proxy/nft_data_plane.cc",
        "if (!sent && worth_another_look(sent.error())) return adopt(table);",
        "if (!sent && worth_another_look(sent.error())) return Unit{};"),
    Bug("a full check repairs nothing", "proxy/route_sync.cc",
        "if (depth == SyncDepth::Everything) return repair(family);", ""),
    Bug("a proxy does not wake up for changed slices", "proxy/node_proxy.cc",
        "if (intake_.has_changes() || sync_.routes().has_pending()) request();", ""),
    Bug("flows to backends that serve are forgotten", "proxy/stale_flows.cc",
        "return !std::binary_search(routes->serving.begin(), routes->serving.end(), flow.reply_source);",
        "return true;"),
)


def build_and_run(folder, seeds):
    """Whether the simulator found something; None when it could not be built."""
    built = subprocess.run(["cmake", "--build", folder, "--target", "simulate"], capture_output=True,
                           text=True, check=False)
    if built.returncode != 0:
        print(built.stdout[-3000:])
        return None
    ran = subprocess.run([f"{folder}/bin/simulate", "--seeds", str(seeds), "--no-shrink"],
                         capture_output=True, text=True, check=False)
    lines = [line for line in (ran.stdout + ran.stderr).splitlines() if " fails: " in line or "--seed" in line]
    print("   ", lines[0] if lines else f"no violation in {seeds} simulations", flush=True)
    return ran.returncode != 0


def find(bug, folder, seeds):
    path = ROOT / "src" / bug.file
    text = path.read_text(encoding="utf-8")
    if text.count(bug.line) != 1:
        print(f"    the line stands {text.count(bug.line)} times in {bug.file}")
        return False
    path.write_text(text.replace(bug.line, bug.becomes), encoding="utf-8")
    try:
        return bool(build_and_run(folder, seeds))
    finally:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", help="a build folder, as build/release")
    parser.add_argument("--seeds", type=int, default=300, help="simulations for each bug")
    parser.add_argument("names", nargs="*", help="bugs, by a part of their name; none: all")
    arguments = parser.parse_args()
    chosen = [bug for bug in BUGS if not arguments.names or any(n in bug.name for n in arguments.names)]
    missed = []
    for bug in chosen:
        print(f"{bug.name} ({bug.file})", flush=True)
        if not find(bug, arguments.folder, arguments.seeds):
            missed.append(bug.name)
    subprocess.run(["cmake", "--build", arguments.folder, "--target", "simulate"], capture_output=True,
                   check=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} planted bugs were found")
    for name in missed:
        print(f"  not found: {name}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
