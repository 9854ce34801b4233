// SPDX-License-Identifier: Apache-2.0
#include "conformance/lp_solver/random_question.h"

#include <limits>
#include <numeric>

namespace proxima::lp {
namespace {

void scale_to_one(std::vector<double>& shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
}

}  // namespace

Question QuestionSource::next() {
  const std::size_t places = place_count();
  Question question;
  question.demand = demand(places);
  question.capacity = capacity(places);
  question.price = prices(places);
  question.limit = next_limit();
  return question;
}

double QuestionSource::next_limit() {
  const double limits[] = {1, 1 + 0.05 * real(), 1.2, 2, std::numeric_limits<double>::infinity()};
  return limits[below(5)];
}

// Mostly as many zones as regions have, sometimes as many as a large company has.
std::size_t QuestionSource::place_count() {
  if (below(200) == 0) return 13 + below(28);
  return 1 + below(below(4) == 0 ? 12 : 6);
}

std::vector<double> QuestionSource::demand(std::size_t places) {
  std::vector<double> shares(places, 0);
  const bool whole = below(2) == 0;
  for (double& share : shares) {
    if (below(5) > 0) share = whole ? static_cast<double>(below(6)) : real();
  }
  shares[below(places)] += 0.5;
  scale_to_one(shares);
  return shares;
}

std::vector<double> QuestionSource::capacity(std::size_t places) {
  std::vector<double> shares(places, 0);
  const std::size_t endpoints = 1 + below(below(3) == 0 ? 40 : 3 * places);
  const bool weighted = below(3) == 0;
  for (std::size_t i = 0; i < endpoints; ++i) {
    shares[below(places)] += weighted ? 0.25 * static_cast<double>(1 + below(12)) : 1;
  }
  scale_to_one(shares);
  return shares;
}

std::vector<double> QuestionSource::prices(std::size_t places) {
  std::vector<double> price(places * places);
  const std::size_t kind = below(8);
  const std::size_t regions = 1 + below(3);
  const double unit = below(4) == 0 ? 0.01 : below(4) == 0 ? 1000 : 1;
  for (std::size_t z = 0; z < places; ++z) {
    for (std::size_t t = 0; t < places; ++t) {
      const double away = z == t ? 0 : 1;
      const double region = z % regions == t % regions ? 1 : 2;
      const double options[] = {
          away,                                            // uniform
          away * region,                                   // by region
          away * (region + real()),                        // by region, a real price a pair
          real(),                                          // anything, home not the cheapest
          static_cast<double>(below(3)),                   // many ties, zeros anywhere
          away * static_cast<double>(below(2)),            // many zeros
          away * 0.1 * static_cast<double>(1 + below(4)),  // sums that rounding makes unequal
          7.0,                                             // distance does not matter
      };
      price[z * places + t] = unit * options[kind];
    }
  }
  return price;
}

}  // namespace proxima::lp
