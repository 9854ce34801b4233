// SPDX-License-Identifier: Apache-2.0
// The fieldSelector of a request: "metadata.name=a,status.phase!=Running".
#pragma once

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/selectable_fields.h"
#include "base/result.h"

namespace proxima::apiserver {

class FieldSelector {
 public:
  FieldSelector() = default;  // selects everything

  // The error's message is upstream's, whole.
  static Result<FieldSelector> parse(const ResourceType& type, std::string_view text);

  bool empty() const { return terms_.empty(); }
  std::size_t size() const { return terms_.size(); }
  bool matches(const boost::json::object& object) const;
  // The value of the first "label=value".
  std::optional<std::string> exact_value(std::string_view label) const;

 private:
  struct Term {
    const SelectableField* field;  // lives for ever
    std::string value;
    bool negated;
  };
  std::vector<Term> terms_;
};

}  // namespace proxima::apiserver
