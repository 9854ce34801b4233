// SPDX-License-Identifier: Apache-2.0
#include "cli/argument_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/near_match.h"
#include "core/model/limits.h"
#include "core/policy/policy_names.h"
#include "reports/report_address.h"

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

Result<double> parse_price(std::string_view text) {
  constexpr const model::Limit& kLimit = model::limit_of(model::Bounded::Price);
  auto price = parse_amount(text);
  if (price && !kLimit.admits(*price)) return wrong(text, model::range_text(kLimit));
  return price;
}

Result<double> parse_percent(std::string_view text) {
  const std::string_view digits = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  const auto value = finite_number(digits);
  if (!value || !model::limit_of(model::Bounded::Percent).admits(*value))
    return wrong(text, "a percentage from 0 to 100");
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
  Error error = wrong(text, "a policy (" + policy::policy_names() + ")");
  std::vector<std::string> names;
  for (const auto kind : policy::kAllPolicies) names.emplace_back(policy::to_text(kind));
  error.message += did_you_mean(near_matches(text, names));
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

namespace {

struct DurationUnit {
  std::string_view name;
  double nanoseconds;
};
// "m" after what begins with it.
constexpr DurationUnit kDurationUnits[] = {{"ns", 1},  {"us", 1e3}, {"µs", 1e3},  {"ms", 1e6},
                                           {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};

const DurationUnit* unit_at(std::string_view text) {
  for (const DurationUnit& unit : kDurationUnits)
    if (text.starts_with(unit.name)) return &unit;
  return nullptr;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const Error refusal = wrong(text, "a duration such as 500ms, 15s or 1m30s");
  if (text == "0") return std::chrono::nanoseconds(0);
  constexpr double kLongest = 1e18;  // 31 years; what is longer does not fit
  double sum = 0;
  std::string_view rest = text;
  do {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const auto number = finite_number(rest.substr(0, digits));
    rest.remove_prefix(digits);
    const DurationUnit* unit = unit_at(rest);
    if (!number || unit == nullptr) return refusal;
    rest.remove_prefix(unit->name.size());
    sum += *number * unit->nanoseconds;
  } while (!rest.empty());
  if (sum > kLongest) return refusal;
  return std::chrono::nanoseconds(std::llround(sum));
}

Result<std::chrono::seconds> parse_seconds(std::string_view text) {
  const auto duration = parse_duration(text);
  if (duration) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*duration);
    if (seconds == *duration && seconds >= std::chrono::seconds(1)) return seconds;
  }
  return wrong(text, "a duration in whole seconds of at least 1s, such as 15s or 1m30s");
}

Result<std::string> parse_report_config_map(std::string_view text) {
  if (text.empty()) return std::string();
  const auto ref = reports::report_config_map(text);
  if (!ref) return ref.error();
  return std::string(text);
}

Result<BindAddress> parse_bind_address(std::string_view text) {
  if (text == "0") return BindAddress{.enabled = false};
  const Error refusal =
      wrong(text, "an address with a port such as 127.0.0.1:10267, [::1]:0 or :10267");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refusal;
  const auto port = parse_count(text.substr(colon + 1), {0, 65535});
  std::string_view address = text.substr(0, colon);
  const bool bracketed = address.starts_with('[') && address.ends_with(']');
  if (bracketed) address = address.substr(1, address.size() - 2);
  if (address.empty() && !bracketed) address = "0.0.0.0";
  const auto parsed = IpAddress::parse(address);
  const bool bare_ipv6 = address.find(':') != std::string_view::npos && !bracketed;
  if (!port || !parsed || bare_ipv6) return refusal;
  return BindAddress{.address = std::string(address), .port = static_cast<std::uint16_t>(*port)};
}

Result<std::vector<std::string>> parse_host_names(std::string_view text) {
  constexpr std::string_view kLetters =
      "-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<std::string> names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view name = text.substr(from, end - from);
    if (name.empty() || name.find_first_not_of(kLetters) != std::string_view::npos)
      return wrong(text, "names of hosts without ports such as proxima.example.com,page");
    names.emplace_back(name);
    from = end + 1;
  }
  return names;
}

Error not_a_choice(std::string_view text, std::string_view names) {
  std::string expected;
  for (const char c : names) expected += c == '|' ? std::string(", ") : std::string(1, c);
  return wrong(text, "one of " + expected);
}

}  // namespace proxima::cli
