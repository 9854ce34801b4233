// SPDX-License-Identifier: Apache-2.0
// Which endpoint serves which zone, when endpoints weigh differently. The best answer is as hard as
// packing bins, so this takes a good one: large endpoints that fit what is missing first, then the
// smallest that cover it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace proxima::policy {

struct WeightedInput {
  std::span<const double> demand;        // by zone; may sum to less than 1
  std::span<const std::uint16_t> place;  // by endpoint: a zone, or demand.size() for none
  std::span<const float> weight;         // by endpoint: > 0
  double limit = 1;  // load by weight, where 1 is an endpoint's part of all traffic by weight
  std::span<const double> price;  // row-major by zone; empty: every other zone is equally far
};

class WeightedAllotment {
 public:
  // Fills `serves` with the zone that each endpoint is for; false when a zone stays short. Every
  // zone with demand gets an endpoint.
  bool solve(const WeightedInput& input, std::span<std::uint16_t> serves);

  // By zone: the weight that serves it.
  std::span<const double> have() const { return have_; }

 private:
  void sort_endpoints(const WeightedInput& input);
  void set_needs(const WeightedInput& input);
  void start_at_home(const WeightedInput& input, std::span<std::uint16_t> serves);
  std::size_t most_loaded(const WeightedInput& input) const;
  enum class Fit { Within, Covers };
  void lend(const WeightedInput& input, std::uint32_t endpoint, Fit fit,
            std::span<std::uint16_t> serves);
  bool can_spare(std::size_t zone, double weight) const;
  bool is_short() const;

  std::vector<std::uint32_t> heaviest_first_;
  std::vector<double> have_;
  std::vector<double> need_;
  double rounding_ = 0;
};

}  // namespace proxima::policy
