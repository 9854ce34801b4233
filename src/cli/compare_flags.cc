// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_flags.h"

#include <algorithm>

#include "cli/planning_flags.h"
#include "core/policy/policy_names.h"

namespace proxima::cli {
namespace {

FlagRows comparison_flags(CompareCommand& command) {
  const std::string group = "Comparison";
  return {
      value_list_row("--policy",
                     "POLICY:" + std::string(kAsConfigured) + "|" + policy::policy_names("|"),
                     group, command.policies, parse_variant_name, "Policies to compare"),
      value_list_row("--overload", "PERCENT", group, command.overloads, policy::parse_overload,
                     "Bounds on overload at which balanced is compared (0, 20%, inf)"),
      traffic_flag(group, command.traffic_file),
      switch_row("--all", group, command.all,
                 "Every service in the table, not only those that differ most"),
      text_row("--html", "FILE", group, command.html_file,
               "Also write a page with charts to this file"),
  };
}

bool lists_balanced(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), policy::to_text(policy::PolicyKind::Balanced)) !=
         names.end();
}

}  // namespace

FlagRows compare_flags(CompareCommand& command) {
  FlagRows rows = {services_argument(command.services)};
  append(rows, comparison_flags(command));
  append(rows, planning_flags(command));
  return rows;
}

std::string contradiction(const CompareCommand& command) {
  const bool balanced = command.policies.empty() || lists_balanced(command.policies);
  if (!command.overloads.empty() && !balanced)
    return "--overload is for policy balanced, which --policy does not list";
  return planning_contradiction(command, !command.services.empty());
}

}  // namespace proxima::cli
