// SPDX-License-Identifier: Apache-2.0
// Since when the loads of a service's endpoints are comparable with its plan. A load is a part of
// all requests over a fair share; requests that came before the shares, the plan or the clients
// changed belong to another question, and in one sum with later ones they look like an overload
// that nobody has. Pure: time is an argument.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "web/live_state.h"

namespace proxima::web {

// Loads are measured over this long at most. An endpoint needs a hundred requests before chance
// moves its load by less than ten per cent.
inline constexpr int kLoadWindowSeconds = 120;

// What loads depend on. While it is alike, requests may be counted together.
struct LoadBasis {
  struct Endpoint {
    std::string name;  // of its Pod, or its address
    double fair_share = 0;
    double load = 0;  // planned
  };
  std::string policy;
  std::optional<double> overload;
  bool hinted = false;
  bool split = false;
  std::vector<Endpoint> endpoints;
  // Of a lab, those that can serve and ask. In a cluster nodes come and go all day, and few clients
  // with each: what that does to loads shows in the plan.
  std::vector<std::string> machines;
  std::map<std::string, double> demand;  // of clients, by zone
};
LoadBasis load_basis(const LiveState& state, const ServicePicture& service);
// A plan that is followed by measured demand never stands quite still; a change of two per cent of
// a fair share is less than what can be measured.
bool alike(const LoadBasis& a, const LoadBasis& b);

struct LoadWindow {
  LoadBasis basis;
  std::int64_t begin = 0;  // the first second that counts
};
using LoadWindows = std::map<std::string, LoadWindow, std::less<>>;  // by "namespace/name"

// The windows of the services in `state`, seen in the running second `now` of a clock that never
// goes back. Those whose basis has changed begin anew, so many seconds later: until then requests
// of before may be counted.
LoadWindows next_windows(LoadWindows before, const LiveState& state, std::int64_t now,
                         std::int64_t settle);
// How many whole seconds before `now` count; 0: none yet.
int seconds_of(const LoadWindow& window, std::int64_t now);

}  // namespace proxima::web
