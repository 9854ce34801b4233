// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <set>
#include <utility>

#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/service_parts.h"
#include "apiserver/rules/shared_fields.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

void check_name(FieldErrors& errors, const JsonFields& port, const FieldPath& path,
                std::set<std::string_view>& names, bool name_needed) {
  const std::string_view name = text_at(port, "name");
  if (name.empty()) {
    if (name_needed) errors.required(path);
    return;
  }
  errors.invalid_each(path, name, dns_label_faults(name));
  if (!names.insert(name).second) errors.duplicate(path, name);
}

void check_target(FieldErrors& errors, const JsonFields& port, const FieldPath& path) {
  if (const auto name = find_text(port, "targetPort")) {
    errors.invalid_each(path, *name, port_name_faults(*name));
    return;
  }
  const std::int64_t number = number_at(port, "targetPort");
  for (const std::string& fault : port_number_faults(number)) errors.invalid(path, number, fault);
}

void check_port(FieldErrors& errors, const JsonFields& port, const FieldPath& path) {
  const std::int64_t number = number_at(port, "port");
  for (const std::string& fault : port_number_faults(number))
    errors.invalid(path / "port", number, fault);
  errors.one_of(path / "protocol", text_at(port, "protocol"), kProtocols);
  check_target(errors, port, path / "targetPort");
  if (const auto protocol = find_text(port, "appProtocol"))
    errors.invalid_each(path / "appProtocol", *protocol, qualified_name_faults(*protocol));
}

// The pair as upstream prints it: its internal struct, other fields empty.
json::value shown_pair(std::string_view protocol, std::int64_t port) {
  return json::object{{"Name", ""},
                      {"Protocol", json::string(protocol)},
                      {"AppProtocol", nullptr},
                      {"Port", port},
                      {"TargetPort", 0},
                      {"NodePort", 0}};
}

}  // namespace

void check_service_ports(FieldErrors& errors, const JsonFields& service) {
  const JsonArray& ports = ServiceSpec(service).ports();
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size() && !errors.full(); ++i) {
    const FieldPath path = FieldPath("spec.ports")[i];
    const JsonFields& port = object_of(ports[i]);
    check_name(errors, port, path / "name", names, ports.size() > 1);
    check_port(errors, port, path);
  }
}

void check_port_uniqueness(FieldErrors& errors, const JsonFields& service) {
  using Pair = std::pair<std::string_view, std::int64_t>;
  const JsonArray& ports = ServiceSpec(service).ports();
  const FieldPath path("spec.ports");
  std::set<Pair> node_ports;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const JsonFields& port = object_of(ports[i]);
    const std::int64_t number = number_at(port, "nodePort");
    if (number != 0 && !node_ports.emplace(text_at(port, "protocol"), number).second)
      errors.duplicate(path[i] / "nodePort", number);
  }
  std::set<Pair> numbers;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const JsonFields& port = object_of(ports[i]);
    const Pair pair(text_at(port, "protocol"), number_at(port, "port"));
    if (!numbers.insert(pair).second)
      errors.duplicate(path[i], shown_pair(pair.first, pair.second));
  }
}

}  // namespace proxima::apiserver::rules
