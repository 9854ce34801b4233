// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pods_for_auto.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/plan/traffic.h"
#include "core/plan/what_if.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::ZoneIndex;
using policy::Reason;

// A service that `auto` refuses with so many more Pods than it has is not helped by Pods.
constexpr std::uint32_t kMorePodsTried = 64;

using PodsByZone = std::vector<std::uint32_t>;  // by ZoneIndex

std::uint32_t sum(const PodsByZone& pods) {
  return std::accumulate(pods.begin(), pods.end(), std::uint32_t{0});
}

class AutoTrials {
 public:
  AutoTrials(ServiceRehearsal& rehearsal, const ServiceWords& as_auto, IpFamily family,
             double gigabytes)
      : rehearsal_(rehearsal), as_auto_(as_auto), family_(family), gigabytes_(gigabytes) {}

  struct Trial {
    bool hinted = false;
    Outcome outcome;
  };
  Trial with(std::span<const Endpoint> endpoints) {
    const ClusterPlan& plan = rehearsal_.plan_with(as_auto_, family_, endpoints);
    const ServicePlan& service = plan.services.front();
    return {.hinted = service.hinted,
            .outcome = outcome_of(service, predict_traffic(plan, service), gigabytes_)};
  }

 private:
  ServiceRehearsal& rehearsal_;
  const ServiceWords& as_auto_;
  IpFamily family_;
  double gigabytes_;
};

Endpoint pod_in(ZoneIndex zone) {
  return {.zone = zone,
          .ready = model::Condition::True,
          .serving = model::Condition::True,
          .terminating = model::Condition::False};
}

// `there`, and as many new ones as each zone lacks.
std::vector<Endpoint> filled_up(std::vector<Endpoint> there, const PodsByZone& wanted) {
  PodsByZone missing = wanted;
  for (const Endpoint& endpoint : there) --missing[endpoint.zone.value()];
  for (std::size_t zone = 0; zone < missing.size(); ++zone)
    there.insert(there.end(), missing[zone], pod_in(ZoneIndex(zone)));
  return there;
}

class PodSearch {
 public:
  PodSearch(AutoTrials& trials, const policy::CpuRatios& cpu, std::vector<Endpoint> ready)
      : trials_(trials), cpu_(cpu), ready_(std::move(ready)), there_(cpu.by_zone.size(), 0) {
    for (const Endpoint& endpoint : ready_) ++there_[endpoint.zone.value()];
  }

  std::vector<PodAdvice> search() {
    now_ = trials_.with(ready_);
    const Reason why = now_.outcome.why.reason;
    const bool pods_help =
        now_.hinted || why == Reason::TooFewEndpoints || why == Reason::OverloadTooHigh;
    std::vector<PodAdvice> found;
    if (!pods_help) return found;
    if (auto advice = spread()) found.push_back(std::move(*advice));
    if (auto advice = now_.hinted ? placed_by_cpu() : added_by_cpu())
      found.push_back(std::move(*advice));
    return found;
  }

 private:
  // In every zone the same number. What is left over goes where least traffic starts, which is the
  // least that a scheduler might do for the prediction.
  PodsByZone even(std::uint32_t pods) const {
    std::vector<ZoneIndex> order = cpu_.zones;
    std::ranges::stable_sort(order, {}, [&](ZoneIndex zone) { return cpu_.by_zone[zone.value()]; });
    PodsByZone out(there_.size(), 0);
    for (std::uint32_t i = 0; i < pods; ++i) ++out[order[i % order.size()].value()];
    return out;
  }

  // To the zone that lacks most of its share, one after the other.
  PodsByZone by_cpu(PodsByZone pods, std::uint32_t more) const {
    const double total = sum(pods) + more;
    for (; more > 0; --more) {
      const auto lack = [&](ZoneIndex zone) {
        return cpu_.by_zone[zone.value()] * total - pods[zone.value()];
      };
      ++pods[std::ranges::max_element(cpu_.zones, {}, lack)->value()];
    }
    return pods;
  }

  bool is_better(const AutoTrials::Trial& trial) const {
    if (!now_.hinted) return trial.hinted;
    return trial.hinted && trial.outcome.local > now_.outcome.local + kNoticeable;
  }

  std::optional<PodAdvice> spread() {
    const auto pods = static_cast<std::uint32_t>(ready_.size());
    const std::uint32_t tried = now_.hinted ? 0 : kMorePodsTried;
    for (std::uint32_t more = 0; more <= tried; ++more) {
      const PodsByZone wanted = even(pods + more);
      const auto trial = trials_.with(filled_up({}, wanted));
      if (is_better(trial)) return advice(PodPlacement::Spread, wanted, trial.outcome);
    }
    return std::nullopt;
  }

  std::optional<PodAdvice> added_by_cpu() {
    for (std::uint32_t more = 1; more <= kMorePodsTried; ++more) {
      const PodsByZone wanted = by_cpu(there_, more);
      const auto trial = trials_.with(filled_up(ready_, wanted));
      if (is_better(trial)) return advice(PodPlacement::ByZone, wanted, trial.outcome);
    }
    return std::nullopt;
  }

  std::optional<PodAdvice> placed_by_cpu() {
    const PodsByZone wanted =
        by_cpu(PodsByZone(there_.size(), 0), static_cast<std::uint32_t>(ready_.size()));
    const auto trial = trials_.with(filled_up({}, wanted));
    if (!is_better(trial)) return std::nullopt;
    return advice(PodPlacement::ByZone, wanted, trial.outcome);
  }

  PodAdvice advice(PodPlacement placement, const PodsByZone& wanted, const Outcome& outcome) const {
    const std::uint32_t pods = sum(wanted);
    PodAdvice out{.placement = placement,
                  .pods = pods,
                  .more = pods - static_cast<std::uint32_t>(ready_.size()),
                  .zones = {},
                  .outcome = outcome};
    for (std::size_t zone = 0; zone < wanted.size(); ++zone) {
      if (wanted[zone] == 0) continue;
      const bool counts = placement == PodPlacement::ByZone && wanted[zone] > there_[zone];
      out.zones.push_back(
          {ZoneIndex(zone), wanted[zone], counts ? wanted[zone] - there_[zone] : 0});
    }
    return out;
  }

  AutoTrials& trials_;
  const policy::CpuRatios& cpu_;
  std::vector<Endpoint> ready_;
  PodsByZone there_;
  AutoTrials::Trial now_;
};

}  // namespace

std::vector<PodAdvice> pods_for_auto(ServiceRehearsal& rehearsal, const ServiceWords& as_auto,
                                     std::span<const Endpoint> endpoints, const Outcome& now,
                                     IpFamily family) {
  std::vector<Endpoint> ready;
  std::ranges::copy_if(endpoints, std::back_inserter(ready), model::is_ready_for_hints);
  const policy::CpuRatios& cpu = rehearsal.cpu_ratios();
  const bool placed =
      std::ranges::all_of(ready, [](const Endpoint& one) { return one.zone.has_value(); });
  if (ready.empty() || !placed || cpu.zones.empty()) return {};
  AutoTrials trials(rehearsal, as_auto, family, now.gigabytes);
  return PodSearch(trials, cpu, std::move(ready)).search();
}

}  // namespace proxima::plan
