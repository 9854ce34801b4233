// SPDX-License-Identifier: Apache-2.0
// What a plan has to say about the endpoints of a slice that hints cannot, in the form in which it
// is published (core/route/slice_routing).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/route.h"
#include "core/route/slice_routing.h"

namespace proxima::plan {

// Of one service and family; for many slices of it.
class PublishedRouting {
 public:
  PublishedRouting(const ClusterPlan& plan, const ServicePlan& service);

  // Nothing at all is to be published: nearly every service.
  bool empty() const { return !view_; }
  // Of `count` endpoints of the service from `first` on.
  route::SliceRouting of(std::size_t first, std::size_t count) const;

 private:
  std::vector<std::string_view> labels_;  // keys whose values a slice does not have anyway
  std::vector<std::string> keys_;         // where the Service itself does not say them
  bool weighted_ = false;
  bool tiered_ = false;
  bool ignores_health_ = false;
  bool requires_zone_ = false;
  std::vector<route::FailingZone> failing_;
  std::optional<RouteView> view_;
};

}  // namespace proxima::plan
