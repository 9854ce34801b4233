// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_flags.h"

#include "cli/planning_flags.h"

namespace proxima::cli {

FlagRows plan_flags(PlanCommand& command) {
  FlagRows rows = {services_argument(command.services)};
  append(rows, planning_flags(command));
  rows.push_back(overload_flag(command.policy));
  return rows;
}

std::string contradiction(const PlanCommand& command) {
  return planning_contradiction(command, !command.services.empty());
}

}  // namespace proxima::cli
