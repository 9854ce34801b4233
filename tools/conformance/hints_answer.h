// SPDX-License-Identifier: Apache-2.0
// A `hints` question, put to core/policy/auto_hints with an empty memory: no service is hinted yet.
#pragma once

#include <boost/json.hpp>

#include "base/result.h"
#include "core/policy/auto_hints.h"

namespace proxima::conformance {

// The answer without its name, in the shape of one accepted outcome of the recorded cases.
Result<boost::json::object> answer_hints(const boost::json::object& question,
                                         const policy::AutoOptions& options);

}  // namespace proxima::conformance
