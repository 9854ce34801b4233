// SPDX-License-Identifier: Apache-2.0
// Label selectors: the map of a Service ("all of these"), and the full syntax of `-l`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::model {

enum class SelectorOperator {
  Equals,
  NotEquals,
  In,
  NotIn,
  Exists,
  DoesNotExist,
  GreaterThan,
  LessThan
};

struct Requirement {
  std::string key;
  SelectorOperator op;
  std::vector<std::string> values;  // sorted; empty for Exists and DoesNotExist
};

// The text of a label by key; nullopt when the object does not carry the key.
using LabelLookup = std::function<std::optional<std::string_view>(std::string_view key)>;

class Selector {
 public:
  Selector() = default;  // selects everything

  // What kubectl takes after -l: "a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1,j<2".
  static Result<Selector> parse(std::string_view text);
  // The values of each requirement must be sorted.
  static Selector of(std::vector<Requirement> requirements);

  bool matches(const LabelLookup& label) const;
  const std::vector<Requirement>& requirements() const { return requirements_; }

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace proxima::model
