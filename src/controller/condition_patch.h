// SPDX-License-Identifier: Apache-2.0
// What has to be sent so that a Service's status says what was decided about it. Conditions of
// others are never mentioned. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/timestamp.h"
#include "core/plan/conditions.h"
#include "kube/service_record.h"

namespace proxima::controller {

// A strategic merge patch of the status; none when it says so already. Ours that are not wanted any
// more are taken away.
std::optional<std::string> condition_patch(const kube::ServiceRecord& service,
                                           std::span<const plan::ServiceCondition> wanted,
                                           WallTime now);

}  // namespace proxima::controller
