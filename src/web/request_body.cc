// SPDX-License-Identifier: Apache-2.0
#include "web/request_body.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <initializer_list>

#include "core/model/limits.h"
#include "core/policy/policy_names.h"
#include "core/policy/settings.h"

namespace proxima::web {
namespace {

using boost::json::object;
using boost::json::value;

constexpr std::uint32_t kMaxEndpointsOfAZone = 50;

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

// An empty body is an object without fields.
Result<object> read_object(std::string_view body, std::initializer_list<std::string_view> known) {
  if (body.empty()) return object();
  boost::json::error_code problem;
  const value parsed = boost::json::parse({body.data(), body.size()}, problem);
  if (problem) return invalid_input("the body is no JSON: " + problem.message());
  if (!parsed.is_object()) return invalid_input("the body is no JSON object");
  for (const auto& member : parsed.get_object()) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::find(known.begin(), known.end(), key) == known.end())
      return invalid_input("the body has a field that is not known: " + in_quotes(key));
  }
  return parsed.get_object();
}

// Empty when it is missing or null.
Result<std::string> optional_text(const object& from, std::string_view field) {
  const value* found = from.if_contains({field.data(), field.size()});
  if (found == nullptr || found->is_null()) return std::string();
  if (!found->is_string()) return invalid_input(in_quotes(field) + " is not a text");
  return std::string(found->get_string());
}

Result<std::string> needed_text(const object& from, std::string_view field) {
  auto text = optional_text(from, field);
  if (text && text->empty()) return invalid_input(in_quotes(field) + " is missing");
  return text;
}

Result<double> number(const value& from, const std::string& what) {
  if (!from.is_number()) return invalid_input(what + " is not a number");
  const auto out = from.to_number<double>();
  if (!std::isfinite(out)) return invalid_input(what + " is not a number");
  return out;
}

// A number, or what the annotation may say: "20%", "inf".
Result<double> bound_of(const value& from) {
  if (from.is_string()) {
    auto bound = policy::parse_overload(from.get_string());
    return bound ? bound : invalid_input("\"overload\": " + bound.error().message);
  }
  auto bound = number(from, "\"overload\"");
  const model::Limit& limit = model::limit_of(model::Bounded::Overload);
  if (bound && !limit.admits(*bound))
    return invalid_input("\"overload\" is not " + model::range_text(limit));
  return bound;
}

Result<PolicyWish> wish_of(const object& from) {
  PolicyWish wish;
  auto policy = optional_text(from, "policy");
  if (!policy) return std::move(policy).error();
  const value* overload = from.if_contains("overload");
  const bool has_overload = overload != nullptr && !overload->is_null();
  if (policy->empty()) {
    if (from.if_contains("policy") == nullptr)
      return invalid_input("\"policy\" is missing; null takes the annotation away");
    if (has_overload) return invalid_input("\"overload\" without a policy means nothing");
    return wish;
  }
  if (!policy::parse_policy(*policy))
    return invalid_input("\"policy\" is " + in_quotes(*policy) + ", which is none of " +
                         policy::policy_names());
  wish.policy = std::move(*policy);
  if (!has_overload) return wish;
  const auto bound = bound_of(*overload);
  if (!bound) return bound.error();
  wish.overload = *bound;
  return wish;
}

Result<object> zones_of(const object& from) {
  const value* zones = from.if_contains("zones");
  if (zones == nullptr) return invalid_input("\"zones\" is missing");
  if (!zones->is_object() || zones->get_object().empty())
    return invalid_input("\"zones\" is not an object with at least one zone");
  return zones->get_object();
}

std::string zone_field(const boost::json::key_value_pair& member) {
  return "\"zones\": " + in_quotes({member.key().data(), member.key().size()});
}

}  // namespace

Result<PredictRequest> read_predict(std::string_view body) {
  const auto from = read_object(body, {"service", "policy", "overload"});
  if (!from) return from.error();
  auto service = needed_text(*from, "service");
  if (!service) return std::move(service).error();
  auto wish = wish_of(*from);
  if (!wish) return std::move(wish).error();
  return PredictRequest{std::move(*service), std::move(*wish)};
}

Result<PolicyWish> read_policy(std::string_view body) {
  const auto from = read_object(body, {"policy", "overload"});
  if (!from) return from.error();
  return wish_of(*from);
}

Result<std::string> read_name(std::string_view body, std::string_view field) {
  const auto from = read_object(body, {field});
  if (!from) return from.error();
  return needed_text(*from, field);
}

Result<HealTarget> read_heal(std::string_view body) {
  const auto from = read_object(body, {"zone", "node"});
  if (!from) return from.error();
  auto zone = optional_text(*from, "zone");
  if (!zone) return std::move(zone).error();
  auto node = optional_text(*from, "node");
  if (!node) return std::move(node).error();
  if (!zone->empty() && !node->empty())
    return invalid_input("either \"zone\" or \"node\", not both");
  return HealTarget{std::move(*zone), std::move(*node)};
}

Result<ScaleRequest> read_scale(std::string_view body) {
  const auto from = read_object(body, {"service", "zones"});
  if (!from) return from.error();
  ScaleRequest out;
  PROXIMA_TRY(out.service, needed_text(*from, "service"), "scale");
  const auto zones = zones_of(*from);
  if (!zones) return zones.error();
  for (const auto& member : *zones) {
    const auto count = number(member.value(), zone_field(member));
    if (!count) return count.error();
    if (*count < 0 || *count > kMaxEndpointsOfAZone || std::floor(*count) != *count)
      return invalid_input(zone_field(member) + " is not a whole number from 0 to " +
                           std::to_string(kMaxEndpointsOfAZone));
    out.zones[std::string(member.key())] = static_cast<std::uint32_t>(*count);
  }
  return out;
}

Result<std::map<std::string, double>> read_demand(std::string_view body) {
  const auto from = read_object(body, {"zones"});
  if (!from) return from.error();
  const auto zones = zones_of(*from);
  if (!zones) return zones.error();
  std::map<std::string, double> out;
  double sum = 0;
  for (const auto& member : *zones) {
    const auto share = number(member.value(), zone_field(member));
    if (!share) return share.error();
    if (*share < 0 || *share > 1)
      return invalid_input(zone_field(member) + " is not between 0 and 1");
    sum += *share;
    out[std::string(member.key())] = *share;
  }
  if (sum > 1 + 1e-9) return invalid_input("the shares of \"zones\" are more than 1 together");
  return out;
}

}  // namespace proxima::web
