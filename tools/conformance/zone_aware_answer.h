// SPDX-License-Identifier: Apache-2.0
// A `zone-aware` question, put to core/policy/zone_routing and zone_aware_request.
#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "conformance/fraction.h"
#include "conformance/zone_aware_question.h"

namespace proxima::conformance {

// The answer without its name: for each basis the routing state, the share kept local, the running
// sums of spare capacity, and the exact probability of each zone as a fraction.
Result<boost::json::object> answer_zone_aware(const boost::json::object& question);

// "none", "direct", "residual".
std::string_view state_name(policy::ZoneState state);

struct RequestShares {
  std::vector<Fraction> by_bucket;  // of the upstream
  Fraction no_host;
};
// Where the requests of a case go; the shares sum to 1.
RequestShares request_shares(const ZoneAwareCase& solved);

}  // namespace proxima::conformance
