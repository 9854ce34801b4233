// SPDX-License-Identifier: Apache-2.0
// `balanced` for proxies that know hints only: whole endpoints are assigned to zones such that none
// is loaded beyond the bound, with the least traffic that leaves its zone; or there are no hints,
// with the reason.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/endpoint_allotment.h"
#include "core/policy/published_hints.h"
#include "core/policy/reason.h"
#include "core/policy/weighted_allotment.h"

namespace proxima::policy {

struct BalancedHintsInput {
  // By place: share of the traffic that starts there; sum 1. The last place is "no zone": nodes
  // there match no hint and use every endpoint.
  std::span<const double> demand;
  // By ready endpoint: where it stands. One in the last place can be for any zone.
  std::span<const std::uint16_t> place;
  std::span<const float> weight;  // by ready endpoint, > 0; empty: alike
  double overload = 0.2;          // of an endpoint over its fair share; may be infinite
  std::span<const double> price;  // as for balanced_split
  // By ready endpoint: the zone that it is for as published, or kNotPublished; empty: nothing is.
  std::span<const std::uint16_t> published;
};

struct BalancedHints {
  bool hinted = false;
  Note why;                   // HintsApproximateSplit or HintsCannotApproximateSplit
  std::int64_t lent = 0;      // endpoints that are for another zone than their own
  double worst_overload = 0;  // of the busiest endpoint with these hints, or at best with any;
                              // never below 0
};

// Reusable working memory.
struct BalancedHintsWorkspace {
  std::vector<std::int64_t> count;  // by place: endpoints that stand there
  std::vector<double> served;       // by zone: weight that serves it
  std::vector<double> demand;       // by zone
  std::vector<std::int64_t> quota;  // place × zone: endpoints still to be assigned
  std::vector<std::size_t> cursor;  // by place: the zone that the next endpoint is for
  std::vector<double> price;        // zone × zone
  PublishedHintsWorkspace nearest;
  EndpointAllotment allotment;
  WeightedAllotment weighted;
};

// Fills `hint_of`, one entry an endpoint, with the zone it is for. Every zone with demand gets an
// endpoint, every endpoint a zone; without hints the entries mean nothing. Endpoints stay with
// their own zone first; what is published stays whole as long as it keeps to the bound and costs
// no more than a hundredth of the traffic, and otherwise as far as it is as good. Linear in the
// endpoints when they are alike.
BalancedHints balanced_hints(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace,
                             std::span<std::uint16_t> hint_of);

}  // namespace proxima::policy
