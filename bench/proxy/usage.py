# SPDX-License-Identifier: Apache-2.0
"""What a process, and the programs that it started and that ended, have used."""
import os
import re


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def memory_megabytes(pid):
    """At its peak, without children."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmHWM:\s*(\d+)", file.read())[1]) / 1024
