// SPDX-License-Identifier: Apache-2.0
// The plan of one service as the page shows it, with the sentences of `proxima explain`. Pure.
#pragma once

#include "core/plan/cluster_plan.h"
#include "web/live_state.h"

namespace proxima::web {

ReasonPicture picture_of(const policy::Note& note);
// Of one service and address family, an element of `plan`, as nodes with Proxima's proxy carry it
// out. One whose traffic cannot be predicted has failed from then on.
PlanPicture picture_of(plan::ClusterPlan& plan, plan::ServicePlan& service);
// A page of a few thousand bars is of no use to anybody: more endpoints than this are left out.
inline constexpr std::size_t kMaxEndpointsShown = 400;

}  // namespace proxima::web
