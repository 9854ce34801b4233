// SPDX-License-Identifier: Apache-2.0
#include "checks/name_list.h"

#include <algorithm>

namespace proxima::checks {

std::string name_list(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kNamesShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    if (i > 0) text += is_last ? " and " : ", ";
    text += names[i];
  }
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace proxima::checks
