// SPDX-License-Identifier: Apache-2.0
#include "web/live_state.h"

#include <tuple>

namespace proxima::web {
namespace {

auto shown(const LiveState& state) {
  return std::tie(state.lab, state.simulated, state.read_only, state.price_per_gigabyte,
                  state.waiting_for, state.zones, state.nodes, state.pods, state.services,
                  state.totals, state.events, state.services_not_shown, state.pods_not_shown);
}

}  // namespace

bool same_picture(const LiveState& a, const LiveState& b) { return shown(a) == shown(b); }

}  // namespace proxima::web
