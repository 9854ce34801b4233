// SPDX-License-Identifier: Apache-2.0
// Waiting that somebody else can end.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "net/cancellation.h"

namespace proxima::kube {

enum class Waited { Done, Cancelled };

Waited wait_for(Clock& clock, std::chrono::nanoseconds duration,
                const net::Cancellation& cancellation);

}  // namespace proxima::kube
