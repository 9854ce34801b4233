// SPDX-License-Identifier: Apache-2.0
// The usual kinds of rows in a table of flags. Each is bound to its target, which must outlive it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/argument_values.h"
#include "cli/flag_row.h"

namespace proxima::cli {

FlagRow text_row(std::string names, std::string value, std::string group, std::string& target,
                 std::string description);
// May be given a value, as Go's flags may: --leader-elect, --leader-elect=false.
FlagRow switch_row(std::string names, std::string group, bool& target, std::string description);
// Gathers what it is given.
FlagRow list_row(std::string names, std::string value, std::string group,
                 std::vector<std::string>& target, std::string description);

// A flag that `set` is told the text of.
FlagRow set_row(std::string names, std::string value, std::string group, std::string description,
                std::function<Status(const std::string&)> set);

// A flag whose text goes through `parse`, which gives a Result.
template <class T, class Parse>
FlagRow value_row(std::string names, std::string value, std::string group, T& target, Parse parse,
                  std::string description) {
  return set_row(std::move(names), std::move(value), std::move(group), std::move(description),
                 [&target, parse](const std::string& text) -> Status {
                   auto parsed = parse(text);
                   if (!parsed) return std::move(parsed).error();
                   target = std::move(*parsed);
                   return Unit{};
                 });
}

// The same, gathering what it is given; commas separate several in one text.
template <class T, class Parse>
FlagRow value_list_row(std::string names, std::string value, std::string group,
                       std::vector<T>& target, Parse parse, std::string description) {
  FlagRow row =
      set_row(std::move(names), std::move(value), std::move(group), std::move(description),
              [&target, parse](const std::string& text) -> Status {
                auto parsed = parse(text);
                if (!parsed) return std::move(parsed).error();
                target.push_back(std::move(*parsed));
                return Unit{};
              });
  row.repeat = Repeat::InOneText;
  return row;
}

// A text that `check`, which gives a Result, understands; it is kept as it was written.
template <class T, class Check>
FlagRow checked_row(std::string names, std::string value, std::string group, T& target, Check check,
                    std::string description) {
  const auto parse = [check](const std::string& text) -> Result<std::string> {
    auto checked = check(text);
    if (!checked) return std::move(checked).error();
    return text;
  };
  return value_row(std::move(names), std::move(value), std::move(group), target, parse,
                   std::move(description));
}

// A whole number within the bounds, which T has room for.
template <class T>
FlagRow count_row(std::string names, std::string group, T& target, CountBounds bounds,
                  std::string description) {
  return set_row(std::move(names), "NUMBER", std::move(group), std::move(description),
                 [&target, bounds](const std::string& text) -> Status {
                   auto count = parse_count(text, bounds);
                   if (!count) return std::move(count).error();
                   if constexpr (requires { typename T::value_type; })
                     target = static_cast<typename T::value_type>(*count);
                   else
                     target = static_cast<T>(*count);
                   return Unit{};
                 });
}

// One of a few names; `choices` is a constant of argument_values.h.
template <class T, class Value, std::size_t N>
FlagRow choice_row(std::string names, std::string group, T& target,
                   const Choices<Value, N>& choices, std::string description) {
  const auto parse = [&choices](const std::string& text) { return parse_choice(text, choices); };
  return value_row(std::move(names), choice_names(choices), std::move(group), target, parse,
                   std::move(description));
}

}  // namespace proxima::cli
