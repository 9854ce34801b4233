// SPDX-License-Identifier: Apache-2.0
#include "core/policy/policy_names.h"

#include "core/policy/settings.h"

namespace proxima::policy {

std::string policy_names(std::string_view separator) {
  std::string names;
  for (const PolicyKind kind : kAllPolicies) {
    if (!names.empty()) names += separator;
    names += to_text(kind);
  }
  return names;
}

}  // namespace proxima::policy
