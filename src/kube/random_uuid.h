// SPDX-License-Identifier: Apache-2.0
// A name that nobody else has.
#pragma once

#include <string>

#include "base/result.h"

namespace proxima::kube {

// A version 4 UUID from the system's random source.
Result<std::string> random_uuid();

}  // namespace proxima::kube
