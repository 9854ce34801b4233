// SPDX-License-Identifier: Apache-2.0
#include "cli/argument_values.h"

#include <charconv>
#include <cmath>

#include "cli/near_match.h"

namespace proxima::cli {
namespace {

Error wrong(std::string_view text, const std::string& expected) {
  return {ErrorCode::InvalidInput, "\"" + std::string(text) + "\" is not " + expected};
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const auto kind : policy::kAllPolicies) names.emplace_back(policy::to_text(kind));
  return names;
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text, CountBounds bounds) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool valid = parsed.ec == std::errc() && parsed.ptr == end && value >= bounds.smallest &&
                     value <= bounds.largest;
  if (valid) return value;
  return wrong(text, "a whole number from " + std::to_string(bounds.smallest) + " to " +
                         std::to_string(bounds.largest));
}

Result<double> parse_amount(std::string_view text) {
  const auto value = finite_number(text);
  if (!value || *value < 0) return wrong(text, "a number of at least 0");
  return *value;
}

Result<double> parse_percent(std::string_view text) {
  const std::string_view digits = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  const auto value = finite_number(digits);
  if (!value || *value < 0 || *value > 100) return wrong(text, "a percentage from 0 to 100");
  return *value;
}

Result<double> parse_threshold(std::string_view text) {
  const auto value = policy::parse_overload(text);
  if (!value || !std::isfinite(*value))
    return wrong(text, "a threshold: write a percentage such as 20% or a number such as 0.2");
  return *value;
}

Result<policy::PolicyKind> parse_policy_name(std::string_view text) {
  if (const auto kind = policy::parse_policy(text)) return *kind;
  std::string names;
  for (const std::string& name : policy_names()) names += (names.empty() ? "" : ", ") + name;
  Error error = wrong(text, "a policy (" + names + ")");
  error.message += did_you_mean(near_matches(text, policy_names()));
  return error;
}

Result<std::string> parse_variant_name(std::string_view text) {
  if (text == kAsConfigured) return std::string(text);
  auto kind = parse_policy_name(text);
  if (!kind) return std::move(kind).error();
  return std::string(policy::to_text(*kind));
}

Result<PortRange> parse_port_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = parse_count(text.substr(0, dash), {1, 65535});
  const auto last = parse_count(
      dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1), {1, 65535});
  if (!first || !last || *first > *last) {
    return Error{ErrorCode::InvalidInput,
                 "\"" + std::string(text) + "\" is no range of ports such as 30000-32767"};
  }
  return PortRange{static_cast<std::uint16_t>(*first), static_cast<std::uint16_t>(*last)};
}

Error not_a_choice(std::string_view text, std::string_view names) {
  std::string expected;
  for (const char c : names) expected += c == '|' ? std::string(", ") : std::string(1, c);
  return wrong(text, "one of " + expected);
}

}  // namespace proxima::cli
