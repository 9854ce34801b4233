// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_port.h"

#include <algorithm>
#include <optional>

#include "core/model/limits.h"

namespace proxima::proxy {
namespace {

using kube::ServiceRecord;
using model::ServiceType;
using model::TrafficPolicy;

std::optional<IpAddress> cluster_ip(const ServiceRecord& service, IpFamily family) {
  const auto& families = service.ip_families;
  std::size_t at = 0;
  if (!families.empty()) {
    const auto found = std::find(families.begin(), families.end(), family);
    at = static_cast<std::size_t>(found - families.begin());
  }
  if (at >= service.cluster_ips.size()) return std::nullopt;
  const IpAddress& address = service.cluster_ips[at];
  return address.family() == family ? std::optional(address) : std::nullopt;
}

std::vector<IpAddress> of_family(const std::vector<IpAddress>& addresses, IpFamily family) {
  std::vector<IpAddress> chosen;
  std::copy_if(addresses.begin(), addresses.end(), std::back_inserter(chosen),
               [&](const IpAddress& address) { return address.family() == family; });
  return chosen;
}

// A load balancer in mode Proxy ends connections itself; what it sends here goes to node ports.
std::vector<IpAddress> load_balancer_ips(const ServiceRecord& service, IpFamily family) {
  std::vector<IpAddress> chosen;
  for (const kube::LoadBalancerIngress& ingress : service.load_balancer) {
    if (ingress.mode == kube::IpMode::Vip && ingress.address.family() == family)
      chosen.push_back(ingress.address);
  }
  return chosen;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The API's validation lets blanks around a range pass. A range of everything allows everyone, and
// then the others say nothing.
std::vector<IpPrefix> source_ranges(const ServiceRecord& service, IpFamily family) {
  std::vector<IpPrefix> ranges;
  for (const Text& text : service.source_ranges) {
    const auto range = IpPrefix::parse(trimmed(text.view()));
    if (!range || range->family() != family) continue;
    if (range->length() == 0) return {};
    ranges.push_back(*range);
  }
  return ranges;
}

bool can_have_external_policy(const ServiceRecord& service) {
  return service.type == ServiceType::LoadBalancer || service.type == ServiceType::NodePort ||
         (service.type == ServiceType::ClusterIp && service.has_external_ips);
}

// What all ports of the Service have in common.
ServicePort without_port(const ServiceRecord& service, IpFamily family) {
  ServicePort common;
  common.key.ns = service.meta.ns;
  common.key.service = service.meta.name;
  common.external_ips = of_family(service.external_ips, family);
  common.load_balancer_ips = load_balancer_ips(service, family);
  common.source_ranges = source_ranges(service, family);
  common.affinity_seconds = service.client_ip_affinity ? service.affinity_seconds : 0;
  constexpr std::size_t kFew = model::limit_of(model::Bounded::AffinityPorts).most_count();
  common.remembers_fewer_clients = common.affinity_seconds != 0 && service.ports.size() > kFew;
  common.internal_policy_local = service.internal_policy == TrafficPolicy::Local;
  common.external_policy_local =
      service.external_policy == TrafficPolicy::Local && can_have_external_policy(service);
  if (service.type == ServiceType::LoadBalancer && common.external_policy_local)
    common.health_check_node_port = service.health_check_node_port;
  return common;
}

}  // namespace

std::string to_text(const ServicePortKey& key) {
  std::string text = std::string(key.ns.view()) + "/" + std::string(key.service.view());
  if (!key.port.view().empty()) text += ":" + std::string(key.port.view());
  return text + "/" + std::string(kube::to_text(key.protocol));
}

std::vector<ServicePort> service_ports(const ServiceRecord& service, IpFamily family,
                                       const ServicePortOptions& options) {
  const auto address = cluster_ip(service, family);
  if (!address) return {};
  ServicePort common = without_port(service, family);
  common.cluster_ip = *address;
  const bool reached_by_address = !common.external_ips.empty() || !common.load_balancer_ips.empty();
  if (!options.routes_external_ips) common.external_ips = {};

  std::vector<ServicePort> ports;
  ports.reserve(service.ports.size());
  for (const kube::ServicePortRecord& port : service.ports) {
    ServicePort& one = ports.emplace_back(common);
    // The name that an unnamed port has in slices, whether the object says "" or nothing.
    one.key.port = port.name.has_value() ? port.name : Text("");
    one.key.protocol = port.protocol;
    one.port = port.port;
    one.node_port = port.node_port;
    one.externally_accessible = reached_by_address || port.node_port != 0;
  }
  return ports;
}

}  // namespace proxima::proxy
