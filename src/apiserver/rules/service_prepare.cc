// SPDX-License-Identifier: Apache-2.0
// What a write does to the fields that a Service's type decides. On update, what no longer applies
// and was not changed by the user is wiped; what was changed is left for validation to refuse.
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/service_parts.h"

namespace proxima::apiserver::rules {
namespace {

bool uses_node_ports(const ServiceSpec& spec) {
  return spec.is("NodePort") || spec.is("LoadBalancer");
}

bool adds_no_node_port(const ServiceSpec& now, const ServiceSpec& before) {
  const auto listed = before.node_ports();
  const std::set<std::int64_t> old_ports(listed.begin(), listed.end());
  const auto new_ports = now.node_ports();
  return std::all_of(new_ports.begin(), new_ports.end(),
                     [&](std::int64_t port) { return old_ports.contains(port); });
}

void wipe_cluster_ips(JsonFields& spec, const JsonFields& old) {
  if (text_at(spec, "clusterIP") == text_at(old, "clusterIP") &&
      same_member(spec, old, "clusterIPs")) {
    spec.erase("clusterIP");
    spec.erase("clusterIPs");
  }
  for (const std::string_view key : {"ipFamilies", "ipFamilyPolicy"})
    if (same_member(spec, old, key)) spec.erase(key);
}

void wipe_node_ports(JsonFields& spec) {
  if (JsonArray* const ports = find_array(spec, "ports"))
    for (boost::json::value& port : *ports) port.as_object().erase("nodePort");
}

void wipe_unchanged(JsonFields& spec, const JsonFields& old, std::string_view key) {
  if (same_member(spec, old, key)) spec.erase(key);
}

void wipe_by_type(JsonFields& service, const JsonFields& old) {
  const ServiceSpec now(service);
  const ServiceSpec before(old);
  const bool loses_ip = before.needs_cluster_ip() && !now.needs_cluster_ip();
  const bool loses_ports =
      uses_node_ports(before) && !uses_node_ports(now) && adds_no_node_port(now, before);
  const bool loses_check = before.needs_health_check() && !now.needs_health_check();
  const bool leaves_balancer = before.is("LoadBalancer") && !now.is("LoadBalancer");
  const bool hides = before.externally_accessible() && !now.externally_accessible();
  JsonFields& spec = make_object(service, "spec");
  if (loses_ip) wipe_cluster_ips(spec, before.fields());
  if (loses_ports) wipe_node_ports(spec);
  if (loses_check) wipe_unchanged(spec, before.fields(), "healthCheckNodePort");
  if (leaves_balancer) {
    wipe_unchanged(spec, before.fields(), "allocateLoadBalancerNodePorts");
    wipe_unchanged(spec, before.fields(), "loadBalancerClass");
  }
  if (hides) wipe_unchanged(spec, before.fields(), "externalTrafficPolicy");
}

// Upstream stores it for an ExternalName and never shows it. A bad value stays, to be refused.
void drop_idle_policy(JsonFields& service) {
  JsonFields& spec = make_object(service, "spec");
  const std::string_view policy = text_at(spec, "internalTrafficPolicy");
  if (text_at(spec, "type") == "ExternalName" && (policy == "Cluster" || policy == "Local"))
    spec.erase("internalTrafficPolicy");
}

}  // namespace

void prepare_service_create(JsonFields& service) {
  drop_idle_policy(service);
  service["status"] = {{"loadBalancer", JsonFields()}};
}

void prepare_service_update(Subresource subresource, JsonFields& service, const JsonFields& old) {
  keep_other_half(subresource, service, old);
  if (subresource == Subresource::Status) return;
  wipe_by_type(service, old);
  drop_idle_policy(service);
  if (text_at(object_at(service, "spec"), "type") != "LoadBalancer")
    make_object(service, "status")["loadBalancer"] = JsonFields();
}

}  // namespace proxima::apiserver::rules
