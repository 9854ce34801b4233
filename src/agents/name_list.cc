// SPDX-License-Identifier: Apache-2.0
#include "agents/name_list.h"

namespace proxima::agents {

std::string name_list(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace proxima::agents
