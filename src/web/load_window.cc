// SPDX-License-Identifier: Apache-2.0
#include "web/load_window.h"

#include <algorithm>
#include <cmath>

namespace proxima::web {
namespace {

constexpr double kSameLoad = 0.02;
constexpr double kSameShare = 1e-9;

bool near(double a, double b, double most) { return std::abs(a - b) <= most; }

bool alike(const LoadBasis::Endpoint& a, const LoadBasis::Endpoint& b) {
  return a.name == b.name && near(a.fair_share, b.fair_share, kSameShare) &&
         near(a.load, b.load, kSameLoad);
}

}  // namespace

LoadBasis load_basis(const LiveState& state, const ServicePicture& service) {
  LoadBasis basis{.policy = service.plan.policy,
                  .overload = service.plan.overload,
                  .hinted = service.plan.hinted,
                  .split = service.plan.split,
                  .endpoints = {},
                  .machines = {},
                  .demand = {}};
  for (const EndpointPicture& endpoint : service.plan.endpoints)
    basis.endpoints.push_back({endpoint.pod.empty() ? endpoint.address : endpoint.pod,
                               endpoint.fair_share, endpoint.load});
  for (const NodePicture& node : state.nodes)
    if (state.lab && node.power && node.ready) basis.machines.push_back(node.name);
  for (const ZonePicture& zone : state.zones)
    if (!zone.failed) basis.demand[zone.name] = zone.demand.value_or(0);
  return basis;
}

bool alike(const LoadBasis& a, const LoadBasis& b) {
  const auto same_endpoint = [](const auto& x, const auto& y) { return alike(x, y); };
  const auto same_demand = [](const auto& x, const auto& y) {
    return x.first == y.first && near(x.second, y.second, kSameShare);
  };
  return a.policy == b.policy && a.overload == b.overload && a.hinted == b.hinted &&
         a.split == b.split && a.machines == b.machines &&
         std::equal(a.endpoints.begin(), a.endpoints.end(), b.endpoints.begin(), b.endpoints.end(),
                    same_endpoint) &&
         std::equal(a.demand.begin(), a.demand.end(), b.demand.begin(), b.demand.end(),
                    same_demand);
}

LoadWindows next_windows(LoadWindows before, const LiveState& state, std::int64_t now,
                         std::int64_t settle) {
  LoadWindows out;
  for (const ServicePicture& service : state.services) {
    LoadBasis basis = load_basis(state, service);
    const auto known = before.find(service.full_name());
    if (known != before.end() && alike(known->second.basis, basis)) {
      out.insert(before.extract(known));
    } else {
      // The running second has requests of before; so may the next, while proxies follow.
      out[service.full_name()] = {std::move(basis), now + 1 + settle};
    }
  }
  return out;
}

int seconds_of(const LoadWindow& window, std::int64_t now) {
  return static_cast<int>(
      std::clamp<std::int64_t>(now - window.begin, 0, std::int64_t{kLoadWindowSeconds}));
}

}  // namespace proxima::web
