// SPDX-License-Identifier: Apache-2.0
#include "core/policy/endpoint_allotment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace proxima::policy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A third of six endpoints is two, also when rounding makes it a hair more.
constexpr double kRounding = 1e-9;
// Between equally cheap allotments an endpoint stays at home; a part of the highest price.
constexpr double kHomePreference = 1e-7;
constexpr int kLevelStepsMax = 40;

double load(double demand, double total, std::int64_t endpoints) {
  if (demand <= 0) return 0;
  return endpoints > 0 ? demand * total / static_cast<double>(endpoints) : kInfinity;
}

// The zone that the next endpoint relieves most; the zone with more demand where both have none,
// then the first. No zone when none has demand.
std::size_t most_loaded(std::span<const double> demand, std::span<const std::int64_t> have) {
  std::size_t most = demand.size();
  for (std::size_t zone = 0; zone < demand.size(); ++zone) {
    if (demand[zone] <= 0) continue;
    if (most == demand.size()) most = zone;
    const double here = load(demand[zone], 1, have[zone]);
    const double there = load(demand[most], 1, have[most]);
    if (here > there || (here == there && demand[zone] > demand[most])) most = zone;
  }
  return most;
}

}  // namespace

bool EndpointAllotment::solve(const AllotmentInput& input) {
  zones_ = input.demand.size();
  total_ = static_cast<double>(input.unplaced);
  for (const std::int64_t count : input.endpoints) total_ += static_cast<double>(count);
  give_unplaced(input);
  if (!set_needs(input, input.limit)) return false;
  served_by_.assign(zones_ * zones_, 0);
  for (std::size_t zone = 0; zone < zones_; ++zone) {
    served_by_[zone * zones_ + zone] = input.endpoints[zone];
  }
  if (!is_short()) return true;
  if (input.price.empty()) {
    lend_anywhere(input);
  } else {
    lend_cheapest(input);
  }
  return true;
}

// They are known to be near nobody, so they go where they relieve most.
void EndpointAllotment::give_unplaced(const AllotmentInput& input) {
  have_.assign(input.endpoints.begin(), input.endpoints.end());
  given_.assign(zones_, 0);
  for (std::int64_t i = 0; i < input.unplaced; ++i) {
    const std::size_t zone = most_loaded(input.demand, have_) % zones_;
    ++given_[zone];
    ++have_[zone];
  }
}

// What each zone needs to stay within the limit; false when that is more than there is.
bool EndpointAllotment::set_needs(const AllotmentInput& input, double limit) {
  need_.assign(zones_, 0);
  double sum = 0;
  for (std::size_t zone = 0; zone < zones_; ++zone) {
    if (input.demand[zone] <= 0) continue;
    if (!(limit > 0)) return false;  // no number of endpoints would be enough
    const double least = std::ceil(input.demand[zone] * total_ / limit - kRounding);
    if (!(least <= total_)) return false;
    need_[zone] = std::max<std::int64_t>(1, static_cast<std::int64_t>(least));
    sum += static_cast<double>(need_[zone]);
  }
  return sum <= total_;
}

bool EndpointAllotment::is_short() const {
  for (std::size_t zone = 0; zone < zones_; ++zone) {
    if (have_[zone] < need_[zone]) return true;
  }
  return false;
}

// Every lent endpoint costs the same, whoever lends it, so the one who then is least loaded does.
void EndpointAllotment::lend_anywhere(const AllotmentInput& input) {
  for (std::size_t user = 0; user < zones_; ++user) {
    while (have_[user] < need_[user]) lend_one(best_donor(input), user);
  }
  // All traffic of a zone without endpoints of its own leaves it anyway, so more of them cost
  // nothing and may be used to lower the worst load.
  while (true) {
    const std::size_t user = most_loaded(input.demand, have_);
    const std::size_t owner = best_donor(input);
    if (user == zones_ || owner == zones_ || !has_none_of_its_own(input, user)) return;
    const double lowered = load(input.demand[user], total_, have_[user]);
    if (load(input.demand[owner], total_, have_[owner] - 1) >= lowered) return;
    lend_one(owner, user);
  }
}

void EndpointAllotment::lend_one(std::size_t owner, std::size_t user) {
  PROXIMA_CHECK(owner < zones_);  // what all need together is there
  --have_[owner];
  ++have_[user];
  --served_by_[owner * zones_ + owner];
  ++served_by_[user * zones_ + owner];
}

bool EndpointAllotment::has_none_of_its_own(const AllotmentInput& input, std::size_t zone) const {
  return input.endpoints[zone] + given_[zone] == 0;
}

// The zone with endpoints of its own to spare that is least loaded afterwards, then the one with
// more to spare, then the first; no zone when none can spare any.
std::size_t EndpointAllotment::best_donor(const AllotmentInput& input) const {
  std::size_t best = zones_;
  double best_load = kInfinity;
  std::int64_t best_spare = 0;
  for (std::size_t zone = 0; zone < zones_; ++zone) {
    const std::int64_t spare = have_[zone] - need_[zone];
    if (spare <= 0 || served_by_[zone * zones_ + zone] <= 0) continue;
    const double after = load(input.demand[zone], total_, have_[zone] - 1);
    if (after > best_load || (after == best_load && spare <= best_spare)) continue;
    best = zone;
    best_load = after;
    best_spare = spare;
  }
  return best;
}

// Lower limits are tried as long as they cost nothing: first the lowest that there can be, then
// halfway.
void EndpointAllotment::lend_cheapest(const AllotmentInput& input) {
  const Attempt first = attempt(input, input.limit);
  best_ = served_by_;
  const double enough = first.cost + kRounding * std::max(1.0, first.cost);
  double low = lowest_possible_worst(input);
  double high = first.worst;
  double next = low;
  for (int step = 0; step < kLevelStepsMax && high > low * (1 + kRounding); ++step) {
    const Attempt found = attempt(input, next);
    const bool is_better = found.possible && found.cost <= enough && found.worst < high;
    if (is_better) best_ = served_by_;
    (is_better ? high : low) = is_better ? found.worst : next;
    next = low + (high - low) / 2;
  }
  served_by_ = best_;
}

// A zone with endpoints of its own gets no more than it needs, because every other one costs; a
// zone without any could have them all.
double EndpointAllotment::lowest_possible_worst(const AllotmentInput& input) const {
  double lowest = 0;
  for (std::size_t zone = 0; zone < zones_; ++zone) {
    const bool none = has_none_of_its_own(input, zone);
    const std::int64_t most = std::max(have_[zone], need_[zone]);
    const double least = none ? input.demand[zone] : load(input.demand[zone], total_, most);
    lowest = std::max(lowest, least);
  }
  return lowest;
}

EndpointAllotment::Attempt EndpointAllotment::attempt(const AllotmentInput& input, double limit) {
  Attempt result;
  if (!set_needs(input, limit)) return result;
  build_network(input);
  cheapest_.solve(network_, price_);
  read_network(input);
  return {true, cost(input), worst(input)};
}

// All zones take part, not only those that are short: one that has just enough may lend to a
// neighbour and borrow from another, where that is the cheaper way round. Amounts are whole, so the
// flow is.
void EndpointAllotment::build_network(const AllotmentInput& input) {
  network_.reset(zones_, zones_);
  network_.dust = kRounding;
  price_.assign(zones_ * zones_, 0);
  double highest = 0;
  for (std::size_t user = 0; user < zones_; ++user) {
    network_.room[user] = static_cast<double>(input.endpoints[user]);
    const std::int64_t wanted = std::max<std::int64_t>(0, need_[user] - given_[user]);
    network_.excess[user] = static_cast<double>(wanted);
    const double each =
        input.demand[user] / static_cast<double>(std::max<std::int64_t>(1, need_[user]));
    for (std::size_t owner = 0; owner < zones_; ++owner) {
      price_[user * zones_ + owner] = each * price(input, user, owner);
      highest = std::max(highest, price_[user * zones_ + owner]);
    }
  }
  for (std::size_t arc = 0; arc < price_.size(); ++arc) {
    if (arc / zones_ != arc % zones_) price_[arc] += kHomePreference * std::max(highest, kRounding);
  }
}

// What nobody needs stays at home.
void EndpointAllotment::read_network(const AllotmentInput& input) {
  for (std::size_t owner = 0; owner < zones_; ++owner) {
    std::int64_t left = input.endpoints[owner];
    for (std::size_t user = 0; user < zones_; ++user) {
      const auto count = std::llround(network_.flow[network_.arc(user, owner)]);
      served_by_[user * zones_ + owner] = count;
      left -= count;
    }
    served_by_[owner * zones_ + owner] += left;
  }
}

double EndpointAllotment::price(const AllotmentInput& input, std::size_t from,
                                std::size_t to) const {
  return input.price[from * zones_ + to];
}

double EndpointAllotment::cost(const AllotmentInput& input) const {
  double sum = 0;
  for (std::size_t user = 0; user < zones_; ++user) {
    double endpoints = static_cast<double>(given_[user]);
    double paid = 0;
    for (std::size_t owner = 0; owner < zones_; ++owner) {
      const auto count = static_cast<double>(served_by_[user * zones_ + owner]);
      endpoints += count;
      paid += count * price(input, user, owner);
    }
    if (endpoints > 0) sum += input.demand[user] * paid / endpoints;
  }
  return sum;
}

double EndpointAllotment::worst(const AllotmentInput& input) const {
  double highest = 0;
  for (std::size_t user = 0; user < zones_; ++user) {
    std::int64_t endpoints = given_[user];
    for (std::size_t owner = 0; owner < zones_; ++owner) {
      endpoints += served_by_[user * zones_ + owner];
    }
    highest = std::max(highest, load(input.demand[user], total_, endpoints));
  }
  return highest;
}

std::span<const std::int64_t> EndpointAllotment::most_even(const AllotmentInput& input) {
  even_.assign(input.demand.size(), 0);
  std::int64_t left = input.unplaced;
  for (const std::int64_t count : input.endpoints) left += count;
  for (; left > 0; --left) {
    const std::size_t zone = most_loaded(input.demand, even_);
    if (zone == input.demand.size()) break;
    ++even_[zone];
  }
  return even_;
}

}  // namespace proxima::policy
