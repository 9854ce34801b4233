# SPDX-License-Identifier: Apache-2.0
"""Network namespaces: which a process has, and who still has them afterwards."""
import os
import pathlib
import re

NAMESPACE = re.compile(r"^net:\[(\d+)\]$")


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def namespace_links(process):
    """Number of a network namespace that a process is in or holds by a descriptor → where."""
    found = {}
    folder = f"/proc/{process}/fd"
    try:
        links = [f"/proc/{process}/ns/net"] + [f"{folder}/{name}" for name in os.listdir(folder)]
    except OSError:
        return found
    for link in links:
        try:
            match = NAMESPACE.match(os.readlink(link))
        except OSError:
            continue
        if match:
            found[match.group(1)] = link
    return found


class NamespaceWatch:
    """Those that a process has now, without the one that we are in. A number is given to a new
    namespace at once when nobody holds the old one: until close() we do."""

    def __init__(self, process):
        here = NAMESPACE.match(os.readlink("/proc/self/ns/net")).group(1)
        self.descriptors = {}
        for name, link in namespace_links(process).items():
            if name != here:
                self.descriptors[name] = os.open(link, os.O_RDONLY)

    @classmethod
    def of_files(cls, files):
        """Of those that are mounted there."""
        watch = cls.__new__(cls)
        watch.descriptors = {}
        for file in files:
            watch.descriptors[str(os.stat(file).st_ino)] = os.open(file, os.O_RDONLY)
        return watch

    def __len__(self):
        return len(self.descriptors)

    def left(self):
        """Who but us still has one of them, in words."""
        found = [f"network namespace {name} of process {process}" for process in processes()
                 if process != os.getpid()
                 for name in namespace_links(process).keys() & self.descriptors.keys()]
        mounts = pathlib.Path("/proc/self/mountinfo").read_text()
        return found + [f"mount of namespace {name}" for name in self.descriptors
                        if f"net:[{name}]" in mounts]

    def close(self):
        for descriptor in self.descriptors.values():
            os.close(descriptor)
        self.descriptors = {}
