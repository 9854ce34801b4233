// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>
#include <utility>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "apiserver/rules/resource_rules.h"
#include "apiserver/rules/shared_fields.h"
#include "apiserver/rules/taint_rules.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

const FieldPath kPodCidrs("spec.podCIDRs");

// The singular and the plural are one field: what an old client sets counts for both.
void sync_pod_cidrs(JsonFields& node) {
  JsonFields* const spec = find_object(node, "spec");
  if (spec == nullptr) return;
  const std::string first(text_at(*spec, "podCIDR"));
  const auto list = texts_at(*spec, "podCIDRs");
  if (!first.empty() && (list.empty() || list.front() != first)) {
    (*spec)["podCIDRs"] = JsonArray{json::string(first)};
  } else if (first.empty() && !list.empty()) {
    (*spec)["podCIDR"] = std::string(list.front());
  }
}

void apply_node_defaults(JsonFields& node) {
  JsonFields* const status = find_object(node, "status");
  if (status != nullptr && has(*status, "capacity") && !has(*status, "allocatable")) {
    // A copy first: a new member may move the others.
    json::value capacity = value_at(*status, "capacity");
    (*status)["allocatable"] = std::move(capacity);
  }
  sync_pod_cidrs(node);
}

void prepare_node_create(JsonFields& node) {
  if (JsonFields* const spec = find_object(node, "spec")) spec->erase("configSource");
  if (JsonFields* const status = find_object(node, "status")) status->erase("config");
}

void prepare_node_update(Subresource subresource, JsonFields& node, const JsonFields& old) {
  keep_other_half(subresource, node, old);
}

void check_pod_cidrs(FieldErrors& errors, const JsonFields& node) {
  const auto cidrs = texts_at(object_at(node, "spec"), "podCIDRs");
  for (std::size_t i = 0; i < cidrs.size(); ++i)
    check_legacy_cidr(errors, kPodCidrs[i], cidrs[i], {});
  if (cidrs.size() < 2) return;
  const bool parsed = std::all_of(cidrs.begin(), cidrs.end(), [](std::string_view cidr) {
    return parse_cidr(cidr).has_value();
  });
  if (!parsed)
    errors.internal(
        kPodCidrs,
        "invalid PodCIDRs. failed to check with dual stack with error:"
        "invalid CIDR address: " +
            std::string(*std::find_if(cidrs.begin(), cidrs.end(),
                                      [](std::string_view cidr) { return !parse_cidr(cidr); })));
  if (!parsed || cidrs.size() > 2 || !is_dual_stack_cidrs(cidrs))
    errors.invalid(kPodCidrs, value_at(object_at(node, "spec"), "podCIDRs"),
                   "may specify no more than one CIDR for each IP family");
}

void check_node_create(FieldErrors& errors, const JsonFields& node) {
  check_core_metadata(errors, node, false, dns_subdomain_faults);
  check_taints(errors, array_at(object_at(node, "spec"), "taints"), FieldPath("metadata.taints"));
  check_node_resources(errors, object_at(node, "status"));
  check_pod_cidrs(errors, node);
}

void check_addresses(FieldErrors& errors, const JsonFields& node) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  const JsonArray& addresses = array_at(object_at(node, "status"), "addresses");
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const JsonFields& address = object_of(addresses[i]);
    const std::string_view type = text_at(address, "type");
    const std::string_view text = text_at(address, "address");
    if (!seen.emplace(type, text).second)
      errors.duplicate(FieldPath("status.addresses")[i],
                       json::object{{"Type", json::string(type)}, {"Address", json::string(text)}});
  }
}

void check_fixed_fields(FieldErrors& errors, const JsonFields& spec, const JsonFields& old) {
  const auto before = texts_at(old, "podCIDRs");
  const auto now = texts_at(spec, "podCIDRs");
  constexpr std::string_view kFixed =
      "node updates may not change podCIDR except from \"\" to valid";
  if (!before.empty() && before.size() != now.size()) {
    errors.forbidden(kPodCidrs, kFixed);
  } else {
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i] != now[i]) errors.forbidden(kPodCidrs, kFixed);
  }
  const std::string_view provider = text_at(old, "providerID");
  if (!provider.empty() && provider != text_at(spec, "providerID"))
    errors.forbidden(kSpec / "providerID",
                     "node updates may not change providerID except from \"\" to valid");
}

void check_node_update(FieldErrors& errors, Subresource subresource, const JsonFields& node,
                       const JsonFields& old) {
  if (subresource == Subresource::None) check_node_create(errors, node);
  check_core_metadata_update(errors, node, old);
  check_node_resources(errors, object_at(node, "status"));
  check_addresses(errors, node);
  const JsonFields& spec = object_at(node, "spec");
  const JsonFields& before = object_at(old, "spec");
  check_fixed_fields(errors, spec, before);
  check_taints(errors, array_at(spec, "taints"), FieldPath("metadata.taints"));
  if (text_at(spec, "externalID") != text_at(before, "externalID"))
    errors.forbidden(kSpec / "externalID", "may not be updated");
}

void warn_node(std::vector<std::string>& warnings, const JsonFields& node,
               const JsonFields* /*old*/) {
  const JsonFields& spec = object_at(node, "spec");
  if (!text_at(spec, "externalID").empty())
    warnings.emplace_back("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  const auto cidrs = texts_at(spec, "podCIDRs");
  for (std::size_t i = 0; i < cidrs.size(); ++i) warn_cidr(warnings, kPodCidrs[i], cidrs[i]);
}

}  // namespace

const KindRules kNodeRules = {.apply_defaults = apply_node_defaults,
                              .prepare_create = prepare_node_create,
                              .prepare_update = prepare_node_update,
                              .check_create = check_node_create,
                              .check_update = check_node_update,
                              .warn = warn_node};

}  // namespace proxima::apiserver::rules
