// SPDX-License-Identifier: Apache-2.0
// Whatever objects a dump holds, they are planned under every policy: no service fails, the plan
// keeps its invariants, and every share of the predicted traffic is a number.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "core/audit/plan_audit.h"
#include "core/plan/conditions.h"
#include "core/plan/explain.h"
#include "core/plan/plan_failure.h"
#include "fuzz/snapshot_check.h"
#include "manifest/read_manifests.h"

namespace {

using namespace proxima;
using plan::ClusterPlan;
using plan::PlanOptions;
using plan::RouteSource;
using plan::ServicePlan;

// Larger clusters find nothing that these do not, and take long under sanitizers.
constexpr std::size_t kMostBytes = 1 << 16;
constexpr std::size_t kMostServices = 12;
constexpr std::size_t kMostEndpoints = 400;
constexpr std::size_t kMostZones = 40;

bool is_small(const model::Snapshot& snapshot) {
  return snapshot.services.size() <= kMostServices && snapshot.endpoints.size() <= kMostEndpoints &&
         snapshot.zones.size() <= kMostZones && snapshot.nodes.size() <= kMostEndpoints;
}

void check_traffic(const plan::Traffic& traffic) {
  constexpr double kRounding = 1e-6;
  const auto is_share = [](double share) { return share >= -kRounding && share <= 1 + kRounding; };
  PROXIMA_CHECK(is_share(traffic.local) && is_share(traffic.cross) && is_share(traffic.rejected));
  PROXIMA_CHECK(std::abs(traffic.local + traffic.cross + traffic.rejected - 1) < kRounding);
  PROXIMA_CHECK(std::all_of(traffic.endpoint_load.begin(), traffic.endpoint_load.end(), is_share));
  PROXIMA_CHECK(std::isfinite(traffic.cost) && traffic.cost >= 0);
  PROXIMA_CHECK(!std::isnan(traffic.worst_overload));
}

void check_plan(const ClusterPlan& plan, std::span<const RouteSource> sources) {
  for (const ServicePlan& service : plan.services) {
    if (plan::has_failed(service))
      std::fprintf(stderr, "%s\n", policy::sentence(service.why).c_str());
    PROXIMA_CHECK(!plan::has_failed(service));
    for (const RouteSource source : sources)
      check_traffic(plan::predict_traffic(plan, service, source));
    (void)plan::service_conditions(plan, service);
  }
  for (const std::string& broken : audit::audit_plan(plan)) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    PROXIMA_CHECK(broken.empty());
  }
}

// What would change something is planned again several times, so one small service has to do.
void check_explanation(const ClusterPlan& plan) {
  constexpr std::uint32_t kMostExplained = 12;
  for (const ServicePlan& service : plan.services) {
    if (service.endpoints.size > kMostExplained) continue;
    const model::ZoneIndex zone = plan.places > 1 ? model::ZoneIndex(0) : model::ZoneIndex();
    const plan::Explanation explanation = plan::explain(plan, service, {{}, zone});
    PROXIMA_CHECK(explanation.endpoints.size() == service.endpoints.size);
    return;
  }
}

PlanOptions forced(policy::PolicyKind policy, double overload) {
  PlanOptions options;
  options.forced = policy;
  options.defaults.overload = overload;
  options.defaults.zone_aware.basis = policy::LocalityBasis::HealthyHostsWeight;
  options.defaults.zone_aware.min_cluster_size = 1;
  options.prices.other_region = 1000;
  return options;
}

// Numbers that broke something somewhere, and those at the edges of limits and types.
constexpr std::string_view kHostileNumbers[] = {"0",
                                                "1",
                                                "2",
                                                "-1",
                                                "0.000001",
                                                "1e-7",
                                                "5e-324",
                                                "1e6",
                                                "1000001",
                                                "1e15",
                                                "1e16",
                                                "1e306",
                                                "1e308",
                                                "nan",
                                                "inf",
                                                "-inf",
                                                "65535",
                                                "65536",
                                                "4294967295",
                                                "4294967296",
                                                "9223372036854775807",
                                                "1n",
                                                "1000000000",
                                                "1E",
                                                "20%",
                                                "0%",
                                                "1000",
                                                "18014398509481984",
                                                "100000",
                                                "0.5",
                                                "3",
                                                "7",
                                                "18446744073709551615"};

bool is_number_part(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; }

// Replaces one of the text's numbers by a hostile one.
std::string with_hostile_number(const std::string& text, unsigned seed) {
  const std::size_t from = text.empty() ? 0 : seed % text.size();
  const auto begin =
      std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_number_part);
  const auto end = std::find_if_not(begin, text.end(), is_number_part);
  const std::string_view number = kHostileNumbers[(seed >> 16U) % std::size(kHostileNumbers)];
  return std::string(text.begin(), begin) + std::string(number) + std::string(end, text.end());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string changed =
      with_hostile_number({reinterpret_cast<const char*>(data), size}, seed / 3);
  if (changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  const auto loaded = manifest::read_manifest_text(
      std::string(reinterpret_cast<const char*>(data), size), "fuzz", {});
  if (!loaded || !is_small(*loaded->snapshot)) return 0;
  fuzz::check_snapshot(*loaded->snapshot);
  constexpr RouteSource kEverySource[] = {RouteSource::Plan, RouteSource::HintsOfPlan,
                                          RouteSource::Published};
  const ClusterPlan as_asked = plan::plan_cluster(loaded->snapshot, {});
  check_plan(as_asked, kEverySource);
  check_explanation(as_asked);
  const double overload = size % 2 == 0 ? 0.2 : 0;
  for (const policy::PolicyKind policy : policy::kAllPolicies)
    check_plan(plan::plan_cluster(loaded->snapshot, forced(policy, overload)),
               std::span(kEverySource).first(1));
  return 0;
}
