// SPDX-License-Identifier: Apache-2.0
#include "core/plan/what_if.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/model/excerpt.h"
#include "core/plan/plan_failure.h"
#include "core/plan/traffic.h"

namespace proxima::plan {
namespace {

using model::Excerpt;
using policy::PolicyKind;

bool differs(const WhatIf& changed, const Traffic& now) {
  return std::abs(changed.local - now.local) > kNoticeable ||
         std::abs(changed.rejected - now.rejected) > kNoticeable ||
         std::abs(changed.worst_overload - now.worst_overload) > kNoticeable;
}

bool is_better(const WhatIf& a, const WhatIf& b) {
  if (std::abs(a.rejected - b.rejected) > kNoticeable) return a.rejected < b.rejected;
  if (std::abs(a.local - b.local) > kNoticeable) return a.local > b.local;
  if (std::abs(a.worst_overload - b.worst_overload) > kNoticeable) {
    return a.worst_overload < b.worst_overload;
  }
  return a.change < b.change;
}

class Alternatives {
 public:
  Alternatives(const ClusterPlan& plan, const ServicePlan& service)
      : plan_(plan), service_(service), now_(predict_traffic(plan, service)) {}

  void try_policy(PolicyKind policy, std::optional<double> overload, std::string change) {
    if (policy == service_.policy && (!overload || *overload == service_.overload)) return;
    PlanOptions options = plan_.options;
    options.forced = policy;
    options.forced_overload = overload;
    evaluate(plan_.snapshot, options, service_.service, std::move(change));
  }

  void try_edit(const std::function<void(Excerpt&)>& edit, std::string change) {
    Excerpt excerpt = model::excerpt_of_service(*plan_.snapshot, service_.service);
    edit(excerpt);
    evaluate(std::move(excerpt).build(), plan_.options, model::ServiceIndex(0), std::move(change));
  }

  std::vector<WhatIf> best_first() && {
    std::sort(found_.begin(), found_.end(), is_better);
    return std::move(found_);
  }

 private:
  void evaluate(model::SnapshotPtr snapshot, const PlanOptions& options, model::ServiceIndex index,
                std::string change) {
    const ClusterPlan planned = plan_service(snapshot, options, index);
    const auto same_family =
        std::find_if(planned.services.begin(), planned.services.end(),
                     [&](const ServicePlan& one) { return one.family == service_.family; });
    if (same_family == planned.services.end() || has_failed(*same_family)) return;
    const Traffic traffic = predict_traffic(planned, *same_family);
    WhatIf changed{.change = std::move(change),
                   .policy = same_family->policy,
                   .why = same_family->why,
                   .local = traffic.local,
                   .rejected = traffic.rejected,
                   .worst_overload = traffic.worst_overload,
                   .snapshot = std::move(snapshot)};
    if (differs(changed, now_)) found_.push_back(std::move(changed));
  }

  const ClusterPlan& plan_;
  const ServicePlan& service_;
  Traffic now_;
  std::vector<WhatIf> found_;
};

// One more endpoint of the service in `zone`, in its first slice of the family, on no known node.
void add_endpoint(Excerpt& excerpt, IpFamily family, std::string_view zone) {
  for (model::SliceDraft& slice : excerpt.slices) {
    if (slice.family != family) continue;
    slice.endpoints.push_back({.zone = excerpt.builder.names().intern(zone),
                               .ready = model::Condition::True,
                               .serving = model::Condition::True,
                               .terminating = model::Condition::False,
                               .weight = 1});
    return;
  }
}

}  // namespace

std::vector<WhatIf> what_would_change(const ClusterPlan& plan, const ServicePlan& service) {
  Alternatives alternatives(plan, service);
  if (service.slices.size == 0) return {};
  alternatives.try_policy(PolicyKind::Auto, std::nullopt, "policy auto");
  alternatives.try_policy(PolicyKind::PreferSameZone, std::nullopt, "policy prefer-same-zone");
  alternatives.try_policy(PolicyKind::Balanced, 0.2, "policy balanced with overload 20%");
  alternatives.try_policy(PolicyKind::Balanced, 0.5, "policy balanced with overload 50%");
  const auto& demand = plan.demands[service.demand].by_place;
  for (std::size_t zone = 0; zone + 1 < plan.places; ++zone) {
    if (demand[zone] <= 0) continue;
    const std::string name(plan.snapshot->zone_name(model::ZoneIndex(zone)));
    alternatives.try_edit([&](Excerpt& excerpt) { add_endpoint(excerpt, service.family, name); },
                          "one more endpoint in " + name);
  }
  return std::move(alternatives).best_first();
}

}  // namespace proxima::plan
