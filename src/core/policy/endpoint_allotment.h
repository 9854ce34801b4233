// SPDX-License-Identifier: Apache-2.0
// How many whole endpoints of each zone serve each zone, so that no endpoint is loaded beyond a
// limit, the least traffic leaves its zone, and the worst load is as low as that allows. Endpoints
// are alike here; weighted ones are a harder problem (weighted_allotment.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/cheapest_flow.h"
#include "core/policy/flow_network.h"

namespace proxima::policy {

struct AllotmentInput {
  std::span<const double> demand;           // by zone; may sum to less than 1
  std::span<const std::int64_t> endpoints;  // by zone: how many stand there
  std::int64_t unplaced = 0;                // endpoints that stand in no zone: anyone can have them
  double limit = 1;  // load of an endpoint, where 1 is one endpoint's part of all traffic
  std::span<const double> price;  // row-major by zone; empty: every other zone is equally far
};

class EndpointAllotment {
 public:
  // False when no allotment stays within the limit. Every zone with demand gets an endpoint.
  bool solve(const AllotmentInput& input);

  // After success: how many endpoints of `owner` serve `user`.
  std::int64_t lent(std::size_t owner, std::size_t user) const {
    return served_by_[user * zones_ + owner];
  }
  // After success: how many unplaced endpoints serve the zone.
  std::int64_t given(std::size_t zone) const { return given_[zone]; }

  // By zone: the numbers that serve it in the allotment with the lowest worst load of all, limit or
  // not. Zones beyond the number of endpoints get none.
  std::span<const std::int64_t> most_even(const AllotmentInput& input);

 private:
  struct Attempt {
    bool possible = false;
    double cost = 0;
    double worst = 0;  // highest load of an endpoint
  };

  void give_unplaced(const AllotmentInput& input);
  bool set_needs(const AllotmentInput& input, double limit);
  bool is_short() const;
  void lend_anywhere(const AllotmentInput& input);
  void lend_one(std::size_t owner, std::size_t user);
  bool has_none_of_its_own(const AllotmentInput& input, std::size_t zone) const;
  std::size_t best_donor(const AllotmentInput& input) const;
  void lend_cheapest(const AllotmentInput& input);
  Attempt attempt(const AllotmentInput& input, double limit);
  void build_network(const AllotmentInput& input);
  void read_network(const AllotmentInput& input);
  double price(const AllotmentInput& input, std::size_t from, std::size_t to) const;
  double cost(const AllotmentInput& input) const;
  double worst(const AllotmentInput& input) const;
  double lowest_possible_worst(const AllotmentInput& input) const;

  std::size_t zones_ = 0;
  double total_ = 0;                     // endpoints
  std::vector<std::int64_t> have_;       // by zone: endpoints that serve it so far
  std::vector<std::int64_t> need_;       // by zone: endpoints that must serve it
  std::vector<std::int64_t> given_;      // by zone: unplaced endpoints that serve it
  std::vector<std::int64_t> served_by_;  // zone × zone: user, owner
  std::vector<std::int64_t> best_;       // served_by_ of the best attempt
  std::vector<std::int64_t> even_;       // result of most_even
  std::vector<double> price_;            // by arc of the network
  FlowNetwork network_;
  CheapestFlow cheapest_;
};

}  // namespace proxima::policy
