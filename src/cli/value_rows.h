// SPDX-License-Identifier: Apache-2.0
// The usual kinds of rows in a table of flags.
#pragma once

#include <string>
#include <utility>

#include "cli/argument_values.h"
#include "cli/flag_row.h"

namespace proxima::cli {

FlagRow text_row(const char* names, const char* value, const char* group, std::string& target,
                 const char* description);
FlagRow switch_row(const char* names, const char* group, bool& target, const char* description);

// A flag whose text goes through `parse`, which gives a Result.
template <class T, class Parse>
FlagRow value_row(const char* names, const char* value, const char* group, T& target, Parse parse,
                  const char* description) {
  return {names, value, group, description, [&target, parse](const std::string& text) -> Status {
            auto parsed = parse(text);
            if (!parsed) return std::move(parsed).error();
            target = std::move(*parsed);
            return Unit{};
          }};
}

// A whole number within the bounds, which T has room for.
template <class T>
FlagRow count_row(const char* names, const char* group, T& target, CountBounds bounds,
                  const char* description) {
  return {names, "NUMBER", group, description,
          [&target, bounds](const std::string& text) -> Status {
            auto count = parse_count(text, bounds);
            if (!count) return std::move(count).error();
            if constexpr (requires { typename T::value_type; })
              target = static_cast<typename T::value_type>(*count);
            else
              target = static_cast<T>(*count);
            return Unit{};
          }};
}

}  // namespace proxima::cli
