// SPDX-License-Identifier: Apache-2.0
// Versions as kernels, API servers and images write them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace proxima::checks {

struct VersionPair {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const VersionPair&, const VersionPair&) = default;
};
// Of "6.1.0-18-amd64" and "v1.36.4+k3s1"; none: it does not begin with two numbers.
std::optional<VersionPair> parse_version_pair(std::string_view text);

// The tag of "registry:5000/proxima:0.1.0@sha256:…"; "" when it has none.
std::string image_tag(std::string_view image);

}  // namespace proxima::checks
