// SPDX-License-Identifier: Apache-2.0
// Endpoints and EndpointSlices.
#include "apiserver/json_lookup.h"

#include <boost/json/value.hpp>
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

// An IPv6 address needs brackets in front of a port.
std::string host_port(std::string_view host, std::int64_t port) {
  const bool brackets = host.find(':') != std::string_view::npos;
  std::string out = brackets ? "[" + std::string(host) + "]" : std::string(host);
  return out + ":" + std::to_string(port);
}

std::string addresses(const object& endpoints) {
  const array& subsets = items_at(endpoints, "subsets");
  if (subsets.empty()) return "<none>";
  ShortList list;
  for (const auto& item : subsets) {
    const object& subset = as_object(item);
    const array& ports = items_at(subset, "ports");
    if (ports.empty())
      for (const auto& address : items_at(subset, "addresses"))
        list.add(std::string(text_at(as_object(address), "ip")));
    for (const auto& port : ports)
      for (const auto& address : items_at(subset, "addresses"))
        list.add(host_port(text_at(as_object(address), "ip"), number_at(as_object(port), "port")));
  }
  return list.text("");
}

std::string slice_ports(const object& slice) {
  ShortList list;
  for (const auto& item : items_at(slice, "ports")) {
    const object& port = as_object(item);
    const auto* number = find_at(port, "port");
    const auto* name = find_at(port, "name");
    if (number != nullptr && number->is_number()) {
      list.add(std::to_string(number_at(port, "port")));
    } else {
      list.add(name != nullptr && name->is_string() ? std::string(name->get_string()) : "*");
    }
  }
  return list.text("<unset>");
}

std::string slice_addresses(const object& slice) {
  ShortList list;
  for (const auto& endpoint : items_at(slice, "endpoints"))
    for (std::string& address : texts_of(items_at(as_object(endpoint), "addresses")))
      list.add(std::move(address));
  return list.text("<unset>");
}

}  // namespace

array endpoints_cells(const object& endpoints, TableTime now) {
  return {text_at(endpoints, "metadata.name"), addresses(endpoints), object_age(endpoints, now)};
}

array endpoint_slice_cells(const object& slice, TableTime now) {
  return {text_at(slice, "metadata.name"), text_at(slice, "addressType"), slice_ports(slice),
          slice_addresses(slice), object_age(slice, now)};
}

}  // namespace proxima::apiserver
