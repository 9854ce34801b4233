// SPDX-License-Identifier: Apache-2.0
#include "cli/value_rows.h"

namespace proxima::cli {

FlagRow text_row(const char* names, const char* value, const char* group, std::string& target,
                 const char* description) {
  return {.names = names,
          .value = value,
          .group = group,
          .description = description,
          .set = [&target](const std::string& text) -> Status {
            target = text;
            return Unit{};
          },
          .now = [&target] { return target; }};
}

FlagRow switch_row(const char* names, const char* group, bool& target, const char* description) {
  return {.names = names,
          .value = "",
          .group = group,
          .description = description,
          .set = [&target](const std::string& text) -> Status {
            target = text == "true";
            return Unit{};
          },
          .now = [&target] { return std::string(target ? "true" : "false"); }};
}

}  // namespace proxima::cli
