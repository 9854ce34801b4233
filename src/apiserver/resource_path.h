// SPDX-License-Identifier: Apache-2.0
// What the path of a request names: a kind, and perhaps a namespace, an object and a part of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/resource.h"

namespace proxima::apiserver {

enum class PathPart : std::uint8_t { Whole, Status, Finalize, Binding };

struct ResourcePath {
  const ResourceType* type = nullptr;
  std::string ns;    // empty: cluster-wide, or all namespaces
  std::string name;  // empty: the collection
  PathPart part = PathPart::Whole;
};

// Below /api/v1 or /apis/GROUP/VERSION of a group that is served: what is unknown there is answered
// with a Status instead of plain text.
bool in_served_group(std::string_view path);

// `path` without the query, still escaped. nullopt: nothing is there.
std::optional<ResourcePath> parse_resource_path(std::string_view path);

}  // namespace proxima::apiserver
