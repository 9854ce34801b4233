// SPDX-License-Identifier: Apache-2.0
#include "core/model/snapshot.h"

#include <algorithm>

namespace proxima::model {
namespace {

// The position in a sorted array of the element whose key, as `key_of` gives it, is `wanted`.
template <class IndexType, class T, class Key, class KeyOf>
IndexType find_sorted(const std::vector<T>& sorted, const Key& wanted, KeyOf key_of) {
  auto found =
      std::lower_bound(sorted.begin(), sorted.end(), wanted,
                       [&](const T& element, const Key& k) { return key_of(element) < k; });
  if (found == sorted.end() || key_of(*found) != wanted) return IndexType();
  return IndexType(static_cast<std::size_t>(found - sorted.begin()));
}

}  // namespace

ZoneIndex Snapshot::find_zone(std::string_view name) const {
  return find_sorted<ZoneIndex>(zones, name, [&](const ZoneInfo& z) { return names[z.name]; });
}

NodeIndex Snapshot::find_node(std::string_view name) const {
  return find_sorted<NodeIndex>(nodes, name, [&](const Node& n) { return names[n.name]; });
}

NamespaceIndex Snapshot::find_namespace(std::string_view name) const {
  return find_sorted<NamespaceIndex>(namespaces, name,
                                     [&](const Namespace& n) { return names[n.name]; });
}

ServiceIndex Snapshot::find_service(std::string_view ns, std::string_view name) const {
  const NamespaceIndex found = find_namespace(ns);
  if (!found) return ServiceIndex();
  return find_sorted<ServiceIndex>(services, std::pair(found, name), [&](const Service& s) {
    return std::pair(s.ns, names[s.name]);
  });
}

}  // namespace proxima::model
