// SPDX-License-Identifier: Apache-2.0
// Which objects a list or watch asks for: label and field selectors over stored objects.
#pragma once

#include <boost/json/fwd.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/resource.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

class Selection {
 public:
  Selection() = default;  // everything

  // Both texts may be empty. A refusal (400): the syntax, or a field that the kind cannot be
  // selected by ('field label not supported: spec.bogus').
  static Outcome<Selection> parse(const ResourceType& type, std::string_view labels,
                                  std::string_view fields);

  bool everything() const;
  bool matches(const boost::json::object& object) const;
  // How many labels and fields are looked up in each object.
  std::size_t requirements() const;
  // The value when the fields ask for exactly one metadata.name.
  std::optional<std::string> single_name() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace proxima::apiserver
