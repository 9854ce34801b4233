// SPDX-License-Identifier: Apache-2.0
// What users are told when a decision about hints differs from the one before: upstream's events in
// upstream's words, once a change and not once a sync. Pure.
#pragma once

#include <string>
#include <vector>

#include "kube/event.h"
#include "slices/slice_planner.h"

namespace proxima::controller {

struct HintEvent {
  kube::EventType type = kube::EventType::Normal;
  std::string reason;
  std::string message;
};

// `before` null: the first decision since this process leads. Then hints that are published
// already are no news: `written` says whether anything had to be written.
enum class Written { No, Yes };
std::vector<HintEvent> hint_events(const slices::ServiceDecision* before,
                                   const slices::ServiceDecision& now, Written written);

}  // namespace proxima::controller
