// SPDX-License-Identifier: Apache-2.0
// A replica of the controller, put together as `proxima controller` does it.
#pragma once

#include "core/plan/cluster_plan.h"
#include "simulation/member.h"
#include "simulation/sender_view.h"

namespace proxima::simulation {

class Replica final : public Member {
 public:
  using Member::Member;

  static constexpr std::size_t kEndpointsPerSlice = 4;  // so that Services have several slices
  // Endpoints count by their weights, so that hostile ones have something to break.
  static plan::PlanOptions plan_options();
  static constexpr const char* kLease = "kube-system/proxima-controller";

  // Null while it does not run.
  SenderView* view() const;

 protected:
  std::unique_ptr<Parts> make(Process& process) override;

 private:
  class Running;
};

}  // namespace proxima::simulation
