// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/shared_fields.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::size_t kEndpointsMax = 1000;
constexpr std::size_t kAddressesMax = 100;
constexpr std::size_t kPortsMax = 20000;
constexpr std::size_t kHintsMax = 8;
constexpr std::size_t kTopologyMax = 16;
constexpr std::string_view kAddressTypes[] = {"FQDN", "IPv4", "IPv6"};
constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kSliceManagedBy = "endpointslice.kubernetes.io/managed-by";

void apply_slice_defaults(JsonFields& slice) {
  JsonArray* const ports = find_array(slice, "ports");
  if (ports == nullptr) return;
  for (json::value& port : *ports) {
    default_value(port.as_object(), "name", "");
    default_value(port.as_object(), "protocol", "TCP");
  }
}

// "deprecatedTopology" cannot be written any more. A node's name that was kept there before moves
// to its field, so that an old client's update does not lose it.
void drop_topology(JsonFields& slice, const JsonFields* old) {
  JsonArray* const endpoints = find_array(slice, "endpoints");
  if (endpoints == nullptr || (old != nullptr && same_member(slice, *old, "endpoints"))) return;
  std::set<std::string_view> known;
  if (old != nullptr)
    for (const json::value& item : array_at(*old, "endpoints"))
      known.insert(text_at(object_at(object_of(item), "deprecatedTopology"), kHostname));
  for (json::value& item : *endpoints) {
    JsonFields& endpoint = item.as_object();
    const std::string node(text_at(object_at(endpoint, "deprecatedTopology"), kHostname));
    if (!node.empty() && !has(endpoint, "nodeName") && known.contains(node) &&
        dns_subdomain_faults(node).empty())
      endpoint["nodeName"] = node;
    endpoint.erase("deprecatedTopology");
  }
}

void prepare_slice_create(JsonFields& slice) {
  make_object(slice, "metadata")["generation"] = 1;
  drop_topology(slice, nullptr);
}

void prepare_slice_update(Subresource /*subresource*/, JsonFields& slice, const JsonFields& old) {
  const bool changed =
      std::any_of(slice.begin(), slice.end(),
                  [&](const auto& member) {
                    return member.key() != "metadata" && !same_member(slice, old, member.key());
                  }) ||
      std::any_of(old.begin(), old.end(), [&](const auto& member) {
        return member.key() != "metadata" && !same_member(slice, old, member.key());
      });
  JsonFields& metadata = make_object(slice, "metadata");
  const JsonFields& before = object_at(old, "metadata");
  if (changed || !same_member(metadata, before, "labels"))
    metadata["generation"] = number_at(before, "generation") + 1;
  drop_topology(slice, &old);
}

void check_domain_name(FieldErrors& errors, std::string_view name, const FieldPath& path) {
  if (name.empty()) return errors.required(path);
  if (name.ends_with('.')) name.remove_suffix(1);
  if (const Faults faults = dns_subdomain_faults(name); !faults.empty())
    return errors.invalid(path, name, joined(faults, ","));
  if (name.find('.') == std::string_view::npos)
    return errors.invalid(path, name,
                          "should be a domain with at least two segments separated by dots");
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    if (const Faults faults = dns_label_faults(label); !faults.empty())
      return errors.invalid(path, label, joined(faults, ","));
    name.remove_prefix(std::min(label.size() + 1, name.size()));
  }
}

void check_ip_address(FieldErrors& errors, std::string_view address, std::string_view type,
                      const FieldPath& list, std::size_t index) {
  const FieldPath path = list[index];
  const std::size_t before = errors.size();
  if (type == "IPv4") {
    check_legacy_ip(errors, path, address, {});
  } else {
    check_strict_ip(errors, path, address);
  }
  if (errors.size() != before) return;
  const bool v4 = family_of(address) == IpFamily::V4;
  if (v4 != (type == "IPv4"))
    errors.invalid(list, address, "must be an " + std::string(type) + " address");
  check_endpoint_ip(errors, path, address);
}

void check_addresses(FieldErrors& errors, const JsonFields& endpoint, std::string_view type,
                     const FieldPath& path) {
  const auto addresses = texts_at(endpoint, "addresses");
  if (addresses.empty()) errors.required(path, "must contain at least 1 address");
  if (addresses.size() > kAddressesMax) errors.too_many(path, addresses.size(), kAddressesMax);
  for (std::size_t i = 0; i < addresses.size() && !errors.full(); ++i) {
    if (type == "IPv4" || type == "IPv6") check_ip_address(errors, addresses[i], type, path, i);
    if (type == "FQDN") check_domain_name(errors, addresses[i], path[i]);
  }
}

// Whether the next list may be looked at.
bool check_hint_list(FieldErrors& errors, const JsonArray& hints, const FieldPath& path,
                     NameRule rule) {
  if (hints.size() > kHintsMax) {
    errors.too_many(path, hints.size(), kHintsMax);
    return false;
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const std::string_view name = text_at(object_of(hints[i]), "name");
    if (!seen.insert(name).second) errors.duplicate(path[i] / "name", name);
    errors.invalid_each(path[i] / "name", name, rule(name));
  }
  return true;
}

void check_hints(FieldErrors& errors, const JsonFields& hints, const FieldPath& path) {
  if (check_hint_list(errors, array_at(hints, "forZones"), path / "forZones", label_value_faults))
    check_hint_list(errors, array_at(hints, "forNodes"), path / "forNodes", dns_subdomain_faults);
}

void check_topology(FieldErrors& errors, const JsonFields& topology, const FieldPath& path) {
  if (topology.size() > kTopologyMax) errors.too_many(path, topology.size(), kTopologyMax);
  check_labels(errors, topology, path);
}

void check_endpoint(FieldErrors& errors, const JsonFields& endpoint, std::string_view type,
                    const FieldPath& path) {
  check_addresses(errors, endpoint, type, path / "addresses");
  if (const auto node = find_text(endpoint, "nodeName"))
    errors.invalid_each(path / "nodeName", *node, dns_subdomain_faults(*node));
  check_topology(errors, object_at(endpoint, "deprecatedTopology"), path / "deprecatedTopology");
  if (const auto hostname = find_text(endpoint, "hostname"))
    errors.invalid_each(path / "hostname", *hostname, dns_label_faults(*hostname));
  check_hints(errors, object_at(endpoint, "hints"), path / "hints");
}

std::vector<FieldError> endpoint_errors(const JsonFields& slice) {
  FieldErrors errors;
  const FieldPath path("endpoints");
  const JsonArray& endpoints = array_at(slice, "endpoints");
  if (endpoints.size() > kEndpointsMax) {
    errors.too_many(path, endpoints.size(), kEndpointsMax);
    return errors.take();
  }
  for (std::size_t i = 0; i < endpoints.size() && !errors.full(); ++i)
    check_endpoint(errors, object_of(endpoints[i]), text_at(slice, "addressType"), path[i]);
  return errors.take();
}

void check_ports(FieldErrors& errors, const JsonArray& ports) {
  const FieldPath path("ports");
  if (ports.size() > kPortsMax) return errors.too_many(path, ports.size(), kPortsMax);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size() && !errors.full(); ++i) {
    const JsonFields& port = object_of(ports[i]);
    const std::string_view name = text_at(port, "name");
    if (!name.empty()) errors.invalid_each(path[i] / "name", name, dns_label_faults(name));
    if (!names.insert(name).second) errors.duplicate(path[i] / "name", name);
    errors.one_of(path[i] / "protocol", text_at(port, "protocol"), kProtocols);
    if (const auto protocol = find_text(port, "appProtocol"))
      errors.invalid_each(path[i] / "appProtocol", *protocol, qualified_name_faults(*protocol));
  }
}

void check_slice(FieldErrors& errors, const JsonFields& slice, const JsonFields* old) {
  check_core_metadata(errors, slice, true, dns_subdomain_faults);
  errors.one_of(FieldPath("addressType"), text_at(slice, "addressType"), kAddressTypes);
  check_ports(errors, array_at(slice, "ports"));
  // What was stored under older rules may stay.
  if (old == nullptr || !same_member(slice, *old, "endpoints"))
    errors.append(endpoint_errors(slice));
}

void check_slice_create(FieldErrors& errors, const JsonFields& slice) {
  check_slice(errors, slice, nullptr);
}

void check_slice_update(FieldErrors& errors, Subresource /*subresource*/, const JsonFields& slice,
                        const JsonFields& old) {
  check_slice(errors, slice, &old);
  if (!same_member(slice, old, "addressType"))
    errors.invalid(FieldPath("addressType"), text_at(slice, "addressType"), "field is immutable");
}

void warn_slice(std::vector<std::string>& warnings, const JsonFields& slice,
                const JsonFields* old) {
  if (old == nullptr && text_at(slice, "addressType") == "FQDN")
    warnings.emplace_back("spec.addressType: FQDN endpoints are deprecated");
  const std::string_view manager =
      text_at(object_at(object_at(slice, "metadata"), "labels"), kSliceManagedBy);
  if (manager == "endpointslice-controller.k8s.io" ||
      manager == "endpointslicemirroring-controller.k8s.io")
    return;
  const JsonArray& endpoints = array_at(slice, "endpoints");
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const auto addresses = texts_at(object_of(endpoints[i]), "addresses");
    for (std::size_t j = 0; j < addresses.size(); ++j)
      warn_ip(warnings, (FieldPath("endpoints")[i] / "addresses")[j], addresses[j]);
  }
}

}  // namespace

const KindRules kEndpointSliceRules = {.apply_defaults = apply_slice_defaults,
                                       .prepare_create = prepare_slice_create,
                                       .prepare_update = prepare_slice_update,
                                       .check_create = check_slice_create,
                                       .check_update = check_slice_update,
                                       .warn = warn_slice};

}  // namespace proxima::apiserver::rules
