// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/resource_rules.h"

#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/rules/name_rules.h"
#include "base/quantity.h"

namespace proxima::apiserver::rules {
namespace {

bool is_plain(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage";
}

bool is_huge_pages(std::string_view name) { return name.starts_with("hugepages-"); }

// Extended resources and Pods are counted, not cut.
bool is_whole(std::string_view name) {
  return name == "pods" || (!is_plain(name) && !is_huge_pages(name));
}

void check_amount(FieldErrors& errors, std::string_view name, std::string_view amount,
                  const FieldPath& path) {
  if (amount.starts_with('-')) errors.invalid(path, amount, "must be greater than or equal to 0");
  const auto parsed = Quantity::parse(amount);
  if (is_whole(name) && parsed && parsed->milli() % 1000 != 0)
    errors.invalid(path, amount, "must be an integer");
}

void check_list(FieldErrors& errors, const JsonFields& list, const FieldPath& path) {
  for (const std::string_view name : sorted_keys(list))
    check_amount(errors, name, text_at(list, name), path / name);
}

bool is_native(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos || name.substr(0, slash).ends_with("kubernetes.io");
}

// Whether the name may stand in a container.
void check_name(FieldErrors& errors, std::string_view name, const FieldPath& path) {
  for (const std::string& fault : qualified_name_faults(name)) errors.invalid(path, name, fault);
  const bool standard = is_plain(name) || is_huge_pages(name);
  if (name.find('/') == std::string_view::npos && !standard)
    errors.invalid(path, name, "must be a standard resource type or fully qualified");
  if (name.find('/') == std::string_view::npos && !standard)
    errors.invalid(path, name, "must be a standard resource for containers");
}

void check_request(FieldErrors& errors, std::string_view name, const JsonFields& resources,
                   const FieldPath& path) {
  const JsonFields& limits = object_at(resources, "limits");
  const std::string_view request = text_at(object_at(resources, "requests"), name);
  const bool overcommits = is_native(name) && !is_huge_pages(name);
  if (!limits.contains(name)) {
    if (!overcommits) errors.required(path, "Limit must be set for non overcommitable resources");
    return;
  }
  const auto asked = Quantity::parse(request);
  const auto most = Quantity::parse(text_at(limits, name));
  if (!asked || !most) return;
  if (!overcommits && *asked != *most)
    errors.invalid(path, request,
                   "must be equal to " + std::string(name) + " limit of " +
                       std::string(text_at(limits, name)));
  if (overcommits && *asked > *most)
    errors.invalid(path, request,
                   "must be less than or equal to " + std::string(name) + " limit of " +
                       std::string(text_at(limits, name)));
}

}  // namespace

void check_node_resources(FieldErrors& errors, const JsonFields& status) {
  check_list(errors, object_at(status, "capacity"), FieldPath("status.capacity"));
  check_list(errors, object_at(status, "allocatable"), FieldPath("status.allocatable"));
}

void check_container_resources(FieldErrors& errors, const JsonFields& resources,
                               const FieldPath& path) {
  for (const std::string_view name : sorted_keys(object_at(resources, "limits"))) {
    const FieldPath at = (path / "limits").key(name);
    check_name(errors, name, at);
    check_amount(errors, name, text_at(object_at(resources, "limits"), name), at);
  }
  for (const std::string_view name : sorted_keys(object_at(resources, "requests"))) {
    const FieldPath at = (path / "requests").key(name);
    check_name(errors, name, at);
    check_amount(errors, name, text_at(object_at(resources, "requests"), name), at);
    check_request(errors, name, resources, path / "requests");
  }
}

}  // namespace proxima::apiserver::rules
