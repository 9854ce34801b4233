// SPDX-License-Identifier: Apache-2.0
// One question as a line of JSON in, one answer as a line of JSON out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/policy/auto_hints.h"

namespace proxima::conformance {

struct Options {
  policy::AutoOptions auto_options;
};

class Kind {
 public:
  // "hints", "categorize", …; none when there is no such kind.
  static std::optional<Kind> parse(std::string_view name);
  static std::span<const std::string_view> names();

  // Never fails: a line that cannot be read gets an answer with "error", and with the question's
  // name where that much could be read. No line feed at the end.
  std::string answer(std::string_view line, const Options& options) const;

 private:
  explicit Kind(std::size_t index) : index_(index) {}
  std::size_t index_;
};

}  // namespace proxima::conformance
