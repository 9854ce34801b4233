// SPDX-License-Identifier: Apache-2.0
#include "cli/value_rows.h"

namespace proxima::cli {

FlagRow text_row(std::string names, std::string value, std::string group, std::string& target,
                 std::string description) {
  return {.names = std::move(names),
          .value = std::move(value),
          .group = std::move(group),
          .description = std::move(description),
          .set = [&target](const std::string& text) -> Status {
            target = text;
            return Unit{};
          },
          .now = [&target] { return target; }};
}

FlagRow switch_row(std::string names, std::string group, bool& target, std::string description) {
  return {.names = std::move(names),
          .value = "",
          .group = std::move(group),
          .description = std::move(description),
          .set = [&target](const std::string& text) -> Status {
            target = text == "true";
            return Unit{};
          },
          .now = [&target] { return std::string(target ? "true" : "false"); }};
}

FlagRow list_row(std::string names, std::string value, std::string group,
                 std::vector<std::string>& target, std::string description) {
  return {.names = std::move(names),
          .value = std::move(value),
          .group = std::move(group),
          .description = std::move(description),
          .set = [&target](const std::string& text) -> Status {
            target.push_back(text);
            return Unit{};
          },
          .repeat = Repeat::Often};
}

FlagRow set_row(std::string names, std::string value, std::string group, std::string description,
                std::function<Status(const std::string&)> set) {
  return {.names = std::move(names),
          .value = std::move(value),
          .group = std::move(group),
          .description = std::move(description),
          .set = std::move(set)};
}

}  // namespace proxima::cli
