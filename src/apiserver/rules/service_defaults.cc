// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/service_parts.h"

#include <boost/json/value.hpp>

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::int64_t kAffinitySeconds = 10800;

void default_affinity(JsonFields& spec) {
  default_text(spec, "sessionAffinity", "None");
  // Erasing moves members, so that no view of one may be held.
  if (text_at(spec, "sessionAffinity") == "None") spec.erase("sessionAffinityConfig");
  if (text_at(spec, "sessionAffinity") != "ClientIP") return;
  const JsonFields& client_ip = object_at(object_at(spec, "sessionAffinityConfig"), "clientIP");
  if (has(client_ip, "timeoutSeconds")) return;
  spec["sessionAffinityConfig"] = {{"clientIP", {{"timeoutSeconds", kAffinitySeconds}}}};
}

void default_port(JsonFields& port) {
  default_text(port, "protocol", "TCP");
  const json::value& target = value_at(port, "targetPort");
  const bool unset = target.is_null() || target == json::value(0) ||
                     (target.is_string() && target.get_string().empty());
  if (unset) port["targetPort"] = number_at(port, "port");
}

void default_policies(JsonFields& service) {
  const ServiceSpec view(service);
  const bool accessible = view.externally_accessible();
  const bool balancer = view.is("LoadBalancer");
  const bool plain = view.is("ClusterIP") || view.is("NodePort") || balancer;
  JsonFields& spec = make_object(service, "spec");
  if (accessible) default_text(spec, "externalTrafficPolicy", "Cluster");
  if (plain) default_value(spec, "internalTrafficPolicy", "Cluster");
  if (balancer) default_value(spec, "allocateLoadBalancerNodePorts", true);
}

void default_ingress(JsonFields& service) {
  JsonFields* const status = find_object(service, "status");
  JsonFields* const balancer = status == nullptr ? nullptr : find_object(*status, "loadBalancer");
  JsonArray* const ingress = balancer == nullptr ? nullptr : find_array(*balancer, "ingress");
  if (ingress == nullptr) return;
  for (json::value& item : *ingress)
    if (!text_at(object_of(item), "ip").empty()) default_value(item.as_object(), "ipMode", "VIP");
}

}  // namespace

void apply_service_defaults(JsonFields& service) {
  JsonFields& spec = make_object(service, "spec");
  default_affinity(spec);
  default_text(spec, "type", "ClusterIP");
  if (JsonArray* const ports = find_array(spec, "ports"))
    for (json::value& port : *ports) default_port(port.as_object());
  default_policies(service);
  if (text_at(spec, "type") == "LoadBalancer") default_ingress(service);
}

}  // namespace proxima::apiserver::rules
