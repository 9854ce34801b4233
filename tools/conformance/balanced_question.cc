// SPDX-License-Identifier: Apache-2.0
#include "conformance/balanced_question.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using Weights = std::map<std::string, double, std::less<>>;

Error invalid(std::string message) { return {ErrorCode::InvalidInput, std::move(message)}; }

Result<double> amount(const json::value& value) {
  json::error_code failure;
  const double number = value.to_number<double>(failure);
  if (failure || !value.is_number()) return invalid("not a number");
  if (!std::isfinite(number)) return invalid("too large");
  if (number < 0) return invalid("negative");
  return number;
}

// `value` is null where the field is missing.
Result<const json::object*> object_in(const json::value* value) {
  if (value == nullptr) return invalid("missing");
  if (!value->is_object()) return invalid("not an object");
  return &value->get_object();
}

Result<Weights> read_demand(const json::object& by_zone) {
  Weights demand;
  for (const auto& [zone, share] : by_zone) {
    PROXIMA_TRY(demand[zone], amount(share), zone);
  }
  return demand;
}

struct Endpoint {
  std::string zone;
  double weight = 1;
};

Result<Endpoint> read_endpoint(const json::value& value) {
  if (!value.is_object()) return invalid("not an object");
  Endpoint endpoint;
  for (const auto& [key, field] : value.get_object()) {
    if (key == "zone") {
      if (!field.is_string()) return invalid("zone: not a text");
      endpoint.zone = field.get_string();
    } else if (key == "weight") {
      PROXIMA_TRY(endpoint.weight, amount(field), "weight");
    } else {
      return invalid("unknown field").in(key);
    }
  }
  if (endpoint.zone.empty()) return invalid("zone: missing");
  if (endpoint.weight <= 0) return invalid("weight: must be above 0");
  return endpoint;
}

Result<Weights> read_endpoints(const json::value* value) {
  if (value == nullptr) return invalid("missing");
  if (!value->is_array()) return invalid("not a list");
  if (value->get_array().empty()) return invalid("none");
  Weights capacity;
  for (std::size_t i = 0; i < value->get_array().size(); ++i) {
    PROXIMA_TRY(const Endpoint endpoint, read_endpoint(value->get_array()[i]), std::to_string(i));
    capacity[endpoint.zone] += endpoint.weight;
  }
  return capacity;
}

Result<double> read_overload(const json::value* value) {
  if (value == nullptr) return invalid("missing");
  if (value->is_null()) return std::numeric_limits<double>::infinity();
  return amount(*value);
}

// Scaled to sum to 1; returns the sum before.
Result<double> scale_to_one(std::vector<double>& shares) {
  double total = 0;
  for (const double share : shares) total += share;
  if (total <= 0) return invalid("all zero");
  if (!std::isfinite(total)) return invalid("too large");
  for (double& share : shares) share /= total;
  return total;
}

std::optional<std::size_t> position(const std::vector<std::string>& zones, std::string_view zone) {
  const auto found = std::lower_bound(zones.begin(), zones.end(), zone);
  if (found == zones.end() || *found != zone) return std::nullopt;
  return static_cast<std::size_t>(found - zones.begin());
}

// A price from or to a zone where nobody asks or serves changes nothing, but is read all the same,
// so that a mistake in it is not passed over.
Status read_price_row(std::string_view from, const json::object& row, BalancedQuestion& question) {
  const auto z = position(question.zones, from);
  for (const auto& [to, price] : row) {
    PROXIMA_TRY(const double number, amount(price), to);
    const auto t = position(question.zones, to);
    if (z && t) question.price[*z * question.zones.size() + *t] = number;
  }
  return Unit{};
}

Status read_prices(const json::value* value, BalancedQuestion& question) {
  const std::size_t zones = question.zones.size();
  question.price.assign(zones * zones, 1);
  for (std::size_t zone = 0; zone < zones; ++zone) question.price[zone * zones + zone] = 0;
  if (value == nullptr || value->is_null()) return Unit{};
  if (!value->is_object()) return invalid("not an object");
  for (const auto& [from, row] : value->get_object()) {
    PROXIMA_TRY(const json::object* prices, object_in(&row), from);
    PROXIMA_TRY([[maybe_unused]] const Unit done, read_price_row(from, *prices, question), from);
  }
  return Unit{};
}

void place_zones(const Weights& demand, const Weights& capacity, BalancedQuestion& question) {
  Weights zones = demand;
  zones.insert(capacity.begin(), capacity.end());
  for (const auto& [zone, unused] : zones) {
    const auto asked = demand.find(zone);
    const auto served = capacity.find(zone);
    question.zones.push_back(zone);
    question.asks.push_back(asked != demand.end());
    question.serves.push_back(served != capacity.end());
    question.demand.push_back(asked != demand.end() ? asked->second : 0);
    question.capacity.push_back(served != capacity.end() ? served->second : 0);
  }
}

}  // namespace

Result<BalancedQuestion> read_balanced_question(const json::object& object) {
  PROXIMA_TRY(const json::object* by_zone, object_in(object.if_contains("demand")), "demand");
  PROXIMA_TRY(const Weights demand, read_demand(*by_zone), "demand");
  PROXIMA_TRY(const Weights capacity, read_endpoints(object.if_contains("endpoints")), "endpoints");
  BalancedQuestion question;
  PROXIMA_TRY(question.overload, read_overload(object.if_contains("overload")), "overload");
  place_zones(demand, capacity, question);
  PROXIMA_TRY(question.demand_total, scale_to_one(question.demand), "demand");
  PROXIMA_TRY([[maybe_unused]] const double sum, scale_to_one(question.capacity), "endpoints");
  PROXIMA_TRY([[maybe_unused]] const Unit prices,
              read_prices(object.if_contains("price"), question), "price");
  return question;
}

}  // namespace proxima::conformance
