// SPDX-License-Identifier: Apache-2.0
// Quantities as the API server writes them: "0.5" becomes "500m", "1024Mi" becomes "1Gi".
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::apiserver::rules {

// What upstream's canonical form of `text` is. The error's message is upstream's.
Result<std::string> canonical_quantity(std::string_view text);
// The same, rounded up to thousandths, as resource lists are.
Result<std::string> canonical_milli_quantity(std::string_view text);

}  // namespace proxima::apiserver::rules
