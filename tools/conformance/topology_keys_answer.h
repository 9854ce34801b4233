// SPDX-License-Identifier: Apache-2.0
// A `topology-keys` question, put to core/policy/topology_keys.
#pragma once

#include <boost/json.hpp>

#include "base/result.h"

namespace proxima::conformance {

// The answer without its name. A node without any label counts as unknown, as in kube-proxy.
Result<boost::json::object> answer_topology_keys(const boost::json::object& question);

}  // namespace proxima::conformance
