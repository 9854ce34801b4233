// SPDX-License-Identifier: Apache-2.0
// Runs many jobs at once on one thread.
#pragma once

#include <vector>

#include "packet_lab/traffic/dial_job.h"

namespace proxima::traffic {

// Results in the order of the jobs. After SIGTERM or SIGINT no connection is begun any more, and
// those that are open come to their end as usual.
std::vector<DialResult> dial(const std::vector<DialJob>& jobs);

}  // namespace proxima::traffic
