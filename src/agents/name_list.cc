// SPDX-License-Identifier: Apache-2.0
#include "agents/name_list.h"

#include "core/policy/settings.h"

namespace proxima::agents {

std::string name_list(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string policy_names() {
  std::vector<std::string> names;
  for (const policy::PolicyKind kind : policy::kAllPolicies)
    names.emplace_back(policy::to_text(kind));
  return name_list(names);
}

}  // namespace proxima::agents
