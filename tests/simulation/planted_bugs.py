#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs into a copy of the product, and expects the simulator to find each.

    planted_bugs.py FOLDER [--seeds N] [--jobs N] [NAME…]

Each bug is a change of one line that removes a guard. All of them are compiled into one program, and
PLANTED_BUG says at run time which one is there: compiling takes minutes, finding a bug seconds. FOLDER
gets the copy and, within it, its release build; both are kept for the next run, and the project's own
files are only read. Prints a table in Markdown.
"""

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


# In place of a guard: PLANTED is true in the run that looks for this bug.
HEADER = """#pragma once
#include <cstdlib>
inline bool is_planted(int bug) {
  static const char* const planted = std::getenv("PLANTED_BUG");
  return planted != nullptr && std::atoi(planted) == bug;
}
"""


@dataclass(frozen=True)
class Bug:
    name: str  # what is wrong, as a sentence
    file: str  # below src/
    guard: str  # appears once in the file
    becomes: str


BUGS = (
    Bug("A leader whose lease has run out goes on writing", "kube/fenced_api.cc",
        "if (whole <= milliseconds(0))", "if (!PLANTED && whole <= milliseconds(0))"),
    Bug("A follower does not wait for the end of a lease", "kube/election.cc",
        "return observed_at_ + duration > now;", "return !PLANTED && observed_at_ + duration > now;"),
    Bug("A watch applies an event that is older than the cached object", "kube/event_order.cc",
        "return newer ? News::Apply : News::Old;", "return newer || PLANTED ? News::Apply : News::Old;"),
    Bug("A watch brings back an object that was deleted", "kube/event_order.cc",
        "deletion && deletion->version >= event)", "!PLANTED && deletion && deletion->version >= event)"),
    Bug("An expired watch is tried again from the same version", "kube/reflector_plan.cc",
        "if (relist) restart_list();", "if (relist && !PLANTED) restart_list();"),
    Bug("A key that is added while a worker has it is lost", "kube/work_queue.h",
        "if (again) ready_.push_back(key);", "if (again && !PLANTED) ready_.push_back(key);"),
    Bug("A sync that failed is not tried again", "controller/sync_term.cc",
        "services_.add_rate_limited(key);", "if (!PLANTED) services_.add_rate_limited(key);"),
    Bug("A worker decides on a cache that has not seen its own writes", "controller/service_sync.cc",
        "if (!parts_.tracker.is_stale(key, slices, listed)) {", "if (PLANTED || !parts_.tracker.is_stale(key, slices, listed)) {"),
    Bug("Slices that strangers change are left as they are", "controller/work_intake.cc",
        "queue_locked(services_to_sync(change, tracker_), std::max(kLeastDelay, batch_period_));",
        "if (!PLANTED) queue_locked(services_to_sync(change, tracker_), std::max(kLeastDelay, batch_period_));"),
    Bug("A term that ended leaves its workers running", "controller/controller.cc",
        "wanted_ = false;\n  outdated_ = term_ != nullptr;", "wanted_ = false;\n  outdated_ = term_ != nullptr && !PLANTED;"),
    Bug("A leader does not wait for its caches", "controller/controller.cc",
        "if (waits_for_caches && are_caches_current())",
        "if (waits_for_caches && (PLANTED ? caches_.waiting_for().empty() : are_caches_current()))"),
    Bug("A proxy drops its slices when a list begins", "kube/reflector.cc",
        "if (plan_.is_first_page()) feed_.begin_list();",
        "if (plan_.is_first_page()) feed_.begin_list();\n"
        "  if (PLANTED && !options_.label_selector.empty() && resource_.plural == kEndpointSlices.plural &&\n"
        "      plan_.list_step().resource_version != \"0\")\n"
        "    feed_.end_list(plan_.list_step().resource_version, MissingObjects::Delete);"),
    Bug("A proxy writes routes before everything is listed", "proxy/node_proxy.cc",
        "if (!intake_.waiting_for().empty()) return false;",
        "if (!intake_.waiting_for().empty() && !PLANTED) return false;"),
    Bug("A family that could not be written counts as in step", "proxy/route_sync.cc",
        "family.in_step = status.has_value();", "family.in_step = PLANTED || status.has_value();"),
    Bug("A transaction that the kernel refused counts as done", "proxy/nft_data_plane.cc",
        "if (!sent && worth_another_look(sent.error())) return adopt(table);",
        "if (!sent && worth_another_look(sent.error())) return PLANTED ? Status(Unit{}) : adopt(table);"),
    Bug("A full check repairs nothing", "proxy/route_sync.cc",
        "if (depth == SyncDepth::Everything) return repair(family);",
        "if (depth == SyncDepth::Everything && !PLANTED) return repair(family);"),
    Bug("A proxy does not wake up for changed slices", "proxy/node_proxy.cc",
        "if (intake_.has_changes() || sync_.routes().has_pending()) request();",
        "if (!PLANTED && (intake_.has_changes() || sync_.routes().has_pending())) request();"),
    Bug("Flows to backends that still serve are forgotten", "proxy/stale_flows.cc",
        "return !std::binary_search(routes->serving.begin(), routes->serving.end(), flow.reply_source);",
        "return PLANTED || !std::binary_search(routes->serving.begin(), routes->serving.end(), flow.reply_source);"),
    Bug("Stale flows are kept", "proxy/stale_flows.cc",
        "if (routes == nullptr || routes->serving.empty()) return false;",
        "if (PLANTED || routes == nullptr || routes->serving.empty()) return false;"),
    Bug("A removed Service keeps its rules", "proxy/node_routes.cc",
        "state.service = routed ? after : ServiceRef();",
        "state.service = routed ? after : PLANTED ? before : ServiceRef();"),
    Bug("A full check writes though it finds nothing", "proxy/nft_data_plane.cc",
        "if (transaction.empty()) return Unit{};", "if (!PLANTED && transaction.empty()) return Unit{};"),
    Bug("The last endpoint of a slice gets no hint", "slices/slice_hints.cc",
        "for (EndpointRecord& endpoint : slice.endpoints) write(endpoint, *next_++);",
        "for (EndpointRecord& endpoint : slice.endpoints) {\n"
        "      const bool is_last = &endpoint == &slice.endpoints.back();\n"
        "      write(endpoint, PLANTED && is_last ? EndpointHint() : *next_);\n"
        "      ++next_;\n"
        "    }"),
    Bug("Endpoints of a Service with a selector are mirrored", "controller/mirroring_sync.cc",
        "slices::may_mirror(*endpoints) && service && !service->selector;",
        "slices::may_mirror(*endpoints) && service && (PLANTED || !service->selector);"),
    Bug("Mirroring decides on a cache that has not seen its own writes", "controller/mirroring_sync.cc",
        "if (is_behind(key, slices, listed))", "if (!PLANTED && is_behind(key, slices, listed))"),
    Bug("A client whose backend has left is not forgotten", "proxy/nft_affinity.cc",
        ".rules = {when().forget_client(map).rule(),",
        ".rules = {(PLANTED ? when().learn_client(map, input.timeout) : when().forget_client(map)).rule(),"),
    Bug("A published split stays however far the right one has moved", "slices/slice_split.cc",
        "return split && !has_moved(*split, wanted_);", "return split && (PLANTED || !has_moved(*split, wanted_));"),
    Bug("The bound of balanced is not kept", "core/policy/balanced.cc",
        "const double room = capacity > 0 ? (1 + input.overload) * capacity - taken : 0;",
        "const double room = capacity > 0 ? ((PLANTED ? 2 : 1) + input.overload) * capacity - taken : 0;"),
    Bug("A proxy keeps the changes of slices that a round has taken", "proxy/proxy_intake.cc",
        "std::exchange(slice_events_, {})", "PLANTED ? slice_events_ : std::exchange(slice_events_, {})"),
)


def with_bugs(name, text):
    """The text of a file below src/ with all its bugs in it."""
    for number, bug in enumerate(BUGS, 1):
        if bug.file != name:
            continue
        if text.count(bug.guard) != 1:
            sys.exit(f"{name} has the guard of \"{bug.name}\" {text.count(bug.guard)} times")
        text = text.replace(bug.guard, bug.becomes.replace("PLANTED", f"is_planted({number})"))
    return text.replace("#include", '#include "base/planted.h"\n#include', 1)


def copy_tree(target):
    """Brings the copy in step with the project's files, with bugs in it; equal files keep their times."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, check=True)
    names = {name for name in os.fsdecode(listed.stdout).split("\0") if name and (ROOT / name).is_file()}
    planted = {"src/" + bug.file for bug in BUGS}
    for present in [path for path in target.rglob("*") if path.is_file()]:
        name = str(present.relative_to(target))
        if name not in names and not name.startswith("build/"):
            present.unlink()
    for name in sorted(names):
        content = (ROOT / name).read_bytes()
        if name in planted:
            content = with_bugs(name.removeprefix("src/"), content.decode()).encode()
        write_if_new(target / name, content, (ROOT / name).stat().st_mode)
    write_if_new(target / "src/base/planted.h", HEADER.encode(), 0o644)


def write_if_new(path, content, mode):
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


@dataclass(frozen=True)
class Finding:
    seed: int
    faults: int
    violation: str


class Workshop:
    """The copy and its build."""

    def __init__(self, folder, jobs):
        self.tree = folder
        self.build = folder / "build/release"
        self.jobs = jobs
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.tree), CCACHE_NOHASHDIR="1")
        self.environment.pop("CCACHE_PREFIX", None)

    def prepare(self):
        self.tree.mkdir(parents=True, exist_ok=True)
        copy_tree(self.tree)
        self.run(["cmake", "--preset", "release", "-DPROXIMA_BUILD_TESTS=ON"])
        self.run(["cmake", "--build", str(self.build), "--target", "simulate", "-j", str(self.jobs)])

    def run(self, command):
        done = subprocess.run(command, cwd=self.tree, env=self.environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-3000:]}")

    def find(self, bug, seeds):
        """None: no violation in so many simulations."""
        done = subprocess.run([str(self.build / "bin/simulate"), "--seeds", str(seeds), "--no-explain"],
                              env=dict(os.environ, PLANTED_BUG=str(BUGS.index(bug) + 1)),
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return None
        text = done.stdout + done.stderr
        failed = re.search(r"^seed (\d+) fails after (\d+) faults: (.*)", text, re.MULTILINE)
        if failed:
            return Finding(int(failed[1]), int(failed[2]), failed[3])
        ended = re.search(r"--seed (\d+)", text)
        return Finding(int(ended[1]) if ended else 0, 0, "the process ends: " + text.strip().splitlines()[0])


def shown_guard(bug):
    """As the table has it: one line."""
    return bug.guard.splitlines()[-1].strip().replace("|", "\\|")


def row(bug, finding):
    found = f"{finding.violation} | {finding.seed} | {finding.faults}" if finding else "not found | – | –"
    return f"| {bug.name} | `{bug.file}`: `{shown_guard(bug)}` | {found} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="for the copy and its build, as build/planted-bugs")
    parser.add_argument("--seeds", type=int, default=400, help="simulations for each bug")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("names", nargs="*", help="bugs, by a part of their name; none: all")
    arguments = parser.parse_args()
    chosen = [bug for bug in BUGS if not arguments.names or any(n in bug.name for n in arguments.names)]
    workshop = Workshop(arguments.folder.resolve(), arguments.jobs)
    workshop.prepare()
    print("| bug | guard that is removed | found by | simulations | faults |\n|---|---|---|--:|--:|", flush=True)
    missed = []
    for bug in chosen:
        finding = workshop.find(bug, arguments.seeds)
        print(row(bug, finding), flush=True)
        if finding is None:
            missed.append(bug.name)
    print(f"\n{len(chosen) - len(missed)} of {len(chosen)} planted bugs were found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
