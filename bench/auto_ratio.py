#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `auto` on the same slices with upstream's Go code and with ours, one after the other,
and prints nanoseconds an endpoint and the ratio.

Usage: auto_ratio.py [--json] [BUILD_DIRECTORY]     (build/release)
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (100, 1_000, 10_000)
ENDPOINTS_IN_SLICE = 100  # upstream's own default
ZONES = ("zone-a", "zone-b", "zone-c")


def endpoint(number, hinted):
    # 5 : 3 : 2, while the CPU is even: part of the endpoints has to be lent.
    zone = ZONES[(0, 0, 0, 0, 0, 1, 1, 1, 2, 2)[number % 10]]
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    made = {"address": address, "zone": zone, "ready": True}
    return {**made, "forZones": [ZONES[number % 3]]} if hinted else made


def question(size, state):
    """`update`: every slice is written. `unchanged`: every slice keeps the hints it has."""
    slices = []
    for first in range(0, size, ENDPOINTS_IN_SLICE):
        last = min(size, first + ENDPOINTS_IN_SLICE)
        slices.append({"name": f"s{first:06}", "state": state, "endpoints": [
            endpoint(i, state == "unchanged") for i in range(first, last)]})
    nodes = [{"name": f"node-{zone}", "zone": zone, "allocatableCpu": "8", "ready": True}
             for zone in ZONES]
    return {"name": f"{state}-{size}", "nodes": nodes, "slices": slices}


def build_peer(directory):
    """The Go program, or why there is none."""
    if shutil.which("go") is None:
        return None, "go is not installed"
    program = pathlib.Path(directory).resolve() / "bench" / "peer"
    built = subprocess.run(["go", "build", "-o", program, "."], cwd=HERE / "peer",
                           capture_output=True, text=True)
    return (program, "") if built.returncode == 0 else (None, built.stderr.strip()[-300:])


def measure(program, questions):
    done = subprocess.run([program, questions], stdout=subprocess.PIPE, text=True, check=True)
    return {r["name"]: r["nsPerEndpoint"] for r in map(json.loads, done.stdout.splitlines())}


def rows(ours, theirs):
    for state in ("update", "unchanged"):
        for size in SIZES:
            name = f"{state}-{size}"
            upstream = theirs.get(name)
            yield {"slices": state, "endpoints": size, "upstreamNs": upstream, "oursNs": ours[name],
                   "ratio": upstream / ours[name] if upstream else None}


def print_table(table):
    print(f"{'slices':<10} {'endpoints':>9} {'upstream':>10} {'ours':>9} {'ratio':>7}"
          "   ns an endpoint")
    for row in table:
        upstream = f"{row['upstreamNs']:.1f}" if row["upstreamNs"] else "-"
        ratio = f"{row['ratio']:.0f} x" if row["ratio"] else "-"
        print(f"{row['slices']:<10} {row['endpoints']:>9} {upstream:>10} {row['oursNs']:>9.2f} "
              f"{ratio:>7}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("build", nargs="?", default="build/release")
    arguments = parser.parse_args()
    peer, why = build_peer(arguments.build)
    if peer is None:
        print(f"upstream is not measured: {why}", file=sys.stderr)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for state in ("update", "unchanged"):
            file.writelines(json.dumps(question(size, state)) + "\n" for size in SIZES)
        file.flush()
        theirs = measure(peer, file.name) if peer else {}
        ours = measure(pathlib.Path(arguments.build) / "bin" / "auto_bench", file.name)
    table = list(rows(ours, theirs))
    if arguments.json:
        print(json.dumps(table))
    else:
        print_table(table)


if __name__ == "__main__":
    main()
