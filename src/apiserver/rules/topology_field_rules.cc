// SPDX-License-Identifier: Apache-2.0
// The fields of a Service that upstream no longer has, or never got: spec.topologyKeys by the rules
// of Kubernetes 1.17 to 1.21, and spec.trafficPolicy, which KEP-2433 described once.
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/service_parts.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::size_t kTopologyKeysMax = 16;
constexpr std::string_view kAnywhere = "*";
constexpr std::string_view kTopologyTrafficPolicies[] = {"Cluster", "Local", "PreferZone"};

void check_keys(FieldErrors& errors, const ServiceSpec& spec,
                const std::vector<std::string_view>& keys) {
  const FieldPath path("spec.topologyKeys");
  if (spec.text("externalTrafficPolicy") == "Local")
    errors.forbidden(path, "may not be specified when `externalTrafficPolicy=Local`");
  if (keys.size() > kTopologyKeysMax) errors.too_many(path, keys.size(), kTopologyKeysMax);
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!seen.insert(keys[i]).second) errors.duplicate(path[i], keys[i]);
    if (keys[i] != kAnywhere) {
      for (const std::string& fault : qualified_name_faults(keys[i]))
        errors.invalid(path[i], keys[i], fault);
    } else if (i + 1 != keys.size()) {
      errors.invalid(path[i], keys[i], "\"*\" must be the last value specified");
    }
  }
}

}  // namespace

void check_topology_fields(FieldErrors& errors, const JsonFields& service) {
  const ServiceSpec spec(service);
  const auto keys = texts_at(spec.fields(), "topologyKeys");
  if (!keys.empty()) check_keys(errors, spec, keys);
  const std::string_view policy = spec.text("trafficPolicy");
  const FieldPath path("spec.trafficPolicy");
  if (policy.empty()) return;
  if (std::find(std::begin(kTopologyTrafficPolicies), std::end(kTopologyTrafficPolicies), policy) ==
      std::end(kTopologyTrafficPolicies))
    errors.not_supported(path, policy, kTopologyTrafficPolicies);
  if (policy == "PreferZone" && !keys.empty())
    errors.forbidden(path, "may not be 'PreferZone' when `topologyKeys` is specified");
}

}  // namespace proxima::apiserver::rules
