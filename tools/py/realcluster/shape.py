# SPDX-License-Identifier: Apache-2.0
"""Names and addresses of a cluster. Nothing here touches the machine."""
import dataclasses

# Everything on the machine that belongs to the cluster begins with this, so that what a crash has
# left behind is found by its name.
PREFIX = "pxc-"
CONTROL_SPACE = PREFIX + "control"
NODES_MAX = 89  # node n has the address .10 + n of a /24
ZONES_MAX = 16

SERVER_IP, SERVER_IP6, SERVER_PORT = "172.30.0.1", "fd00:30::1", 6443
SERVER_URL = f"https://{SERVER_IP}:{SERVER_PORT}"
POD_RANGES = ("10.244.0.0/16", "fd00:244::/48")
SERVICE_RANGES = ("10.96.0.0/16", "fd00:96::/112")
SERVICE_IP = "10.96.0.1"  # of the Service "kubernetes"
DNS_IP = "10.96.0.10"


@dataclasses.dataclass(frozen=True)
class Node:
    number: int  # from 1 on
    zone: str

    @property
    def name(self):
        return f"node{self.number}"

    @property
    def space(self):
        """Its network namespace."""
        return PREFIX + self.name

    @property
    def addresses(self):
        return f"172.30.0.{10 + self.number}", f"fd00:30::{10 + self.number}"

    @property
    def pod_ranges(self):
        return f"10.244.{self.number}.0/24", f"fd00:244:{self.number}::/64"


@dataclasses.dataclass(frozen=True)
class Shape:
    """Nodes are dealt to zones in turn: of six nodes in three zones, node1 and node4 are in zone-a."""
    node_count: int = 6
    zone_count: int = 3

    def __post_init__(self):
        if not 1 <= self.node_count <= NODES_MAX:
            raise ValueError(f"nodes: {self.node_count} is not between 1 and {NODES_MAX}")
        if not 1 <= self.zone_count <= ZONES_MAX:
            raise ValueError(f"zones: {self.zone_count} is not between 1 and {ZONES_MAX}")

    @property
    def nodes(self):
        return [Node(number, f"zone-{chr(ord('a') + (number - 1) % self.zone_count)}")
                for number in range(1, self.node_count + 1)]
