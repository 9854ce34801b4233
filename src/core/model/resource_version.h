// SPDX-License-Identifier: Apache-2.0
// The resourceVersion of an object as a number.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace proxima::model {

// As Kubernetes 1.35 promises and every older server keeps; 0 when there is none, or it is
// something else, and then nothing can be said about order.
inline std::uint64_t parse_resource_version(std::string_view text) {
  std::uint64_t version = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, version);
  return parsed.ec == std::errc() && parsed.ptr == end ? version : 0;
}

}  // namespace proxima::model
