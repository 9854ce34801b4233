// SPDX-License-Identifier: Apache-2.0
// The flags that plan, explain, compare and migrate share.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/input_flags.h"
#include "cli/output_flags.h"
#include "cli/policy_flags.h"
#include "cli/price_flags.h"
#include "cli/scope_flags.h"

namespace proxima::cli {

// Bound to the command, which must outlive them. `formats` is a constant of argument_values.h.
template <class T, std::size_t N = std::size(kOutputFormats)>
FlagRows planning_flags(T& command, const Choices<OutputFormat, N>& formats = kOutputFormats) {
  FlagRows rows = input_flags(command.input);
  append(rows, scope_flags(command.scope));
  append(rows, output_flags(command.output, formats));
  append(rows, policy_flags(command.policy));
  append(rows, zone_aware_flags(command.policy.zone_aware));
  append(rows, price_flags(command.prices));
  rows.push_back(price_file_flag(command.prices));
  return rows;
}

inline FlagRow traffic_flag(const std::string& group, std::string& traffic_file) {
  return text_row("--traffic", "FILE", group, traffic_file,
                  "GB of each service, as YAML, JSON or CSV: NAMESPACE/NAME: GB");
}

// The names of services, after the command.
inline FlagRow services_argument(std::vector<std::string>& services) {
  return list_row("services", "SERVICE", "", services, "Services; all of them when none is named");
}

// What no single flag can know about the others; "" when all is well. `named` says whether services
// are given by name.
template <class T>
std::string planning_contradiction(const T& command, bool named) {
  if (named && !command.scope.selector.empty())
    return "services are given by name or by --selector, not both";
  return {};
}

}  // namespace proxima::cli
