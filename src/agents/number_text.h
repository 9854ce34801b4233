// SPDX-License-Identifier: Apache-2.0
// A number in as few digits as say exactly which it is: "0.2".
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace proxima::agents {

inline std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace proxima::agents
