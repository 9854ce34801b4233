// SPDX-License-Identifier: Apache-2.0
#include "cli/value_rows.h"

namespace proxima::cli {

FlagRow text_row(const char* names, const char* value, const char* group, std::string& target,
                 const char* description) {
  return {names, value, group, description, [&target](const std::string& text) -> Status {
            target = text;
            return Unit{};
          }};
}

FlagRow switch_row(const char* names, const char* group, bool& target, const char* description) {
  return {names, "", group, description, [&target](const std::string& text) -> Status {
            target = text == "true";
            return Unit{};
          }};
}

}  // namespace proxima::cli
