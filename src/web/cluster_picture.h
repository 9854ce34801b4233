// SPDX-License-Identifier: Apache-2.0
// What the page shows of the cluster itself and of its plan: everything but what is measured. Pure;
// worked out anew only when an object has changed.
#pragma once

#include <memory>
#include <set>

#include "core/plan/cluster_plan.h"
#include "web/cluster_reader.h"
#include "web/live_state.h"

namespace proxima::web {

// More than these are counted, not shown: nobody reads them on one page, and a browser must draw
// and receive them again at every change.
inline constexpr std::size_t kMaxServicesShown = 500;
inline constexpr std::size_t kMaxPodsShown = 2000;

struct ClusterPicture {
  ClusterRecords records;
  plan::ClusterPlan plan;
  std::vector<ZonePicture> zones;
  std::vector<NodePicture> nodes;
  std::vector<PodPicture> pods;
  std::vector<ServicePicture> services;  // by namespace and name; neither measured nor cost
  std::size_t services_not_shown = 0;
  std::size_t pods_not_shown = 0;
};

using ClusterPicturePtr = std::shared_ptr<const ClusterPicture>;

// Objects by name, those of a namespace as "shop/even".
struct ObjectNames {
  std::set<std::string> nodes;
  std::set<std::string> services;
  std::set<std::string> pods;  // that are ready
};

// Whether all of them are in the picture, or there are more than it shows.
bool shows(const ClusterPicture& picture, const ObjectNames& names);

ClusterPicturePtr picture_of(ClusterRecords records, const plan::PlanOptions& options);

}  // namespace proxima::web
