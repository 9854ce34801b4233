# SPDX-License-Identifier: Apache-2.0
"""A control group for each node, in the one hierarchy of cgroup v2 or in each hierarchy of v1."""
import contextlib
import os
import pathlib
import signal

from realcluster.machine import run
from testbed.waiting import eventually

ROOT = pathlib.Path("/sys/fs/cgroup")
PARENT = "proxima-cluster"
CONTROLLERS = "+cpuset +cpu +io +memory +pids"


def is_version_2():
    return (ROOT / "cgroup.controllers").exists()


def hierarchies():
    return [ROOT] if is_version_2() else [one for one in ROOT.iterdir()
                                         if one.is_dir() and not one.is_symlink()]


def path_of(node):
    """As kubelet's cgroupRoot wants it."""
    return f"/{PARENT}/{node.name}"


def make(node):
    for hierarchy in hierarchies():
        folder = hierarchy
        for part in (PARENT, node.name):
            if is_version_2():
                (folder / "cgroup.subtree_control").write_text(CONTROLLERS)
            folder = folder / part
            folder.mkdir(exist_ok=True)
            # In version 1 a group without processors and memory takes no process.
            for name in ("cpuset.cpus", "cpuset.mems"):
                if not is_version_2() and (folder / name).exists():
                    (folder / name).write_text((folder.parent / name).read_text())


def remove_all():
    """Kills what is left in the groups and removes them."""
    for hierarchy in hierarchies():
        top = hierarchy / PARENT
        if not top.exists():
            continue
        _kill(top)
        for folder, _, _ in os.walk(top, topdown=False):
            eventually(lambda: _is_removed(folder), f"the control group {folder} is removed",
                       seen=lambda: run("sh", "-c", f"cat {folder}/cgroup.procs", quiet=True))


def _kill(top):
    for folder, _, _ in os.walk(top):
        with contextlib.suppress(FileNotFoundError):
            for pid in (pathlib.Path(folder) / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)


def _is_removed(folder):
    with contextlib.suppress(OSError):
        os.rmdir(folder)
    return not os.path.exists(folder)
