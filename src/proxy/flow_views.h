// SPDX-License-Identifier: Apache-2.0
// The last minutes of what a node knew. The kernel tells of the end of a connection up to minutes
// after it, when its endpoint or its whole service may be gone. For one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

#include "proxy/flow_owner.h"

namespace proxima::proxy {

class FlowViews {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // Views share what they have in common, so a few of them cost little more than what changed.
  static constexpr std::size_t kMost = 6;
  static constexpr std::chrono::seconds kApart{60};

  // `now` never goes back.
  void add(FlowView view, Time now);
  // As the newest view has it that knows the endpoint, and otherwise the newest that knows the
  // service.
  std::optional<FlowOwner> owner(const dataplane::ConntrackEntry& entry) const;

  bool knows_service(const Text& ns, const Text& service) const;
  bool knows_backend(const ServicePortKey& port, const BackendAddress& backend) const;

 private:
  struct Kept {
    FlowView view;
    Time since;
  };
  std::deque<Kept> kept_;  // the newest first
};

}  // namespace proxima::proxy
