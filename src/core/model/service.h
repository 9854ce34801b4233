// SPDX-License-Identifier: Apache-2.0
// A Service with everything that decides where its traffic goes. Texts that choose a policy are
// kept as written: core/policy/settings reads them, so that one place says what is wrong with them.
#pragma once

#include <cstdint>

#include "core/model/ids.h"

namespace proxima::model {

enum class ServiceType : std::uint8_t { ClusterIp, NodePort, LoadBalancer, ExternalName };
enum class TrafficPolicy : std::uint8_t { Cluster, Local };

struct ServicePort {
  NameId name;  // "" for an unnamed port
  NameId protocol;
  std::uint16_t port = 0;
  std::uint16_t node_port = 0;
  std::uint16_t target_port = 0;  // 0: see target_name
  NameId target_name;             // a container port's name; none when numeric
  NameId app_protocol;
};

// What a Service or a Namespace says about its own routing; none where it is silent.
struct RoutingTexts {
  NameId policy;               // proxima.io/policy
  NameId overload;             // proxima.io/overload
  NameId topology_keys;        // proxima.io/topology-keys
  NameId demand;               // proxima.io/demand
  NameId min_local_endpoints;  // proxima.io/min-local-endpoints
  NameId node_first;           // proxima.io/node-first
  NameId panic;                // proxima.io/panic
  NameId auto_start;           // proxima.io/auto-start
  NameId auto_stop;            // proxima.io/auto-stop
  NameId failover;             // proxima.io/failover
  NameId fallback;             // proxima.io/fallback
};

struct Service {
  NamespaceIndex ns;
  NameId name;
  ServiceType type = ServiceType::ClusterIp;
  TrafficPolicy internal_policy = TrafficPolicy::Cluster;
  TrafficPolicy external_policy = TrafficPolicy::Cluster;
  bool headless = false;
  bool has_selector = false;  // an empty selector {} counts: it selects every Pod
  bool publish_not_ready = false;
  bool has_external_ips = false;
  bool has_load_balancer_ip = false;
  bool has_v4 = true;  // address families asked for
  bool has_v6 = false;
  Range ports;                  // into Snapshot::service_ports
  Range labels;                 // into Snapshot::labels
  Range selector;               // into Snapshot::labels; all must match
  Range topology_key_fields;    // into Snapshot::names_pool: spec.topologyKeys as written
  NameId topology_aware_hints;  // annotation, the deprecated name
  NameId topology_mode;         // annotation, the newer name
  NameId traffic_distribution;  // spec.trafficDistribution
  NameId traffic_policy;        // spec.trafficPolicy, the name in KEP-2433
  RoutingTexts routing;
  Range slices;  // into Snapshot::slices: those of this service, IPv4 first, then by name
};

struct Namespace {
  NameId name;
  RoutingTexts routing;
};

}  // namespace proxima::model
