// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/service_parts.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kFamilies[] = {"IPv4", "IPv6"};
constexpr std::string_view kPolicies[] = {"PreferDualStack", "RequireDualStack", "SingleStack"};

const FieldPath kClusterIps("spec.clusterIPs");
const FieldPath kIpFamilies("spec.ipFamilies");
const FieldPath kFamilyPolicyPath("spec.ipFamilyPolicy");

void check_in_sync(FieldErrors& errors, const ServiceSpec& spec) {
  const std::string_view ip = spec.text("clusterIP");
  const auto ips = spec.cluster_ips();
  const auto& shown = value_at(spec.fields(), "clusterIPs");
  if (!ip.empty() && ips.empty()) {
    errors.required(kClusterIps);
  } else if (!ip.empty() && ips.front() != ip) {
    errors.invalid(kClusterIps, shown, "first value must match `clusterIP`");
  } else if (ip.empty() && !ips.empty()) {
    errors.invalid(kClusterIps, shown, "must be empty when `clusterIP` is not specified");
  }
}

void check_families(FieldErrors& errors, const ServiceSpec& spec) {
  std::set<std::string_view> seen;
  const auto families = spec.ip_families();
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (families[i] != "IPv4" && families[i] != "IPv6")
      errors.not_supported(kIpFamilies[i], families[i], kFamilies);
    if (!seen.insert(families[i]).second) errors.duplicate(kIpFamilies[i], families[i]);
  }
  const auto policy = find_text(spec.fields(), "ipFamilyPolicy");
  if (policy && *policy != "SingleStack" && *policy != "PreferDualStack" &&
      *policy != "RequireDualStack")
    errors.not_supported(kFamilyPolicyPath, *policy, kPolicies);
}

// Whether every address is one, so that they can be compared.
bool check_addresses(FieldErrors& errors, const ServiceSpec& spec, const TextSet& existing) {
  const auto ips = spec.cluster_ips();
  const auto& shown = value_at(spec.fields(), "clusterIPs");
  bool good = true;
  for (std::size_t i = 0; i < ips.size(); ++i) {
    if (i == 0 && ips[i] == kNoClusterIp) {
      if (ips.size() == 1) continue;
      errors.invalid(kClusterIps, shown, "'None' must be the first and only value");
      good = false;
      continue;
    }
    const std::size_t before = errors.size();
    check_legacy_ip(errors, kClusterIps[i], ips[i], existing);
    good = good && errors.size() == before;
  }
  if (ips.size() > 2) errors.invalid(kClusterIps, shown, "may only hold up to 2 values");
  return good;
}

void check_family_fit(FieldErrors& errors, const ServiceSpec& spec) {
  const auto ips = spec.cluster_ips();
  const auto families = spec.ip_families();
  for (std::size_t i = 0; i < std::min(ips.size(), families.size()); ++i) {
    const bool v6 = family_of(ips[i]) == IpFamily::V6;
    const bool fits = (families[i] != "IPv4" || !v6) && (families[i] != "IPv6" || v6);
    if (!fits)
      errors.invalid(kClusterIps[i], ips[i],
                     "expected an " + std::string(families[i]) +
                         " value as indicated by `ipFamilies[" + std::to_string(i) + "]`");
  }
}

boost::json::value list_or_null(const ServiceSpec& spec, std::string_view key) {
  return value_at(spec.fields(), key);
}

void check_released_ip(FieldErrors& errors, const ServiceSpec& now, const ServiceSpec& before) {
  const auto ips = now.cluster_ips();
  if (ips.empty())
    errors.invalid(kClusterIps[0], list_or_null(now, "clusterIPs"),
                   "primary clusterIP can not be unset");
  if (!ips.empty() && ips.front() != before.cluster_ips().front())
    errors.invalid(kClusterIps[0], list_or_null(now, "clusterIPs"), "may not change once set");
  if (ips.size() == 1 && now.text("ipFamilyPolicy") != "SingleStack")
    errors.invalid(kFamilyPolicyPath, list_or_null(now, "ipFamilyPolicy"),
                   "must be set to 'SingleStack' when releasing the secondary clusterIP");
}

void check_ip_changes(FieldErrors& errors, const ServiceSpec& now, const ServiceSpec& before) {
  if (now.headless() && before.headless()) return;
  const auto ips = now.cluster_ips();
  const auto old = before.cluster_ips();
  if (old.size() > ips.size()) {
    check_released_ip(errors, now, before);
    return;
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (i > 0 && old.size() < ips.size()) break;
    if (old[i] != ips[i])
      errors.invalid(kClusterIps[i], list_or_null(now, "clusterIPs"), "may not change once set");
  }
}

void check_released_family(FieldErrors& errors, const ServiceSpec& now, const ServiceSpec& before) {
  const auto families = now.ip_families();
  if (now.cluster_ips().empty())
    errors.invalid(kIpFamilies[0], list_or_null(now, "ipFamilies"),
                   "primary ipFamily can not be unset");
  if (!families.empty() && families.front() != before.ip_families().front())
    errors.invalid(kIpFamilies[0], list_or_null(now, "clusterIPs"), "may not change once set");
  if (families.size() == 1 && now.text("ipFamilyPolicy") != "SingleStack")
    errors.invalid(kFamilyPolicyPath, list_or_null(now, "ipFamilyPolicy"),
                   "must be set to 'SingleStack' when releasing the secondary ipFamily");
}

void check_family_changes(FieldErrors& errors, const ServiceSpec& now, const ServiceSpec& before) {
  if (now.headless() || before.headless()) return;
  const auto families = now.ip_families();
  const auto old = before.ip_families();
  if (old.size() > families.size()) {
    check_released_family(errors, now, before);
  } else if (old.size() == families.size()) {
    for (std::size_t i = 0; i < old.size(); ++i)
      if (old[i] != families[i])
        errors.invalid(kIpFamilies[0], list_or_null(now, "ipFamilies"), "may not change once set");
  } else if (!old.empty() && families.front() != old.front()) {
    errors.invalid(kIpFamilies[0], list_or_null(now, "clusterIPs"), "may not change once set");
  }
}

}  // namespace

void check_cluster_ips(FieldErrors& errors, const JsonFields& service, const JsonFields* old) {
  const ServiceSpec spec(service);
  if (!spec.needs_cluster_ip()) return;
  check_in_sync(errors, spec);
  check_families(errors, spec);
  const TextSet existing = old == nullptr ? TextSet() : text_set(ServiceSpec(*old).cluster_ips());
  if (!check_addresses(errors, spec, existing)) return;
  const auto ips = spec.cluster_ips();
  if (ips.size() > 1 && !is_dual_stack(ips))
    errors.invalid(kClusterIps, value_at(spec.fields(), "clusterIPs"),
                   "may specify no more than one IP for each IP family");
  if (!spec.headless()) check_family_fit(errors, spec);
}

void check_cluster_ip_changes(FieldErrors& errors, const JsonFields& service,
                              const JsonFields& old) {
  const ServiceSpec now(service);
  const ServiceSpec before(old);
  if (!now.needs_cluster_ip() || !before.needs_cluster_ip()) return;
  check_ip_changes(errors, now, before);
  check_family_changes(errors, now, before);
}

}  // namespace proxima::apiserver::rules
