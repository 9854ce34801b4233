// SPDX-License-Identifier: Apache-2.0
// Waits until an end of a cable can be used: the kernel does in its own time what was asked for.
#pragma once

#include <chrono>

#include "lab/cable_plan.h"

namespace proxima::lab {

// Until the device passes packets and its IPv6 addresses are known to the kernel's neighbour
// discovery. What is sent before is dropped, and a question for a neighbour's address that is lost
// so is repeated after a second only. Retry: not within `patience`.
Status wait_until_usable(const NetworkNamespace& at, const CableEnd& end,
                         std::chrono::milliseconds patience);

}  // namespace proxima::lab
