// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/ip_rules.h"

#include <boost/json/value.hpp>
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/shared_fields.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::string_view kEndpointsManagedBy = "endpoints.kubernetes.io/managed-by";
constexpr std::string_view kAddressLists[] = {"addresses", "notReadyAddresses"};

void apply_endpoints_defaults(JsonFields& endpoints) {
  JsonArray* const subsets = find_array(endpoints, "subsets");
  if (subsets == nullptr) return;
  for (json::value& subset : *subsets) {
    JsonArray* const ports = find_array(subset.as_object(), "ports");
    if (ports == nullptr) continue;
    for (json::value& port : *ports)
      if (text_at(port.as_object(), "protocol").empty()) port.as_object()["protocol"] = "TCP";
  }
}

void check_address(FieldErrors& errors, const JsonFields& address, const FieldPath& path) {
  const std::string_view ip = text_at(address, "ip");
  check_legacy_ip(errors, path / "ip", ip, {});
  const std::string_view hostname = text_at(address, "hostname");
  if (!hostname.empty())
    errors.invalid_each(path / "hostname", hostname, dns_label_faults(hostname));
  if (const auto node = find_text(address, "nodeName"))
    errors.invalid_each(path / "nodeName", *node, dns_subdomain_faults(*node));
  check_endpoint_ip(errors, path / "ip", ip);
}

enum class PortName { Optional, Required };

void check_port(FieldErrors& errors, const JsonFields& port, PortName wanted,
                const FieldPath& path) {
  const std::string_view name = text_at(port, "name");
  if (!name.empty()) {
    errors.invalid_each(path / "name", name, dns_label_faults(name));
  } else if (wanted == PortName::Required) {
    errors.required(path / "name");
  }
  const long long number = number_at(port, "port");
  for (const std::string& fault : port_number_faults(number))
    errors.invalid(path / "port", number, fault);
  errors.one_of(path / "protocol", text_at(port, "protocol"), kProtocols);
  if (const auto protocol = find_text(port, "appProtocol"))
    errors.invalid_each(path / "appProtocol", *protocol, qualified_name_faults(*protocol));
}

void check_subset(FieldErrors& errors, const JsonFields& subset, const FieldPath& path) {
  if (array_at(subset, kAddressLists[0]).empty() && array_at(subset, kAddressLists[1]).empty())
    errors.required(path, "must specify `addresses` or `notReadyAddresses`");
  for (const std::string_view list : kAddressLists) {
    const JsonArray& addresses = array_at(subset, list);
    for (std::size_t i = 0; i < addresses.size() && !errors.full(); ++i)
      check_address(errors, object_of(addresses[i]), (path / list)[i]);
  }
  const JsonArray& ports = array_at(subset, "ports");
  const PortName name = ports.size() > 1 ? PortName::Required : PortName::Optional;
  for (std::size_t i = 0; i < ports.size() && !errors.full(); ++i)
    check_port(errors, object_of(ports[i]), name, (path / "ports")[i]);
}

void check_endpoints(FieldErrors& errors, const JsonFields& endpoints, const JsonFields* old) {
  check_core_metadata(errors, endpoints, true, dns_subdomain_faults);
  // What was stored under older rules may stay.
  if (old != nullptr && same_member(endpoints, *old, "subsets")) return;
  const JsonArray& subsets = array_at(endpoints, "subsets");
  for (std::size_t i = 0; i < subsets.size() && !errors.full(); ++i)
    check_subset(errors, object_of(subsets[i]), FieldPath("subsets")[i]);
}

void check_endpoints_create(FieldErrors& errors, const JsonFields& endpoints) {
  check_endpoints(errors, endpoints, nullptr);
}

void check_endpoints_update(FieldErrors& errors, Subresource /*subresource*/,
                            const JsonFields& endpoints, const JsonFields& old) {
  check_core_metadata_update(errors, endpoints, old);
  check_endpoints(errors, endpoints, &old);
}

void warn_endpoints(std::vector<std::string>& warnings, const JsonFields& endpoints,
                    const JsonFields* /*old*/) {
  if (text_at(object_at(object_at(endpoints, "metadata"), "labels"), kEndpointsManagedBy) ==
      "endpoint-controller")
    return;
  const JsonArray& subsets = array_at(endpoints, "subsets");
  for (std::size_t i = 0; i < subsets.size(); ++i)
    for (const std::string_view list : kAddressLists) {
      const JsonArray& addresses = array_at(object_of(subsets[i]), list);
      for (std::size_t j = 0; j < addresses.size(); ++j)
        warn_ip(warnings, (FieldPath("subsets")[i] / list)[j] / "ip",
                text_at(object_of(addresses[j]), "ip"));
    }
}

}  // namespace

const KindRules kEndpointsRules = {.apply_defaults = apply_endpoints_defaults,
                                   .check_create = check_endpoints_create,
                                   .check_update = check_endpoints_update,
                                   .warn = warn_endpoints};

}  // namespace proxima::apiserver::rules
