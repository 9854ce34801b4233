// SPDX-License-Identifier: Apache-2.0
#include "core/policy/traffic_policies.h"

#include <algorithm>

namespace proxima::policy {
namespace {

using model::ServiceType;
using model::TrafficPolicy;

bool has_external_policy(const model::Service& service) {
  switch (service.type) {
    case ServiceType::NodePort:
    case ServiceType::LoadBalancer:
      return true;
    case ServiceType::ClusterIp:
      return service.has_external_ips;
    case ServiceType::ExternalName:
      return false;
  }
  return false;
}

bool is_accessible(const model::Service& service, std::span<const model::ServicePort> ports) {
  return service.has_external_ips || service.has_load_balancer_ip ||
         std::any_of(ports.begin(), ports.end(),
                     [](const model::ServicePort& port) { return port.node_port != 0; });
}

std::optional<Note> overruled_by(bool overruled, Reason reason) {
  return overruled ? std::optional<Note>(Note{.reason = reason}) : std::nullopt;
}

}  // namespace

TrafficPolicies traffic_policies(const model::Service& service,
                                 std::span<const model::ServicePort> ports) {
  TrafficPolicies result;
  result.externally_accessible = is_accessible(service, ports);
  result.internal_policy_local = service.internal_policy == TrafficPolicy::Local;
  result.external_policy_local =
      has_external_policy(service) && service.external_policy == TrafficPolicy::Local;
  result.internal = overruled_by(result.internal_policy_local, Reason::InternalTrafficPolicyLocal);
  result.external = overruled_by(result.external_policy_local && result.externally_accessible,
                                 Reason::ExternalTrafficPolicyLocal);
  return result;
}

}  // namespace proxima::policy
