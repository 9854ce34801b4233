// SPDX-License-Identifier: Apache-2.0
// A Service as the cache holds it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ip_address.h"
#include "core/model/service.h"
#include "kube/record.h"

namespace proxima::kube {

struct ServicePortRecord {
  Text name;  // "" for an unnamed port
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  std::uint16_t node_port = 0;
  std::uint16_t target_port = 0;  // 0: see target_name
  Text target_name;               // a container port's name; none when numeric
  Text app_protocol;
};

// Of status.loadBalancer: only an address, and only in this mode, is the proxy's business.
enum class IpMode : std::uint8_t { Vip, Proxy };
struct LoadBalancerIngress {
  IpAddress address;
  IpMode mode = IpMode::Vip;
};

// One of status.conditions that is ours: "proxima.io/TrafficDistributionAccepted".
struct ConditionRecord {
  Text type;
  Text status;
  Text reason;
  Text message;
};

struct ServiceRecord : RefCounted {
  RecordMeta meta;
  LabelSetRef labels;
  LabelSetRef annotations;  // those that the system knows
  LabelSetRef selector;     // null: spec.selector is missing
  model::ServiceType type = model::ServiceType::ClusterIp;
  model::TrafficPolicy internal_policy = model::TrafficPolicy::Cluster;
  model::TrafficPolicy external_policy = model::TrafficPolicy::Cluster;
  bool headless = false;
  bool publish_not_ready = false;
  bool client_ip_affinity = false;
  bool has_v4 = false;  // of ipFamilies, or else of the cluster addresses; maybe neither
  bool has_v6 = false;
  bool has_external_ips = false;  // also when none of them can be read
  std::uint16_t health_check_node_port = 0;
  std::uint32_t affinity_seconds = 0;
  std::vector<ServicePortRecord> ports;
  std::vector<IpFamily> ip_families;   // as the object says
  std::vector<IpAddress> cluster_ips;  // one a family
  std::vector<IpAddress> external_ips;
  std::vector<LoadBalancerIngress> load_balancer;
  std::vector<ConditionRecord> conditions;  // only those whose type begins with "proxima.io/"
  std::vector<Text> source_ranges;          // spec.loadBalancerSourceRanges as written
  std::vector<Text> topology_keys;          // spec.topologyKeys as written
  Text traffic_distribution;
  Text traffic_policy;  // spec.trafficPolicy, the name in KEP-2433

  ObjectKey key() const { return {meta.ns.view(), meta.name.view()}; }
};

}  // namespace proxima::kube
