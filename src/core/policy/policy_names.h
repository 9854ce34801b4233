// SPDX-License-Identifier: Apache-2.0
// The names of all policies, as messages and help list them.
#pragma once

#include <string>
#include <string_view>

namespace proxima::policy {

// "topology-keys, auto, …"
std::string policy_names(std::string_view separator = ", ");

}  // namespace proxima::policy
