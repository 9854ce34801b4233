// SPDX-License-Identifier: Apache-2.0
// A `categorize` question, put to core/policy/select_endpoints.
#pragma once

#include <boost/json.hpp>

#include "base/result.h"

namespace proxima::conformance {

// The answer without its name. Lists keep the order of the question's endpoints.
Result<boost::json::object> answer_categorize(const boost::json::object& question);

}  // namespace proxima::conformance
