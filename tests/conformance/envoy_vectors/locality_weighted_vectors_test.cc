// SPDX-License-Identifier: Apache-2.0
// What Envoy's tests and documentation say about locality-weighted balancing.
#include <gtest/gtest.h>

#include <numeric>

#include "conformance/envoy_vectors/vector_file.h"
#include "core/policy/locality_weighted.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::LocalityScheduler;

std::vector<double> weights_of(const json::object& entry) {
  std::vector<policy::WeightedLocality> localities;
  for (const json::value& value : entry.at("localities").as_array()) {
    const json::object& locality = value.as_object();
    localities.push_back({{.total = number(locality, "total", 0),
                           .healthy = number(locality, "healthy", 0),
                           .degraded = 0,
                           .excluded = number(locality, "excluded", 0)},
                          static_cast<std::uint32_t>(number(locality, "weight", 0))});
  }
  const auto factor = static_cast<std::uint32_t>(number(entry, "overprovisioning_factor", 140));
  return policy::effective_weights(localities, policy::HostView::Healthy, factor);
}

std::vector<std::uint64_t> picks(const std::vector<double>& weights, std::size_t count) {
  auto scheduler = LocalityScheduler::create(weights, 0);
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(scheduler.value().pick());
  return chosen;
}

std::vector<std::uint64_t> counted(const std::vector<std::uint64_t>& chosen, std::size_t size) {
  std::vector<std::uint64_t> counts(size);
  for (const std::uint64_t locality : chosen) ++counts[locality];
  return counts;
}

std::vector<std::uint64_t> first_picks(const std::vector<double>& weights, std::uint32_t seeds) {
  std::vector<std::uint64_t> chosen;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    chosen.push_back(LocalityScheduler::create(weights, seed).value().pick());
  }
  return chosen;
}

void expect_shares(const std::vector<double>& weights, const json::object& asserted) {
  const json::array& shares = asserted.at("effective_share").as_array();
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  ASSERT_EQ(shares.size(), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(weights[i] / sum, shares[i].to_number<double>(),
                asserted.at("tolerance").as_double());
  }
}

TEST(EnvoyVectors, LocalityWeightedSequencesAndSharesAreEnvoys) {
  for (const json::object* entry : envoy_vectors("locality_weighted")) {
    SCOPED_TRACE(text(entry->at("name")));
    const std::vector<double> weights = weights_of(*entry);
    const json::object& asserted = entry->at("asserted").as_object();
    EXPECT_EQ(LocalityScheduler::create(weights, 0).has_value(), !asserted.contains("no_locality"));
    if (const json::value* sequence = field(asserted, "sequence")) {
      EXPECT_EQ(picks(weights, sequence->as_array().size()), numbers(*sequence));
    }
    if (const json::value* counts = field(asserted, "counts_in_100")) {
      EXPECT_EQ(counted(picks(weights, 100), weights.size()), numbers(*counts));
    }
    if (const json::value* counts = field(asserted, "first_pick_counts")) {
      const auto seeds = static_cast<std::uint32_t>(number(*entry, "seeds", 0));
      EXPECT_EQ(counted(first_picks(weights, seeds), weights.size()), numbers(*counts));
    }
    if (asserted.contains("effective_share")) expect_shares(weights, asserted);
  }
}

}  // namespace
}  // namespace proxima::conformance
