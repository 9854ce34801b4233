// SPDX-License-Identifier: Apache-2.0
// A `balanced` question, put to core/policy/balanced.
#pragma once

#include <boost/json.hpp>

#include "base/result.h"

namespace proxima::conformance {

// The answer without its name: "split" with a row for every zone of the demand and in it every zone
// that has endpoints, the row summing to the zone's demand as asked (also when the demand does not
// sum to 1); "localShare", a part of all traffic; "worstOverload", of a zone over its fair share,
// never below 0; "cost", of the split at the prices asked.
Result<boost::json::object> answer_balanced(const boost::json::object& question);

}  // namespace proxima::conformance
