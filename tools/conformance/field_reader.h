// SPDX-License-Identifier: Apache-2.0
// Typed access to the fields of a question. What is absent or null has a neutral value; what has
// the wrong type is an error, and only the first one is kept, so that reading needs no branches.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/model/endpoint.h"

namespace proxima::conformance {

class FieldReader {
 public:
  // Borrowed from the object; "" when absent.
  std::string_view text(const boost::json::object& object, std::string_view key);
  bool flag(const boost::json::object& object, std::string_view key);
  model::Condition condition(const boost::json::object& object, std::string_view key);
  const boost::json::array& list(const boost::json::object& object, std::string_view key);
  const boost::json::object& map(const boost::json::object& object, std::string_view key);

  // For the values of a list or map; `where` is the name of that list.
  std::string_view as_text(const boost::json::value& value, std::string_view where);
  const boost::json::object& as_object(const boost::json::value& value, std::string_view where);

  void fail(std::string_view where, std::string_view message);
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace proxima::conformance
