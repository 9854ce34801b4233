// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_flags.h"

#include "cli/argument_values.h"
#include "cli/lab_request.h"
#include "cli/near_match.h"
#include "cli/value_rows.h"
#include "core/policy/settings.h"

namespace proxima::cli {
namespace {

constexpr const char* kLabHeading = "Lab";

Result<LabAction> parse_action(const std::string& text) {
  auto action = parse_choice(text, kLabActions);
  if (action) return action;
  std::vector<std::string> names;
  for (const auto& [name, value] : kLabActions) names.emplace_back(name);
  return Error{ErrorCode::InvalidInput,
               "unknown action: " + text + did_you_mean(near_matches(text, names))};
}

Result<bool> parse_json(const std::string& text) {
  constexpr Choices<bool, 2> kFormats = {{{"table", false}, {"json", true}}};
  return parse_choice(text, kFormats);
}

}  // namespace

FlagRows lab_flags(LabCommand& command) {
  FlagRows rows = {
      value_row("action", "ACTION:" + choice_names(kLabActions), "", command.action, parse_action,
                "What to do"),
      list_row("words", "WORD", "", command.words,
               "What to do it with: a zone, a node, a service, ZONE=VALUE"),
  };
  rows.front().required = true;
  rows.push_back(value_row("--overload", "PERCENT", kLabHeading, command.overload,
                           policy::parse_overload,
                           "policy balanced: how far above its fair share an endpoint may get "
                           "(20%, 0.2, inf)"));
  rows.push_back(text_row("--data-dir", "DIRECTORY", kLabHeading, command.data_directory,
                          "The lab of this directory; the one that runs when not given"));
  rows.push_back(value_row("-o,--output", "table|json", "Output", command.json, parse_json,
                           "status: format of the output (default table)"));
  return rows;
}

std::string contradiction(const LabCommand& command) {
  const auto request = parse_lab_request(command);
  return request ? std::string() : request.error().message;
}

}  // namespace proxima::cli
