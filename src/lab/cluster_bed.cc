// SPDX-License-Identifier: Apache-2.0
#include "lab/cluster_bed.h"

#include <utility>

#include "lab/lab_host.h"

namespace proxima::lab {

Result<ClusterBed> ClusterBed::build(const ClusterPlan& plan, RunClaim claim) {
  ClusterBed bed(std::move(claim));
  PROXIMA_TRY([[maybe_unused]] const Unit hosts, bed.add_hosts(plan), "build the lab");
  PROXIMA_TRY([[maybe_unused]] const Unit cables, bed.add_cables(plan), "build the lab");
  return bed;
}

Status ClusterBed::add_hosts(const ClusterPlan& plan) {
  for (const PlannedHost& host : plan.hosts) {
    PROXIMA_TRY(NetworkNamespace made, NetworkNamespace::create(claim_.file_of(host.name)),
                host.name);
    PROXIMA_TRY([[maybe_unused]] const Unit ready, prepare_host(made, host.kind), host.name);
    namespaces_.push_back(std::move(made));
  }
  return Unit{};
}

Status ClusterBed::add_cables(const ClusterPlan& plan) {
  for (const PlannedCable& planned : plan.cables)
    if (Status laid =
            lay_cable(namespaces_[planned.near_host], namespaces_[planned.far_host], planned.cable);
        !laid)
      return laid;
  return Unit{};
}

}  // namespace proxima::lab
