// SPDX-License-Identifier: Apache-2.0
// The variables of the environment as a value: main() reads them once and hands them on.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace proxima::kube {

using Environment = std::map<std::string, std::string, std::less<>>;

// Empty when it is not set, which every variable that is read here takes for the same.
inline std::string_view variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace proxima::kube
