// SPDX-License-Identifier: Apache-2.0
// Services that ask for locality and do not get it: their annotation or field has no effect, and
// there is a reason for it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/plan/compare.h"

namespace proxima::cli {

struct IdleSettings {
  policy::Reason reason = policy::Reason::ClusterWide;
  std::vector<std::size_t> services;  // of Comparison::services; most traffic first
  double gigabytes = 0;               // of those services
};

// By reason, most services first. `as_configured` is the variant of the services' own settings.
std::vector<IdleSettings> idle_settings(const plan::Comparison& comparison,
                                        std::size_t as_configured);

}  // namespace proxima::cli
