// SPDX-License-Identifier: Apache-2.0
// What a client says it can read: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxima::apiserver {

struct MediaRange {
  std::string type;  // lower case, "application/json", "*/*"
  // Names in lower case, without "q".
  std::vector<std::pair<std::string, std::string>> parameters;
  int quality_permille = 1000;

  // Empty: not given.
  std::string_view parameter(std::string_view name) const;
  // This type, or a wildcard for it.
  bool covers(std::string_view media_type) const;
};

// Best first, in the client's order among equals; what cannot be read or has quality 0 is left out.
// An empty header means anything.
std::vector<MediaRange> parse_accept(std::string_view header);

}  // namespace proxima::apiserver
