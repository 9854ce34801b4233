# SPDX-License-Identifier: Apache-2.0
"""Programs that answer a line for a line: upstream's own code, built from its Go modules, and ours."""
import json
import pathlib
import shutil
import subprocess
import sys
import time

SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def build(source, program):
    """The path of the Go program. Fetching may fail without fault of ours, compiling may not."""
    if shutil.which("go") is None:
        skip("go is not installed, so upstream's code cannot be asked")
    fetched = subprocess.run(["go", "list", "-deps", "."], cwd=source, capture_output=True, text=True)
    if "replacement directory" in fetched.stderr:  # a folder of ours, which no network would bring
        sys.exit(fetched.stderr.strip()[-500:])
    if fetched.returncode != 0:
        skip("the Go modules of Kubernetes cannot be fetched: " + fetched.stderr.strip()[-500:])
    program = pathlib.Path(program)
    program.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    subprocess.run(["go", "build", "-o", program, "."], cwd=source, check=True)
    print(f"oracle built in {time.monotonic() - started:.0f} s")
    return program


class Program:
    """A co-process: a line in, a line out."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        """Ends the test if the program did not end well."""
        self.process.stdin.close()
        if self.process.wait(timeout=60) != 0:
            sys.exit(f"{self.process.args[0]} ended with {self.process.returncode}")
