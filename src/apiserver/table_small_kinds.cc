// SPDX-License-Identifier: Apache-2.0
// Kinds whose rows need no thought.
#include "apiserver/json_lookup.h"

#include <boost/json/value.hpp>
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

// "services/shop/cart", "widgets.example.com/blue"
std::string parent_name(const object& parent) {
  std::string out(text_at(parent, "resource"));
  if (const auto group = text_at(parent, "group"); !group.empty()) out.append(".").append(group);
  out = lower_case(out);
  if (const auto ns = text_at(parent, "namespace"); !ns.empty()) out.append("/").append(ns);
  return out.append("/").append(text_at(parent, "name"));
}

}  // namespace

array namespace_cells(const object& ns, TableTime now) {
  return {text_at(ns, "metadata.name"), text_at(ns, "status.phase"), object_age(ns, now)};
}

array config_map_cells(const object& map, TableTime now) {
  const std::size_t entries = object_at(map, "data").size() + object_at(map, "binaryData").size();
  return {text_at(map, "metadata.name"), entries, object_age(map, now)};
}

array lease_cells(const object& lease, TableTime now) {
  return {text_at(lease, "metadata.name"), text_at(lease, "spec.holderIdentity"),
          object_age(lease, now)};
}

array service_cidr_cells(const object& cidr, TableTime now) {
  return {text_at(cidr, "metadata.name"), join(texts_of(items_at(cidr, "spec.cidrs")), ","),
          object_age(cidr, now)};
}

// Upstream sends an age that no column is defined for; so do we.
array ip_address_cells(const object& address, TableTime now) {
  const object& parent = object_at(address, "spec.parentRef");
  return {text_at(address, "metadata.name"), parent.empty() ? "<none>" : parent_name(parent),
          object_age(address, now)};
}

}  // namespace proxima::apiserver
