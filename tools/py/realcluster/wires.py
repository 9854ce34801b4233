# SPDX-License-Identifier: Apache-2.0
"""The network of the cluster: a bridge in the control plane's namespace, a namespace for each node on
it, and routes between the Pod ranges of nodes, as plain as a CNI can be. Both IP families."""
from realcluster.machine import in_space, run
from realcluster.shape import CONTROL_SPACE, SERVER_IP, SERVER_IP6

FORWARDING = ("net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")


def add_space(space, settings=()):
    run("ip", "netns", "add", space)
    run("ip", "-n", space, "link", "set", "lo", "up")
    if settings:
        run(*in_space(space, "sysctl", "-qw", *settings))


def add_control_plane():
    add_space(CONTROL_SPACE, FORWARDING)
    run("ip", "-n", CONTROL_SPACE, "link", "add", "lan", "type", "bridge")
    run("ip", "-n", CONTROL_SPACE, "addr", "add", f"{SERVER_IP}/24", "dev", "lan")
    # Without duplicate address detection the address can be used at once.
    run("ip", "-n", CONTROL_SPACE, "addr", "add", f"{SERVER_IP6}/64", "dev", "lan", "nodad")
    run("ip", "-n", CONTROL_SPACE, "link", "set", "lan", "up")


def add_node(node):
    add_space(node.space, FORWARDING)
    run("ip", "link", "add", "eth0", "netns", node.space, "type", "veth", "peer", "name", node.name,
        "netns", CONTROL_SPACE)
    run("ip", "-n", CONTROL_SPACE, "link", "set", node.name, "master", "lan", "up")
    ip4, ip6 = node.addresses
    run("ip", "-n", node.space, "addr", "add", f"{ip4}/24", "dev", "eth0")
    run("ip", "-n", node.space, "addr", "add", f"{ip6}/64", "dev", "eth0", "nodad")
    run("ip", "-n", node.space, "link", "set", "eth0", "up")
    for gateway in (SERVER_IP, SERVER_IP6):
        run("ip", "-n", node.space, "route", "add", "default", "via", gateway)


def add_pod_routes(space, nodes):
    for node in nodes:
        for pods, via in zip(node.pod_ranges, node.addresses):
            run("ip", "-n", space, "route", "add", pods, "via", via)


def lay(shape):
    add_control_plane()
    for node in shape.nodes:
        add_node(node)
    add_pod_routes(CONTROL_SPACE, shape.nodes)
    for node in shape.nodes:
        add_pod_routes(node.space, [other for other in shape.nodes if other != node])
