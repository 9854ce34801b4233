# SPDX-License-Identifier: Apache-2.0
"""What the cluster does to the machine: commands, background processes, namespaces."""
import contextlib
import os
import pathlib
import signal
import subprocess

from realcluster.shape import PREFIX
from testbed.waiting import eventually

SPACES = pathlib.Path("/run/netns")
STOP_SECONDS_MAX = 20


def run(*words, text=None, quiet=False):
    """Runs a command to its end and returns what it printed; raises with its words when it fails."""
    done = subprocess.run([str(word) for word in words], input=text, capture_output=True, text=True)
    if done.returncode != 0 and not quiet:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def in_space(space, *words):
    """The command line that runs `words` in a network namespace. `ip netns exec` would mount another
    /sys and hide the control groups."""
    return ["nsenter", f"--net={SPACES / space}", *map(str, words)]


def start(words, log, pid_file=None, **environment):
    """Starts a process that outlives this one, with a session of its own."""
    with open(log, "ab") as sink:
        child = subprocess.Popen([str(word) for word in words], stdout=sink, stderr=sink,
                                 stdin=subprocess.DEVNULL, start_new_session=True,
                                 env={**os.environ, **environment})
    if pid_file:
        pathlib.Path(pid_file).write_text(f"{child.pid}\n")
    return child.pid


def is_running(pid):
    """Whether the process is there and not a zombie that waits for its parent."""
    try:
        status = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def stop(pid_file):
    """Asks a process to end, waits, and kills it when it does not."""
    pid_file = pathlib.Path(pid_file)
    if not pid_file.exists():
        return
    pid = int(pid_file.read_text())
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
        with contextlib.suppress(AssertionError):
            eventually(lambda: not is_running(pid), "the process ends", STOP_SECONDS_MAX)
            break
    pid_file.unlink()


def spaces():
    """Network namespaces of a cluster that are there, whoever made them."""
    return sorted(one.name for one in SPACES.glob(PREFIX + "*"))


def kill_all_in(space):
    """Kills whatever has a foot in a namespace: a node's process 1, and with it all of the node."""
    for pid in run("ip", "netns", "pids", space, quiet=True).split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    eventually(lambda: not run("ip", "netns", "pids", space, quiet=True).strip(),
               f"everything in {space} ends")
