// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <limits>
#include <set>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/pod_parts.h"
#include "apiserver/rules/shared_fields.h"
#include "apiserver/rules/taint_rules.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::string_view kOnlyThese =
    "pod updates may not change fields other than "
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

// Whether the lists can be compared one by one.
bool check_images(FieldErrors& errors, const JsonFields& spec, const JsonFields& old,
                  std::string_view key) {
  const JsonArray& containers = array_at(spec, key);
  const FieldPath path = kSpec / key;
  if (containers.size() != array_at(old, key).size()) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string_view image = text_at(object_of(containers[i]), "image");
    if (image.empty()) errors.required(path[i] / "image");
    if (!image.empty() && (image.front() == ' ' || image.back() == ' '))
      errors.invalid(path[i] / "image", image, "must not have leading or trailing whitespace");
  }
  return true;
}

// Whether the rest is worth looking at.
bool check_deadline(FieldErrors& errors, const JsonFields& spec, const JsonFields& old) {
  const FieldPath path = kSpec / "activeDeadlineSeconds";
  const auto now = find_number(spec, "activeDeadlineSeconds");
  const auto before = find_number(old, "activeDeadlineSeconds");
  if (!now) {
    if (before)
      errors.invalid(path, json::value(), "must not update from a positive integer to nil value");
    return true;
  }
  if (*now < 0 || *now > std::numeric_limits<std::int32_t>::max()) {
    errors.invalid(path, *now, "must be between 0 and 2147483647, inclusive");
    return false;
  }
  if (before && *before < *now) {
    errors.invalid(path, *now, "must be less than or equal to previous value");
    return false;
  }
  return true;
}

void take_images(JsonFields& spec, const JsonFields& old, std::string_view key) {
  JsonArray* const containers = find_array(spec, key);
  if (containers == nullptr) return;
  for (std::size_t i = 0; i < containers->size(); ++i)
    copy_member((*containers)[i].as_object(), object_of(array_at(old, key)[i]), "image");
}

void check_removed_gates(FieldErrors& errors, const JsonFields& spec, const JsonFields& old) {
  // A gate has no other field than its name.
  std::set<std::string_view> before;
  for (const json::value& gate : array_at(old, "schedulingGates"))
    before.insert(text_at(object_of(gate), "name"));
  for (const json::value& gate : array_at(spec, "schedulingGates")) {
    const std::string_view name = text_at(object_of(gate), "name");
    if (before.contains(name)) continue;
    errors.forbidden(
        kSpec / "schedulingGates",
        "only deletion is allowed, but found new scheduling gate '" + std::string(name) + "'");
    return;
  }
}

// The spec with everything that may change set back.
JsonFields without_allowed_changes(JsonFields spec, const JsonFields& old) {
  take_images(spec, old, "containers");
  take_images(spec, old, "initContainers");
  for (const std::string_view key : {"activeDeadlineSeconds", "schedulingGates", "tolerations"})
    copy_member(spec, old, key);
  if (number_at(old, "terminationGracePeriodSeconds") < 0 &&
      number_at(spec, "terminationGracePeriodSeconds") == 1)
    copy_member(spec, old, "terminationGracePeriodSeconds");
  return spec;
}

// The names of the fields that differ: less than upstream's diff, and easier to read.
std::string changed_fields(const JsonFields& spec, const JsonFields& old) {
  std::string out;
  for (const std::string_view key : sorted_keys(spec))
    if (!same_member(spec, old, key)) out.append("\n  spec.").append(key);
  for (const std::string_view key : sorted_keys(old))
    if (!spec.contains(key) && !same_member(spec, old, key)) out.append("\n  spec.").append(key);
  return out;
}

void check_ip_list(FieldErrors& errors, const JsonFields& status, const JsonFields& old,
                   std::string_view key) {
  const auto ips_of = [&](const JsonFields& from) {
    std::vector<std::string_view> ips;
    for (const json::value& item : array_at(from, key))
      ips.push_back(text_at(object_of(item), "ip"));
    return ips;
  };
  const FieldPath path = FieldPath("status") / key;
  const auto ips = ips_of(status);
  const TextSet existing = text_set(ips_of(old));
  for (std::size_t i = 0; i < ips.size(); ++i) check_legacy_ip(errors, path[i], ips[i], existing);
  if (ips.size() < 2) return;
  const auto bad =
      std::find_if(ips.begin(), ips.end(), [](std::string_view ip) { return !parse_ip(ip); });
  if (bad != ips.end())
    errors.internal(path,
                    "failed to check for dual stack with error:invalid IP: " + std::string(*bad));
  if (ips.size() > 2 || !is_dual_stack(ips)) {
    JsonArray shown;
    for (const std::string_view ip : ips) shown.push_back(json::object{{"IP", json::string(ip)}});
    errors.invalid(path, shown, "may specify no more than one IP for each IP family");
  }
}

void check_conditions(FieldErrors& errors, const JsonFields& status) {
  const JsonArray& conditions = array_at(status, "conditions");
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string_view type = text_at(object_of(conditions[i]), "type");
    if (type == "PodScheduled" || type == "Ready" || type == "Initialized") continue;
    errors.invalid_each(FieldPath("status.conditions")[i] / "Type", type,
                        qualified_name_faults(type));
  }
}

void check_host_ips(FieldErrors& errors, const JsonFields& status, const JsonFields& old) {
  const JsonArray& ips = array_at(status, "hostIPs");
  if (ips.empty()) return;
  const std::string_view first = text_at(object_of(ips.front()), "ip");
  if (first != text_at(status, "hostIP"))
    errors.invalid(FieldPath("status.hostIPs[0].ip"), first, "must be equal to `hostIP`");
  check_ip_list(errors, status, old, "hostIPs");
}

}  // namespace

void check_pod_spec_update(FieldErrors& errors, const JsonFields& spec, const JsonFields& old) {
  if (!check_images(errors, spec, old, "containers")) return;
  if (!check_images(errors, spec, old, "initContainers")) return;
  if (!check_deadline(errors, spec, old)) return;
  check_added_tolerations(errors, array_at(spec, "tolerations"), array_at(old, "tolerations"),
                          kSpec / "tolerations");
  check_removed_gates(errors, spec, old);
  const JsonFields rest = without_allowed_changes(spec, old);
  if (!same(rest, old))
    errors.forbidden(kSpec, std::string(kOnlyThese) + changed_fields(rest, old));
}

void check_pod_status(FieldErrors& errors, const JsonFields& pod, const JsonFields& old) {
  const JsonFields& status = object_at(pod, "status");
  const JsonFields& before = object_at(old, "status");
  check_conditions(errors, status);
  const std::string_view nominated = text_at(status, "nominatedNodeName");
  if (!nominated.empty() && nominated != text_at(before, "nominatedNodeName"))
    errors.invalid_each(FieldPath("status.nominatedNodeName"), nominated,
                        dns_subdomain_faults(nominated));
  if (number_at(status, "observedGeneration") < 0)
    errors.invalid(FieldPath("status.observedGeneration"), number_at(status, "observedGeneration"),
                   "must be a non-negative integer");
  if (text_at(status, "qosClass") != text_at(before, "qosClass"))
    errors.invalid(FieldPath("status.qosClass"), text_at(status, "qosClass"), "field is immutable");
  check_ip_list(errors, status, before, "podIPs");
  check_host_ips(errors, status, before);
}

}  // namespace proxima::apiserver::rules
