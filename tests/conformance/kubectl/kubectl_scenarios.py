#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs real kubectl programs, unchanged, against the embedded server, and compares what they print
with what they print against a real kube-apiserver.

  kubectl_scenarios.py --server real                          the transcripts are still true
  kubectl_scenarios.py --server embedded --program PROXIMA    ours gives the same
UPDATE=1 writes the transcripts instead; review reads the difference. Names of scenarios limit the
run. Exits with 77 and the reason when a program is not to be had.
"""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

from peers import servers
from transcript import Normaliser

SKIPPED = 77
COMMAND_SECONDS_MAX = 60
KUBECTLS = ("kubectl-1.32", "kubectl")
CONTROLLERS = ("garbage-collector-controller", "namespace-controller")

# Waits until a file that another command writes has so many lines.
PRELUDE = """
lines() { for _ in $(seq 400); do [ "$(wc -l < "$2")" -ge "$1" ] && return; sleep 0.05; done
  echo "only $(wc -l < "$2") lines came"; }
"""


class Scenario:
    """A text: a story in # lines, files as `-- NAME --` blocks, then `$ COMMAND` lines."""

    def __init__(self, path):
        self.name = path.stem
        self.files, self.commands = {}, []
        self.server = "real"
        current = None
        for line in path.read_text().splitlines():
            if line.startswith("-- ") and line.endswith(" --"):
                current = line[3:-3]
                self.files[current] = ""
            elif line.startswith("$ "):
                current = None
                self.commands.append(line[2:])
            elif line == "# server: embedded":
                self.server = "embedded"
            elif current is not None:
                self.files[current] += line + "\n"
            elif line and not line.startswith("#"):
                sys.exit(f"{path}: not a line of a scenario: {line}")


def kubeconfig_in(folder, endpoint, namespace):
    """The server's own kubeconfig, with the scenario's namespace in its context."""
    path = folder / "kubeconfig"
    path.write_bytes(endpoint.kubeconfig.read_bytes())
    path.chmod(0o600)
    subprocess.run([folder / "bin" / "kubectl", "config", "set-context", "--current",
                    f"--namespace={namespace}"],
                   env=environment(folder), check=True, capture_output=True)
    return path


def environment(folder):
    return {**os.environ, "KUBECONFIG": str(folder / "kubeconfig"), "HOME": str(folder),
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def play(scenario, program, endpoint):
    """The transcript: each command, what it printed and how it ended."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "kubectl").symlink_to(servers.peer(program))
        namespace = f"{scenario.name}-{program.removeprefix('kubectl').strip('-.') or 'new'}"
        namespace = namespace.replace(".", "-")
        kubeconfig_in(folder, endpoint, namespace)
        for file, text in scenario.files.items():
            (folder / file).write_text(text.replace("<ns>", namespace))
        normalise = Normaliser(namespace, f"{endpoint.host}:{endpoint.port}", str(folder))
        parts = []
        for command in [f"kubectl create namespace {namespace}"] + scenario.commands:
            ended = subprocess.run(["bash", "-c", PRELUDE + command.replace("<ns>", namespace)],
                                   cwd=folder, env=environment(folder), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS_MAX)
            code = f"[exit {ended.returncode}]\n" if ended.returncode else ""
            parts.append(f"$ {command}\n{normalise.text(ended.stdout)}{code}")
        return "\n".join(parts[1:])


def start(options):
    if options.server == "real":
        return servers.real_server(controllers=CONTROLLERS)
    return servers.embedded_server(options.program)


def compare(path, here):
    """Whether the transcript is as recorded; prints how it is not."""
    recorded = path.read_text() if path.exists() else ""
    if os.environ.get("UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(here)
        return True
    difference = list(difflib.unified_diff(recorded.splitlines(), here.splitlines(), "recorded",
                                           "here", lineterm="", n=4))
    if difference:
        print(f"\n✗ {path.stem}\n" + "\n".join(difference))
    return not difference


def run(options, scenarios):
    wrong = played = 0
    with start(options) as endpoint:
        for program in KUBECTLS:
            for scenario in scenarios:
                here = play(scenario, program, endpoint)
                wrong += not compare(HERE / "recorded" / f"{scenario.name}.{program}.txt", here)
                played += len(scenario.commands)
    print(f"{len(scenarios)} scenarios, {played} commands with {' and '.join(KUBECTLS)}: "
          f"{wrong} transcripts differ")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", choices=("real", "embedded"), required=True)
    parser.add_argument("--program", help="proxima, for the embedded server")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    scenarios = [Scenario(path) for path in sorted((HERE / "scenarios").glob("*.txt"))
                 if not options.names or path.stem in options.names]
    if options.server == "real":  # what only the embedded server does cannot be asked here
        scenarios = [scenario for scenario in scenarios if scenario.server == "real"]
    try:
        for program in KUBECTLS:
            servers.peer(program)
        wrong = run(options, scenarios)
    except servers.Unavailable as why:
        print(f"skipped: {why}")
        sys.exit(SKIPPED)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
