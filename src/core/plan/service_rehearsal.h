// SPDX-License-Identifier: Apache-2.0
// Services of a planned cluster, planned again with something changed about one of them: what it
// says, or which endpoints it has. The work is in proportion to the service, whatever the size of
// the cluster. One thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/service_frame.h"

namespace proxima::plan {

// A Service object with its field spec.topologyKeys.
struct ServiceWords {
  model::Service service;
  std::vector<NameId> topology_keys;
};

class ServiceRehearsal {
 public:
  // `words` are texts that changed services may say. `plan` must outlive the rehearsal.
  ServiceRehearsal(const ClusterPlan& plan, std::span<const std::string_view> words);

  // As the service says it now.
  ServiceWords words_of(model::ServiceIndex service) const;
  // One of the texts that the constructor got.
  NameId word(std::string_view text) const;
  std::string_view text(NameId name) const { return frame_.snapshot().names[name]; }

  // One plan a family, with the slices that are there. Valid until the next call.
  const ClusterPlan& plan_with(const ServiceWords& words, model::ServiceIndex service);
  // The same with one new slice, of these endpoints; their hints are ignored.
  const ClusterPlan& plan_with(const ServiceWords& words, IpFamily family,
                               std::span<const model::Endpoint> endpoints);

  const policy::CpuRatios& cpu_ratios() { return frame_.cpu_ratios(); }
  // Holds the texts that notes of the plans borrow.
  model::SnapshotPtr names() const { return frame_.shared_snapshot(); }

 private:
  void begin(const ServiceWords& words);
  void add_clients(model::NamespaceIndex own);

  const ClusterPlan& plan_;
  const model::Snapshot& snapshot_;
  ServiceFrame frame_;
};

// The plan of one family, or null.
const ServicePlan* family_of(const ClusterPlan& plan, IpFamily family);

}  // namespace proxima::plan
