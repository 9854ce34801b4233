// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/ip_rules.h"

#include <boost/json/value.hpp>
#include "apiserver/rules/service_parts.h"
#include "apiserver/rules/shared_fields.h"
#include "base/go_quote.h"

namespace proxima::apiserver::rules {
namespace {

using Warnings = std::vector<std::string>;

void warn_each_ip(Warnings& warnings, const ServiceSpec& spec, std::string_view key) {
  const auto ips = texts_at(spec.fields(), key);
  for (std::size_t i = 0; i < ips.size(); ++i) warn_ip(warnings, (kSpec / key)[i], ips[i]);
}

void warn_headless(Warnings& warnings, const ServiceSpec& spec) {
  if (!spec.text("loadBalancerIP").empty())
    warnings.emplace_back("spec.loadBalancerIP is ignored for headless services");
  if (!array_at(spec.fields(), "externalIPs").empty())
    warnings.emplace_back("spec.externalIPs is ignored for headless services");
  if (spec.text("sessionAffinity") != "None")
    warnings.emplace_back("spec.SessionAffinity is ignored for headless services");
}

void warn_external(Warnings& warnings, const ServiceSpec& spec, bool headless) {
  warn_each_ip(warnings, spec, "externalIPs");
  const bool ips = !array_at(spec.fields(), "externalIPs").empty();
  if (ips && !headless && !spec.is("ExternalName"))
    warnings.emplace_back(
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  if (const std::string_view ip = spec.text("loadBalancerIP"); !ip.empty())
    warn_ip(warnings, kSpec / "loadBalancerIP", ip);
  const auto ranges = texts_at(spec.fields(), "loadBalancerSourceRanges");
  for (std::size_t i = 0; i < ranges.size(); ++i)
    warn_cidr(warnings, (kSpec / "loadBalancerSourceRanges")[i], ranges[i]);
  if (spec.is("ExternalName") && ips)
    warnings.emplace_back("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
  if (!spec.is("ExternalName") && !spec.text("externalName").empty())
    warnings.emplace_back("spec.externalName is ignored when spec.type is not \"ExternalName\"");
}

}  // namespace

void warn_service(Warnings& warnings, const JsonFields& service, const JsonFields* /*old*/) {
  const ServiceSpec spec(service);
  const JsonFields& annotations = object_at(object_at(service, "metadata"), "annotations");
  if (annotations.contains(kHintsAnnotation))
    warnings.emplace_back(
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use "
        "service.kubernetes.io/topology-mode instead");
  const std::string_view ip = spec.text("clusterIP");
  if (!ip.empty() && ip != kNoClusterIp) warn_each_ip(warnings, spec, "clusterIPs");
  const bool headless = spec.is("ClusterIP") && ip == kNoClusterIp;
  if (headless) warn_headless(warnings, spec);
  warn_external(warnings, spec, headless);
  if (spec.text("trafficDistribution") == "PreferClose")
    warnings.emplace_back(
        "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
}

}  // namespace proxima::apiserver::rules
