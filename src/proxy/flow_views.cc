// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_views.h"

#include <algorithm>
#include <utility>

namespace proxima::proxy {
namespace {

bool has_backend(const Backends& backends, const BackendAddress& at) {
  return std::any_of(backends.begin(), backends.end(),
                     [&](const Backend& backend) { return backend.at == at; });
}

}  // namespace

void FlowViews::add(FlowView view, Time now) {
  // The view before is worth keeping when the one before that is old enough: under many changes
  // a second, those that are kept still reach back minutes.
  const bool keep = kept_.size() < 2 || now - kept_[1].since >= kApart;
  if (!keep) kept_.pop_front();
  kept_.push_front({std::move(view), now});
  if (kept_.size() > kMost) kept_.pop_back();
}

std::optional<FlowOwner> FlowViews::owner(const dataplane::ConntrackEntry& entry) const {
  std::optional<FlowOwner> best;
  for (const Kept& kept : kept_) {
    std::optional<FlowOwner> owner = flow_owner(kept.view, entry);
    if (owner && owner->backend_known) return owner;
    if (!best) best = std::move(owner);
  }
  return best;
}

bool FlowViews::knows_service(const Text& ns, const Text& service) const {
  for (const Kept& kept : kept_) {
    for (const RouteTable& table : kept.view.tables) {
      if (!table.ports_of(ns, service).empty()) return true;
    }
  }
  return false;
}

bool FlowViews::knows_backend(const ServicePortKey& port, const BackendAddress& backend) const {
  for (const Kept& kept : kept_) {
    const RouteTable* table = kept.view.table(backend.address.family());
    const PortRoutes* routes = table == nullptr ? nullptr : table->ports.find(port);
    if (routes == nullptr) continue;
    if (has_backend(routes->cluster, backend) || has_backend(routes->local, backend)) return true;
  }
  return false;
}

}  // namespace proxima::proxy
