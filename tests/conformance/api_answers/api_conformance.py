#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real kube-apiserver and the embedded one the same, request by request.

  api_conformance.py record                      writes what the real server answers to recording/
  api_conformance.py check --server real         the recording is still true
  api_conformance.py check --server embedded --program build/release/bin/proxima
Either takes names of case files (services watch …) to run only those, and --case WORDS.
PROXIMA_PEERS says where kube-apiserver is. Exits with 77 and the reason when it is not there.
"""
import argparse
import contextlib
import importlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

import compare
import deliberate
import run
from peers import servers

SKIPPED = 77
SHOWN_LENGTH_MAX = 600

# What a file of cases may ask of its server.
PROFILES = {
    "single": {"ranges": servers.SINGLE_STACK},
    "dual": {"ranges": servers.DUAL_STACK},
    "controllers": {"ranges": servers.SINGLE_STACK,
                    "controllers": ("garbage-collector-controller", "namespace-controller")},
}


def case_files(names):
    every = sorted(path.stem for path in (HERE / "cases").glob("*.py") if path.stem != "__init__")
    unknown = set(names) - set(every)
    if unknown:
        sys.exit(f"no such file of cases: {' '.join(sorted(unknown))}; there are {' '.join(every)}")
    return [importlib.import_module("cases." + name) for name in every
            if not names or name in names]


def recording_of(module):
    return HERE / "recording" / (module.__name__.removeprefix("cases.") + ".json")


def start(options, profile):
    settings = PROFILES[profile]
    if options.server == "real":
        return servers.real_server(**settings)
    return servers.embedded_server(options.program, ranges=settings["ranges"])


def write_recording(path, answers):
    """One answer a line, so that a change of one shows as one."""
    path.parent.mkdir(exist_ok=True)
    blocks = []
    for says, steps in answers.items():
        lines = ",\n".join("  " + json.dumps(step, ensure_ascii=False) for step in steps)
        blocks.append(f" {json.dumps(says)}: [\n{lines}\n ]")
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def shown(value):
    text = value if value == compare.MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_LENGTH_MAX else text[:SHOWN_LENGTH_MAX] + "…"


def check_case(says, recorded, answers, tolerant):
    """Prints what differs; the number of steps that do."""
    wrong = 0
    for position, (there, here) in enumerate(zip(recorded, answers)):
        found = [row for row in compare.differences(there, here)
                 if not (tolerant and deliberate.is_deliberate(says, there["step"], row[0]))]
        if not found:
            continue
        print(f"\n✗ {says}\n  step {position + 1}: {there['step']}")
        for path, expected, actual in found:
            print(f"    {path}\n      recorded  {shown(expected)}\n      here      {shown(actual)}")
        wrong += 1
    return wrong


class Run:
    def __init__(self, options):
        self.options = options
        self.steps = self.wrong = self.cases = 0

    def wanted(self, module):
        return [case for case in module.CASES if (self.options.case or "") in case.says]

    def file(self, module, endpoint):
        path = recording_of(module)
        recorded = json.loads(path.read_text()) if path.exists() else {}
        answers = {}
        for case in self.wanted(module):
            answers[case.says] = run.CaseRun(case, endpoint).answers()
            self.cases += 1
            self.steps += len(case.steps)
            if self.options.mode == "check":
                self.check(case, recorded.get(case.says), answers[case.says])
        if self.options.mode == "record":
            kept = {case.says: answers.get(case.says) or recorded[case.says]
                    for case in module.CASES if case.says in answers or case.says in recorded}
            write_recording(path, kept)

    def check(self, case, recorded, answers):
        if recorded is None or [step["step"] for step in recorded] != [s.says for s in case.steps]:
            print(f"\n✗ {case.says}\n  the recording has other steps; record it again")
            self.wrong += len(case.steps)
            return
        self.wrong += check_case(case.says, recorded, answers, self.options.server == "embedded")

    def all(self, modules):
        for profile in PROFILES:
            files = [module for module in modules
                     if getattr(module, "PROFILE", "single") == profile and self.wanted(module)]
            if not files:
                continue
            with start(self.options, profile) as endpoint:
                for module in files:
                    self.file(module, endpoint)


def unused_differences(options):
    if options.server != "embedded" or options.files or options.case:
        return 0
    unused = [row for row in deliberate.DIFFERENCES if not row.used]
    for row in unused:
        print(f"\n✗ no longer different: {row.case} / {row.step} / {row.field}")
    return len(unused)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=("record", "check"))
    parser.add_argument("files", nargs="*", help="names of case files; all when none is given")
    parser.add_argument("--server", choices=("real", "embedded"), default="real")
    parser.add_argument("--program", help="proxima, for the embedded server")
    parser.add_argument("--case", help="only the cases whose sentence has these words")
    return parser.parse_intermixed_args()


def main():
    options = arguments()
    result = Run(options)
    with contextlib.ExitStack() as stack:
        stack.callback(sys.stdout.flush)
        try:
            result.all(case_files(options.files))
        except servers.Unavailable as why:
            print(f"skipped: {why}")
            sys.exit(SKIPPED)
    wrong = result.wrong + unused_differences(options)
    print(f"{result.cases} cases, {result.steps} steps, {wrong} of them differ"
          if options.mode == "check" else f"{result.cases} cases, {result.steps} steps recorded")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
