// SPDX-License-Identifier: Apache-2.0
// How the proxy recognises that a packet comes from a Pod: by its source, or by where it came in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ip_prefix.h"

namespace proxima::proxy {

struct LocalDetector {
  enum class By : std::uint8_t { SourceRange, Interface, InterfacePrefix };
  By by = By::SourceRange;
  IpPrefix range;         // for SourceRange
  std::string interface;  // for the others: its name, or how that begins

  bool is_pod(const IpAddress& source, std::string_view input_interface) const;
  friend bool operator==(const LocalDetector&, const LocalDetector&) = default;
};

}  // namespace proxima::proxy
