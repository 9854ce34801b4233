// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/service_parts.h"
#include "apiserver/rules/shared_fields.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kModeAnnotation = "service.kubernetes.io/topology-mode";
constexpr std::string_view kSourceRangesAnnotation =
    "service.beta.kubernetes.io/load-balancer-source-ranges";
constexpr std::string_view kBalancerOnly = "may only be used when `type` is 'LoadBalancer'";
constexpr std::int64_t kAffinitySecondsMax = 86400;

constexpr std::string_view kAffinities[] = {"ClientIP", "None"};
constexpr std::string_view kTypes[] = {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"};
constexpr std::string_view kTrafficPolicies[] = {"Cluster", "Local"};
constexpr std::string_view kDistributions[] = {"PreferClose", "PreferSameZone", "PreferSameNode"};
constexpr std::string_view kIpModes[] = {"Proxy", "VIP"};

const JsonFields& annotations_of(const JsonFields& service) {
  return object_at(object_at(service, "metadata"), "annotations");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

void check_hint_annotations(FieldErrors& errors, const JsonFields& service) {
  const auto hints = find_text(annotations_of(service), kHintsAnnotation);
  const auto mode = find_text(annotations_of(service), kModeAnnotation);
  if (hints && mode && *hints != *mode)
    errors.invalid(
        FieldPath("metadata.annotations").key(kModeAnnotation), *mode,
        "must match annotations[" + std::string(kHintsAnnotation) + "] when both are specified");
}

void check_external_name(FieldErrors& errors, const ServiceSpec& spec) {
  constexpr std::string_view kNotSet = "may not be set for ExternalName services";
  if (!spec.cluster_ips().empty()) errors.forbidden(kSpec / "clusterIPs", kNotSet);
  if (!spec.ip_families().empty()) errors.forbidden(kSpec / "ipFamilies", kNotSet);
  if (has(spec.fields(), "ipFamilyPolicy")) errors.forbidden(kSpec / "ipFamilyPolicy", kNotSet);
  std::string_view name = spec.text("externalName");
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty()) {
    errors.required(kSpec / "externalName");
  } else {
    errors.invalid_each(kSpec / "externalName", name, dns_subdomain_faults(name));
  }
}

void check_type_needs(FieldErrors& errors, const ServiceSpec& spec) {
  if (spec.ports().empty() && !spec.headless() && !spec.is("ExternalName"))
    errors.required(kSpec / "ports");
  if (spec.headless() && (spec.is("LoadBalancer") || spec.is("NodePort")))
    errors.invalid((kSpec / "clusterIPs")[0], kNoClusterIp,
                   "may not be set to 'None' for " + std::string(spec.type()) + " services");
  if (spec.is("ExternalName")) check_external_name(errors, spec);
}

void check_client_ip(FieldErrors& errors, const JsonFields& spec) {
  constexpr std::string_view kWhen = "when session affinity type is ClientIP";
  FieldPath path = kSpec / "sessionAffinityConfig";
  if (!has(spec, "sessionAffinityConfig")) return errors.required(path, kWhen);
  const JsonFields& config = object_at(spec, "sessionAffinityConfig");
  path = path / "clientIP";
  if (!has(config, "clientIP")) return errors.required(path, kWhen);
  path = path / "timeoutSeconds";
  const auto seconds = find_number(object_at(config, "clientIP"), "timeoutSeconds");
  if (!seconds) return errors.required(path, kWhen);
  if (*seconds <= 0 || *seconds > kAffinitySecondsMax)
    errors.invalid(path, *seconds, "must be greater than 0 and less than 86400");
}

void check_affinity(FieldErrors& errors, const ServiceSpec& spec) {
  const std::string_view affinity = spec.text("sessionAffinity");
  errors.one_of(kSpec / "sessionAffinity", affinity, kAffinities);
  if (affinity == "ClientIP") check_client_ip(errors, spec.fields());
  if (affinity == "None" && has(spec.fields(), "sessionAffinityConfig"))
    errors.forbidden(kSpec / "sessionAffinityConfig",
                     "must not be set when session affinity is None");
}

void check_external_ips(FieldErrors& errors, const ServiceSpec& spec, const JsonFields* old) {
  const TextSet existing =
      old == nullptr ? TextSet() : text_set(texts_at(object_at(*old, "spec"), "externalIPs"));
  const auto ips = texts_at(spec.fields(), "externalIPs");
  for (std::size_t i = 0; i < ips.size() && !errors.full(); ++i) {
    const FieldPath path = (kSpec / "externalIPs")[i];
    const std::size_t before = errors.size();
    check_legacy_ip(errors, path, ips[i], existing);
    if (errors.size() == before) check_endpoint_ip(errors, path, ips[i]);
  }
}

void check_no_node_ports(FieldErrors& errors, const ServiceSpec& spec) {
  if (!spec.is("ClusterIP")) return;
  for (std::size_t i = 0; i < spec.ports().size(); ++i)
    if (number_at(object_of(spec.ports()[i]), "nodePort") != 0)
      errors.forbidden((kSpec / "ports")[i] / "nodePort",
                       "may not be used when `type` is 'ClusterIP'");
}

void check_source_range_field(FieldErrors& errors, const ServiceSpec& spec, const JsonFields* old) {
  const FieldPath path = kSpec / "LoadBalancerSourceRanges";
  if (!spec.is("LoadBalancer")) errors.forbidden(path, kBalancerOnly);
  TextSet existing;
  if (old != nullptr)
    for (const std::string_view range :
         texts_at(object_at(*old, "spec"), "loadBalancerSourceRanges"))
      existing.insert(trimmed(range));
  const auto ranges = texts_at(spec.fields(), "loadBalancerSourceRanges");
  for (std::size_t i = 0; i < ranges.size(); ++i)
    check_legacy_cidr(errors, path[i], trimmed(ranges[i]), existing);
}

void check_source_range_annotation(FieldErrors& errors, const JsonFields& service,
                                   const JsonFields* old) {
  const auto value = find_text(annotations_of(service), kSourceRangesAnnotation);
  if (!value) return;
  const FieldPath path = FieldPath("metadata.annotations").key(kSourceRangesAnnotation);
  if (!ServiceSpec(service).is("LoadBalancer")) errors.forbidden(path, kBalancerOnly);
  if (old != nullptr && text_at(annotations_of(*old), kSourceRangesAnnotation) == *value) return;
  std::string_view rest = trimmed(*value);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    check_legacy_cidr(errors, path, trimmed(rest.substr(0, comma)), {});
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
    // A comma at the end is followed by a network that is none.
    if (rest.empty()) check_legacy_cidr(errors, path, rest, {});
  }
}

void check_balancer_fields(FieldErrors& errors, const ServiceSpec& spec) {
  const bool allocate = has(spec.fields(), "allocateLoadBalancerNodePorts");
  const bool balancer = spec.is("LoadBalancer");
  if (allocate && !balancer)
    errors.forbidden(kSpec / "allocateLoadBalancerNodePorts", kBalancerOnly);
  if (!allocate && balancer) errors.required(FieldPath("allocateLoadBalancerNodePorts"));
}

void check_balancer_class(FieldErrors& errors, const ServiceSpec& spec) {
  const auto name = find_text(spec.fields(), "loadBalancerClass");
  if (!name) return;
  const FieldPath path = kSpec / "loadBalancerClass";
  if (spec.is("LoadBalancer")) {
    errors.invalid_each(path, *name, qualified_name_faults(*name));
  } else {
    errors.forbidden(path, kBalancerOnly);
  }
}

void check_external_policy(FieldErrors& errors, const ServiceSpec& spec) {
  const std::string_view policy = spec.text("externalTrafficPolicy");
  const FieldPath path = kSpec / "externalTrafficPolicy";
  if (spec.externally_accessible()) {
    errors.one_of(path, policy, kTrafficPolicies);
  } else if (!policy.empty()) {
    errors.invalid(path, policy, "may only be set for externally-accessible services");
  }
  const std::int64_t port = number_at(spec.fields(), "healthCheckNodePort");
  const FieldPath check = kSpec / "healthCheckNodePort";
  if (!spec.needs_health_check()) {
    if (port != 0)
      errors.invalid(check, port,
                     "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is "
                     "'Local'");
  } else if (port == 0) {
    errors.required(check);
  } else {
    for (const std::string& fault : port_number_faults(port)) errors.invalid(check, port, fault);
  }
}

void check_internal_policy(FieldErrors& errors, const ServiceSpec& spec) {
  const auto policy = find_text(spec.fields(), "internalTrafficPolicy");
  const FieldPath path = kSpec / "internalTrafficPolicy";
  const bool needed = spec.is("NodePort") || spec.is("LoadBalancer") || spec.is("ClusterIP");
  if (!policy && needed) errors.required(path);
  if (policy && *policy != "Cluster" && *policy != "Local")
    errors.not_supported(path, *policy, kTrafficPolicies);
}

// A heuristic of its own has the name of a domain, as KEP-4444 has it; upstream's server takes
// none.
bool is_domain_prefixed(std::string_view name) {
  return name.find('/') != std::string_view::npos && qualified_name_faults(name).empty();
}

void check_distribution(FieldErrors& errors, const ServiceSpec& spec) {
  const auto value = find_text(spec.fields(), "trafficDistribution");
  if (!value || is_domain_prefixed(*value)) return;
  if (std::find(std::begin(kDistributions), std::end(kDistributions), *value) ==
      std::end(kDistributions))
    errors.not_supported(kSpec / "trafficDistribution", *value, kDistributions);
}

void check_service(FieldErrors& errors, const JsonFields& service, const JsonFields* old) {
  const ServiceSpec spec(service);
  check_hint_annotations(errors, service);
  check_type_needs(errors, spec);
  check_service_ports(errors, service);
  check_labels(errors, object_at(spec.fields(), "selector"), kSpec / "selector");
  check_affinity(errors, spec);
  check_cluster_ips(errors, service, old);
  check_external_ips(errors, spec, old);
  errors.one_of(kSpec / "type", spec.type(), kTypes);
  check_no_node_ports(errors, spec);
  check_port_uniqueness(errors, service);
  if (!array_at(spec.fields(), "loadBalancerSourceRanges").empty()) {
    check_source_range_field(errors, spec, old);
  } else {
    check_source_range_annotation(errors, service, old);
  }
  check_balancer_fields(errors, spec);
  check_balancer_class(errors, spec);
  check_external_policy(errors, spec);
  check_internal_policy(errors, spec);
  check_distribution(errors, spec);
  check_topology_fields(errors, service);
}

void check_create(FieldErrors& errors, const JsonFields& service) {
  check_core_metadata(errors, service, true, dns_label_faults);
  check_service(errors, service, nullptr);
}

void check_class_change(FieldErrors& errors, const ServiceSpec& now, const ServiceSpec& before) {
  if (before.is("LoadBalancer") && now.is("LoadBalancer") &&
      !same_member(now.fields(), before.fields(), "loadBalancerClass"))
    errors.invalid(kSpec / "loadBalancerClass", value_at(now.fields(), "loadBalancerClass"),
                   "may not change once set");
  check_balancer_class(errors, now);
}

void check_update(FieldErrors& errors, Subresource subresource, const JsonFields& service,
                  const JsonFields& old) {
  check_core_metadata_update(errors, service, old);
  if (subresource == Subresource::Status) {
    check_load_balancer_status(errors, service, old);
    return;
  }
  const ServiceSpec now(service);
  const ServiceSpec before(old);
  check_cluster_ip_changes(errors, service, old);
  check_class_change(errors, now, before);
  if (before.needs_health_check() && now.needs_health_check() &&
      number_at(now.fields(), "healthCheckNodePort") !=
          number_at(before.fields(), "healthCheckNodePort"))
    errors.forbidden(kSpec / "healthCheckNodePort", "field is immutable");
  check_service(errors, service, &old);
}

const JsonArray& ingress_of(const JsonFields& service) {
  return array_at(object_at(object_at(service, "status"), "loadBalancer"), "ingress");
}

void check_ip_mode(FieldErrors& errors, const JsonFields& ingress, const FieldPath& path) {
  const bool has_ip = !text_at(ingress, "ip").empty();
  const auto mode = find_text(ingress, "ipMode");
  if (!mode && has_ip) {
    errors.required(path, "must be specified when `ip` is set");
  } else if (mode && !has_ip) {
    errors.forbidden(path, "may not be specified when `ip` is not set");
  } else if (mode && *mode != "VIP" && *mode != "Proxy") {
    errors.not_supported(path, *mode, kIpModes);
  }
}

void check_hostname(FieldErrors& errors, std::string_view name, const FieldPath& path) {
  if (name.empty()) return;
  errors.invalid_each(path, name, dns_subdomain_faults(name));
  if (parse_ip(name)) errors.invalid(path, name, "must be a DNS name, not an IP address");
}

}  // namespace

void check_load_balancer_status(FieldErrors& errors, const JsonFields& service,
                                const JsonFields& old) {
  const FieldPath path("status.loadBalancer.ingress");
  const JsonArray& list = ingress_of(service);
  if (!ServiceSpec(service).is("LoadBalancer") && !list.empty()) {
    errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  TextSet existing;
  for (const boost::json::value& item : ingress_of(old))
    existing.insert(text_at(object_of(item), "ip"));
  for (std::size_t i = 0; i < list.size() && !errors.full(); ++i) {
    const JsonFields& ingress = object_of(list[i]);
    const std::string_view ip = text_at(ingress, "ip");
    if (!ip.empty()) check_legacy_ip(errors, path[i] / "ip", ip, existing);
    check_ip_mode(errors, ingress, path[i] / "ipMode");
    check_hostname(errors, text_at(ingress, "hostname"), path[i] / "hostname");
  }
}

const KindRules kServiceRules = {.apply_defaults = apply_service_defaults,
                                 .prepare_create = prepare_service_create,
                                 .prepare_update = prepare_service_update,
                                 .check_create = check_create,
                                 .check_update = check_update,
                                 .warn = warn_service};

}  // namespace proxima::apiserver::rules
