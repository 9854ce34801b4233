// SPDX-License-Identifier: Apache-2.0
// What becomes of packets to services, a row each: the flow and masquerade matrix of kube-proxy.
// To be held against the model, against rendered rules and against kernels.
#pragma once

#include <string_view>

namespace proxima::test {

struct PacketRow {
  const char* name;
  const char* from;
  const char* to;  // of the service's port there; a node address: its node port
  // What arrives where, as PacketWorld::outcome() says it, with the Service's policies: both
  // Cluster, external Local, internal Local.
  const char* cluster;
  const char* external_local;
  const char* internal_local;
};

inline constexpr std::string_view kMatrixService =
    "ns/svc LoadBalancer ip=$cluster port=p:80>30080 vip=$vip external=$external";
inline constexpr std::string_view kMatrixSlice = "ns/svc port=p:8080 $L@here $R@there";

// One endpoint on the node and one elsewhere.
// clang-format off
inline constexpr PacketRow kFlowRows[] = {
    //                                                      both Cluster  external Local internal Local
    {"a Pod to the cluster address",     "pod",     "cluster",  "L R",      "L R",      "L"},
    {"the node to the cluster address",  "node",    "cluster",  "L R snat", "L R snat", "L snat"},
    {"outside to the cluster address",   "outside", "cluster",  "L R snat", "L R snat", "L snat"},
    {"a Pod to a node port",             "pod",     "node",     "L R snat", "L R",      "L R snat"},
    {"the node to its node port",        "node",    "node",     "L R snat", "L R snat", "L R snat"},
    {"outside to a node port",           "outside", "node",     "L R snat", "L",        "L R snat"},
    {"a Pod to the balancer",            "pod",     "vip",      "L R snat", "L R",      "L R snat"},
    {"the node to the balancer",         "node",    "vip",      "L R snat", "L R snat", "L R snat"},
    {"outside to the balancer",          "outside", "vip",      "L R snat", "L",        "L R snat"},
    {"a Pod to an external address",     "pod",     "external", "L R snat", "L R",      "L R snat"},
    {"the node to an external address",  "node",    "external", "L R snat", "L R snat", "L R snat"},
    {"outside to an external address",   "outside", "external", "L R snat", "L",        "L R snat"},
};

// Nobody can tell a Pod's traffic from others'.
inline constexpr PacketRow kRowsWithoutDetector[] = {
    {"a Pod to the cluster address",     "pod",     "cluster",  "L R",      "L R",      "L"},
    {"the node to the cluster address",  "node",    "cluster",  "L R",      "L R",      "L"},
    {"outside to the cluster address",   "outside", "cluster",  "L R",      "L R",      "L"},
    {"a Pod to a node port",             "pod",     "node",     "L R snat", "L",        "L R snat"},
    {"the node to its node port",        "node",    "node",     "L R snat", "L R snat", "L R snat"},
    {"outside to a node port",           "outside", "node",     "L R snat", "L",        "L R snat"},
    {"a Pod to the balancer",            "pod",     "vip",      "L R snat", "L",        "L R snat"},
    {"the node to the balancer",         "node",    "vip",      "L R snat", "L R snat", "L R snat"},
    {"outside to the balancer",          "outside", "vip",      "L R snat", "L",        "L R snat"},
    {"a Pod to an external address",     "pod",     "external", "L R snat", "L",        "L R snat"},
    {"the node to an external address",  "node",    "external", "L R snat", "L R snat", "L R snat"},
    {"outside to an external address",   "outside", "external", "L R snat", "L",        "L R snat"},
};

// With masqueradeAll; rows that are not here are as above.
inline constexpr PacketRow kRowsMasqueradingAll[] = {
    {"a Pod to the cluster address",     "pod",     "cluster",  "L R snat", "L R snat", "L snat"},
    {"the node to the cluster address",  "node",    "cluster",  "L R snat", "L R snat", "L snat"},
    {"outside to the cluster address",   "outside", "cluster",  "L R snat", "L R snat", "L snat"},
};
// clang-format on

// What endpoints there are decides between delivering, rejecting and dropping.
struct VerdictRow {
  const char* name;
  const char* policies;  // words for the Service
  const char* endpoints;
  const char* pod_to_cluster;
  const char* outside_to_node_port;
  const char* node_to_node_port;
};

// clang-format off
inline constexpr VerdictRow kVerdictRows[] = {
    {"no endpoint: everybody is told",                 "",              "",                "reject", "reject", "reject"},
    {"none that is ready or serves",                   "",              "$L@here! $R!",    "reject", "reject", "reject"},
    {"the same with policy Local",                     "iLocal eLocal", "$R@there!",       "reject", "reject", "reject"},
    {"external Local, all elsewhere",                  "eLocal",        "$R@there",        "R",      "drop",   "R snat"},
    {"internal Local, all elsewhere",                  "iLocal",        "$R@there",        "drop",   "R snat", "R snat"},
    {"both Local, all elsewhere",                      "iLocal eLocal", "$R@there",        "drop",   "drop",   "R snat"},
    {"both Local, both here",                          "iLocal eLocal", "$L@here $L2@here","L L2",   "L L2",   "L L2 snat"},
    {"external Local, only draining here",             "eLocal",        "$L@here~ $R@there","R",     "L",      "R snat"},
    {"internal Local, only draining here",             "iLocal",        "$L@here~ $R@there","L",     "R snat", "R snat"},
    {"draining everywhere",                            "eLocal",        "$L@here~ $R@there~","L R",  "L",      "L R snat"},
    {"draining elsewhere only, external Local",        "eLocal",        "$R@there~",       "R",      "drop",   "R snat"},
    {"draining elsewhere only, Cluster",               "",              "$R@there~",       "R",      "R snat", "R snat"},
    {"ready before draining",                          "",              "$L@here~ $R@there","R",     "R snat", "R snat"},
    {"ending and no longer serving",                   "",              "$L@here! $R@there","R",     "R snat", "R snat"},
    {"external Local, and hints for the zone",         "eLocal",        "$L@here+b $R@there+a", "R", "L",      "R snat"},
};
// clang-format on

}  // namespace proxima::test
