// SPDX-License-Identifier: Apache-2.0
// What users are told when a decision differs from the one before: upstream's events in upstream's
// words for hints by CPU, and for everything else the reason of the engine's own table. Once a
// change, never once a sync; and after a restart nothing that the slices say already. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/route/slice_routing.h"
#include "kube/event.h"
#include "slices/slice_draft.h"
#include "slices/slice_planner.h"

namespace proxima::slices {

struct DecisionEvent {
  kube::EventType type = kube::EventType::Normal;
  std::string reason;
  std::string message;
  friend bool operator==(const DecisionEvent&, const DecisionEvent&) = default;
};

// What was there of a family before this sync.
struct PublishedFamily {
  kube::AddressType family = kube::AddressType::IPv4;
  bool exists = false;  // slices
  bool hinted = false;  // every ready endpoint has a zone hint
  std::vector<route::FailingZone> failing = {};
};
// Of a draft, before or after it was decided upon.
PublishedFamily published_of(const FamilyDraft& draft);

// `before` null: the first decision since this process leads.
std::vector<DecisionEvent> decision_news(const ServiceDecision* before, const ServiceDecision& now,
                                         std::span<const PublishedFamily> published);

}  // namespace proxima::slices
