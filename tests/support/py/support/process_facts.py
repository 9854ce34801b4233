# SPDX-License-Identifier: Apache-2.0
"""What /proc says about processes. Of one that is gone it says nothing."""
import os
import pathlib
import re
import resource

from support.namespace_watch import processes

FEW_DESCRIPTORS = 256


def status_field(process, field):
    """A number of /proc/PID/status, in kB where it has a unit."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    found = re.search(rf"^{field}:\s+(\d+)(?: kB)?$", text, re.MULTILINE)
    return int(found.group(1)) if found else None


def descriptors(process):
    try:
        return len(os.listdir(f"/proc/{process}/fd"))
    except OSError:
        return None


def start_with_few_descriptors():
    """For preexec_fn: lets a program start with fewer descriptors than it may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FEW_DESCRIPTORS, most), most))


def descriptor_limits(process):
    """How many descriptors it may have now, and at most."""
    return resource.prlimit(process, resource.RLIMIT_NOFILE)


def command_line(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def marked(mark):
    """Processes that were started with `mark`, "NAME=VALUE", in their environment."""
    found = []
    for process in processes():
        try:
            environment = pathlib.Path(f"/proc/{process}/environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment.split(b"\0"):
            found.append(process)
    return found
