// SPDX-License-Identifier: Apache-2.0
#include "core/policy/auto_hints.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace proxima::policy {
namespace {

using model::Endpoint;
using model::ZoneIndex;

std::int64_t ready_endpoints(std::span<const Endpoint> endpoints) {
  std::int64_t ready = 0;
  for (const Endpoint& endpoint : endpoints) ready += is_ready_for_hints(endpoint) ? 1 : 0;
  return ready;
}

// One decision in the making; a class only because the steps share so much.
class Allotment {
 public:
  Allotment(const AutoInput& input, AutoWorkspace& work, std::span<ZoneIndex> hint_of,
            std::span<unsigned char> written)
      : input_(input), work_(work), hint_of_(hint_of), written_(written) {}

  AutoDecision decide();

 private:
  std::optional<Note> allocate(double threshold);
  Note refusal(Reason reason, double threshold) const;
  double least_overload() const;
  double actual_overload() const;
  void survey();
  bool survey_hints(const HintSlice& slice, std::span<ZoneIndex> hint_of,
                    std::span<std::int64_t> counts);
  void keep_unchanged_slices();
  bool assign_own_zones();
  void plan_loans();
  void plan_loan(std::size_t giver, std::size_t taker);
  void top_up();
  std::size_t greatest(double ZoneTally::*remainder) const;
  std::size_t next_taker(std::uint32_t region);
  void plan_regions();
  std::uint32_t region_of(std::size_t zone) const {
    return input_.regions.empty() ? 0 : input_.regions[zone];
  }
  void lend();
  AutoDecision removed(Note why);
  ZoneTally& tally_of(ZoneIndex zone) { return work_.zones[zone.value()]; }

  // The slices that are written: created ones, updated ones, then unchanged ones that could not
  // stay, as upstream's lists are walked.
  template <class Visit>
  void for_each_written_slice(Visit visit) {
    for (SliceState state : {SliceState::Create, SliceState::Update, SliceState::Unchanged}) {
      std::size_t first = 0;
      for (std::size_t i = 0; i < input_.slices.size(); ++i) {
        const HintSlice& slice = input_.slices[i];
        if (slice.state == state && written_[i] != 0 && !visit(slice, hint_of_.subspan(first))) {
          return;
        }
        first += slice.endpoints.size();
      }
    }
  }

  const AutoInput& input_;
  AutoWorkspace& work_;
  std::span<ZoneIndex> hint_of_;
  std::span<unsigned char> written_;
  std::int64_t ready_ = 0;
  std::int64_t to_lend_ = 0;
  std::int64_t lent_ = 0;
  std::size_t turn_ = 0;  // of the zones that take, see next_taker
};

AutoDecision Allotment::decide() {
  const CpuRatios& ratios = *input_.ratios;
  survey();
  if (!input_.options.enabled) return removed({.reason = Reason::AutoSwitchedOff});
  if (ratios.zones.empty()) return removed(ratios.why_none);
  // What can begin is allotted by the threshold to begin, whether it has begun or not: otherwise
  // the second look would find other numbers than the first.
  bool is_held = false;
  if (auto refused = allocate(input_.options.start_below)) {
    is_held = input_.has_hints_now;
    if (is_held) refused = allocate(input_.options.stop_above);
    if (refused) return removed(*refused);
  }
  keep_unchanged_slices();
  if (!assign_own_zones()) return removed({.reason = Reason::EndpointWithoutZone});
  plan_loans();
  lend();

  AutoDecision decision{.hinted = true, .why = {.reason = Reason::HintsAssigned}, .lent = lent_};
  decision.expected_overload = actual_overload();
  const bool any_written = std::any_of(written_.begin(), written_.end(), [](auto w) { return w; });
  if (!any_written && ready_ > 0) decision.why.reason = Reason::HintsKept;
  if (is_held) decision.why = refusal(Reason::HintsHeld, input_.options.start_below);
  return decision;
}

// The arithmetic of upstream, in its order and in IEEE double, without fused operations (the build
// forbids them): results at the edge of a threshold must come out the same.
std::optional<Note> Allotment::allocate(double threshold) {
  const CpuRatios& ratios = *input_.ratios;
  const double multiplier = 1 / (1 + threshold);
  if (static_cast<std::int64_t>(ratios.zones.size()) > ready_) {
    return refusal(Reason::TooFewEndpoints, threshold);
  }
  work_.zones.assign(ratios.by_zone.size(), {});
  std::int64_t sum = 0;
  for (ZoneIndex zone : ratios.zones) {
    const double desired = ratios.by_zone[zone.value()] * static_cast<double>(ready_);
    const double minimum = std::ceil(desired * multiplier);
    ZoneTally& tally = tally_of(zone);
    tally.minimum = static_cast<std::int64_t>(minimum);
    tally.desired = std::max(desired, minimum);
    sum += tally.minimum;
  }
  if (sum > ready_) return refusal(Reason::OverloadTooHigh, threshold);
  for (ZoneIndex zone : ratios.zones) {
    tally_of(zone).maximum = tally_of(zone).minimum + ready_ - sum;
  }
  return std::nullopt;
}

Note Allotment::refusal(Reason reason, double threshold) const {
  return {.reason = reason,
          .count = ready_,
          .zones = static_cast<std::int64_t>(input_.ratios->zones.size()),
          .share = least_overload(),
          .limit = threshold};
}

// The worst zone's overload when the endpoints are allotted as well as whole endpoints can be.
double Allotment::least_overload() const {
  const CpuRatios& ratios = *input_.ratios;
  if (static_cast<std::int64_t>(ratios.zones.size()) > ready_) return HUGE_VAL;
  std::vector<std::int64_t> given;
  std::int64_t left = ready_;
  for (ZoneIndex zone : ratios.zones) {
    const double fair = ratios.by_zone[zone.value()] * static_cast<double>(ready_);
    given.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(fair)));
    left -= given.back();
  }
  const auto load = [&](std::size_t i) {
    return ratios.by_zone[ratios.zones[i].value()] * static_cast<double>(ready_) /
           static_cast<double>(given[i]);
  };
  const auto busiest = [&] {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < given.size(); ++i) worst = load(i) > load(worst) ? i : worst;
    return worst;
  };
  for (; left > 0; --left) ++given[busiest()];
  return std::max(0.0, load(busiest()) - 1);
}

double Allotment::actual_overload() const {
  double total = 0;
  for (const ZoneTally& tally : work_.zones) total += static_cast<double>(tally.count);
  double worst = 0;
  for (ZoneIndex zone : input_.ratios->zones) {
    const auto count = static_cast<double>(work_.zones[zone.value()].count);
    const double wanted = input_.ratios->by_zone[zone.value()] * total;
    worst = std::max(worst, count > 0 ? wanted / count - 1 : HUGE_VAL);
  }
  return worst;
}

// Which slices could stay, as far as their own content says. Node hints would survive from another
// policy and confuse proxies, so a slice that has any is written anew.
void Allotment::survey() {
  const std::size_t zones = input_.ratios->by_zone.size();
  work_.slice_counts.assign(input_.slices.size() * zones, 0);
  std::size_t first = 0;
  for (std::size_t i = 0; i < input_.slices.size(); ++i) {
    const HintSlice& slice = input_.slices[i];
    const auto counts = std::span(work_.slice_counts).subspan(i * zones, zones);
    const bool stays = slice.state == SliceState::Unchanged &&
                       survey_hints(slice, hint_of_.subspan(first), counts);
    written_[i] = stays ? 0 : 1;
    if (!stays) ready_ += ready_endpoints(slice.endpoints);
    first += slice.endpoints.size();
  }
}

// Copies the hints of the slice and counts them; false as soon as one is missing or wrong (then the
// slice is written anew, copied hints and all).
bool Allotment::survey_hints(const HintSlice& slice, std::span<ZoneIndex> hint_of,
                             std::span<std::int64_t> counts) {
  const double* ratio_of = input_.ratios->by_zone.data();
  std::int64_t ready = 0;
  for (std::size_t e = 0; e < slice.endpoints.size(); ++e) {
    const Endpoint& endpoint = slice.endpoints[e];
    const std::uint32_t* hint = input_.hints.data() + endpoint.hints;
    const std::size_t hints = endpoint.zone_hint_count;
    const bool is_ready = is_ready_for_hints(endpoint);
    if (is_ready && hints == 1 && endpoint.node_hint_count == 0) [[likely]] {
      if (*hint >= counts.size() || ratio_of[*hint] == 0) return false;
      hint_of[e] = ZoneIndex(*hint);
      ++counts[*hint];
      ++ready;
      continue;
    }
    hint_of[e] = hints > 0 ? ZoneIndex(*hint) : ZoneIndex();
    if (!is_ready) continue;
    ++ready;
    if (hints == 0 || endpoint.node_hint_count > 0) return false;
    for (const std::uint32_t* end = hint + hints; hint != end; ++hint) {
      if (*hint >= counts.size() || ratio_of[*hint] == 0) return false;
      ++counts[*hint];
    }
  }
  ready_ += ready;
  return true;
}

// In order, as long as no zone gets more than it may have.
void Allotment::keep_unchanged_slices() {
  const std::size_t zones = work_.zones.size();
  for (std::size_t i = 0; i < input_.slices.size(); ++i) {
    if (written_[i] != 0) continue;
    const auto counts = std::span(work_.slice_counts).subspan(i * zones, zones);
    bool fits = true;
    for (std::size_t z = 0; z < zones; ++z) {
      const ZoneTally& tally = work_.zones[z];
      fits = fits && (counts[z] == 0 || counts[z] + tally.count <= tally.maximum);
    }
    written_[i] = fits ? 0 : 1;
    for (std::size_t z = 0; fits && z < zones; ++z) work_.zones[z].count += counts[z];
  }
}

bool Allotment::assign_own_zones() {
  bool all_placed = true;
  for_each_written_slice([&](const HintSlice& slice, std::span<ZoneIndex> hint_of) {
    for (std::size_t e = 0; e < slice.endpoints.size(); ++e) {
      const Endpoint& endpoint = slice.endpoints[e];
      const bool ready = is_ready_for_hints(endpoint);
      hint_of[e] = ready ? endpoint.zone : ZoneIndex();
      if (!ready) continue;
      if (!endpoint.zone) return all_placed = false;
      ++tally_of(endpoint.zone).count;
    }
    return true;
  });
  return all_placed;
}

// Who gives how many endpoints to whom, by the greatest remainder; whole endpoints only, and none
// for less than half an endpoint. Ties go to the smaller zone name.
void Allotment::plan_loans() {
  work_.takers.clear();
  for (ZoneIndex zone : input_.ratios->zones) {
    ZoneTally& tally = tally_of(zone);
    const double difference = static_cast<double>(tally.count) - tally.desired;
    (difference > 0 ? tally.surplus : tally.deficit) = std::abs(difference);
  }
  for (std::size_t z = 0; z < work_.zones.size() && input_.options.bounds_every_zone; ++z) {
    ZoneTally& tally = work_.zones[z];
    if (input_.ratios->by_zone[z] == 0) tally.surplus = static_cast<double>(tally.count);
  }
  while (true) {
    const std::size_t giver = greatest(&ZoneTally::surplus);
    const std::size_t taker = greatest(&ZoneTally::deficit);
    double& surplus = work_.zones[giver].surplus;
    double& deficit = work_.zones[taker].deficit;
    if (surplus <= 0 || deficit <= 0) break;
    if ((surplus < 1 && deficit < 1) || surplus < 0.5 || deficit < 0.5) break;
    plan_loan(giver, taker);
    surplus -= 1;
    deficit -= 1;
  }
  if (input_.options.bounds_every_zone) top_up();
}

void Allotment::plan_loan(std::size_t giver, std::size_t taker) {
  ++work_.zones[giver].give;
  if (work_.zones[taker].take++ == 0) work_.takers.push_back(taker);
  ++to_lend_;
}

// Zones that have less than they must have are lent what others have above that.
void Allotment::top_up() {
  const auto above = [&](std::size_t z) {
    const ZoneTally& tally = work_.zones[z];
    return tally.count + tally.take - tally.give - tally.minimum;
  };
  for (const ZoneIndex zone : input_.ratios->zones) {
    while (above(zone.value()) < 0) {
      std::size_t giver = 0;
      for (std::size_t z = 1; z < work_.zones.size(); ++z)
        giver = above(z) > above(giver) ? z : giver;
      if (above(giver) <= 0) return;
      if (work_.zones[giver].take > 0) {
        --work_.zones[giver].take;
        if (work_.zones[zone.value()].take++ == 0) work_.takers.push_back(zone.value());
      } else {
        plan_loan(giver, zone.value());
      }
    }
  }
}

std::size_t Allotment::greatest(double ZoneTally::*remainder) const {
  std::size_t best = 0;
  for (std::size_t z = 1; z < work_.zones.size(); ++z) {
    if (work_.zones[z].*remainder > work_.zones[best].*remainder) best = z;
  }
  return best;
}

// Within a region as many are lent as its zones give and take; only the rest leaves it.
void Allotment::plan_regions() {
  std::uint32_t regions = 1;
  for (const std::uint32_t region : input_.regions) regions = std::max(regions, region + 1);
  work_.within_region.assign(regions, 0);
  work_.taken_in.assign(regions, 0);
  for (std::size_t z = 0; z < work_.zones.size(); ++z) {
    work_.within_region[region_of(z)] += work_.zones[z].give;
    work_.taken_in[region_of(z)] += work_.zones[z].take;
  }
  for (std::size_t r = 0; r < regions; ++r)
    work_.within_region[r] = std::min(work_.within_region[r], work_.taken_in[r]);
}

// Slices that stay may leave fewer endpoints to lend than are asked for. Upstream then lets the
// order of a hash map decide who goes short: its slots, filled by need, are searched from a random
// one. Turning through the slots gives each zone what it gets there on average.
std::size_t Allotment::next_taker(std::uint32_t region) {
  constexpr std::size_t kSlots = 8;
  const std::size_t slots = std::max(kSlots, work_.takers.size());
  const bool stays = work_.within_region[region] > 0;
  const auto may_take = [&](std::size_t zone) {
    const std::uint32_t there = region_of(zone);
    if (work_.zones[zone].take == 0) return false;
    return stays ? there == region : work_.taken_in[there] > work_.within_region[there];
  };
  for (std::size_t i = turn_++;; ++i) {
    const std::size_t slot = i % slots;
    if (slot >= work_.takers.size()) continue;
    const std::size_t zone = work_.takers[slot];
    if (!may_take(zone)) continue;
    --work_.taken_in[region_of(zone)];
    if (stays) --work_.within_region[region];
    return zone;
  }
}

void Allotment::lend() {
  if (to_lend_ == 0) return;
  plan_regions();
  for_each_written_slice([&](const HintSlice& slice, std::span<ZoneIndex> hint_of) {
    for (std::size_t e = 0; e < slice.endpoints.size(); ++e) {
      const Endpoint& endpoint = slice.endpoints[e];
      if (!is_ready_for_hints(endpoint)) continue;
      ZoneTally& giver = tally_of(endpoint.zone);
      if (giver.give == 0) continue;
      const ZoneIndex taker(next_taker(region_of(endpoint.zone.value())));
      hint_of[e] = taker;
      --giver.give;
      --giver.count;
      --tally_of(taker).take;
      ++tally_of(taker).count;
      if (++lent_ == to_lend_) return false;
    }
    return true;
  });
}

AutoDecision Allotment::removed(Note why) {
  std::fill(hint_of_.begin(), hint_of_.end(), ZoneIndex());
  for (std::size_t i = 0; i < input_.slices.size(); ++i) {
    const HintSlice& slice = input_.slices[i];
    const auto is_hinted = [](const Endpoint& e) {
      return e.zone_hint_count > 0 || e.node_hint_count > 0;
    };
    const bool was_hinted = std::any_of(slice.endpoints.begin(), slice.endpoints.end(), is_hinted);
    // An endpoint without a zone is found only after the slices that could not stay were set aside
    // to be written, and upstream writes them, although nothing about them changes.
    const bool set_aside = why.reason == Reason::EndpointWithoutZone && written_[i] != 0;
    written_[i] = slice.state != SliceState::Unchanged || was_hinted || set_aside ? 1 : 0;
  }
  return {.hinted = false, .why = why, .lent = 0, .expected_overload = why.share};
}

}  // namespace

AutoDecision auto_hints(const AutoInput& input, AutoWorkspace& workspace,
                        std::span<ZoneIndex> hint_of, std::span<unsigned char> written) {
  return Allotment(input, workspace, hint_of, written).decide();
}

HintEvent hint_event(const AutoDecision& decision) {
  if (decision.hinted) {
    return {"TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled"};
  }
  // Upstream cannot tell a single zone from missing data, and consumers match its text.
  const bool single = decision.why.reason == Reason::SingleZone;
  const Note why = single ? Note{.reason = Reason::NodeInformationMissing} : decision.why;
  return {"TopologyAwareHintsDisabled", sentence(why)};
}

}  // namespace proxima::policy
