# SPDX-License-Identifier: Apache-2.0
"""What a process, and the programs that it started and that ended, have used."""
import http.client
import os
import pathlib
import re
import socket

from testbed import bed as beds
from testbed import proxies
from testbed.waiting import eventually

SYNCS = r'^kubeproxy_sync_proxy_rules_duration_seconds_(sum|count){ip_family="IPv4"} (\S+)$'


def cpu_seconds(pid):
    own = 0
    for file in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        own += int(file.read_text().split()[0])
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = int(fields[13]) + int(fields[14])
    return own / 1e9 + children / os.sysconf("SC_CLK_TCK")


def memory_megabytes(pid):
    """At its peak, without children."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmHWM:\s*(\d+)", file.read())[1]) / 1024


def own_megabytes(pid):
    """Now, without the pages of programs and libraries, which every process of them shares."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"RssAnon:\s*(\d+)", file.read())[1]) / 1024


def metrics_text(host):
    connection = http.client.HTTPConnection("127.0.0.1", proxies.METRICS_PORT)
    connection.sock = beds.socket_inside(host.file, lambda: socket.create_connection(
        ("127.0.0.1", proxies.METRICS_PORT), 10))
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def sync_seconds(host):
    """Seconds in all syncs of IPv4 so far, and how many there were, by the proxy's own metric,
    which may come a little after the rules."""
    found = eventually(lambda: dict(re.findall(SYNCS, metrics_text(host), re.MULTILINE)),
                       "the proxy's metric of its syncs")
    return float(found["sum"]), float(found["count"])
