// SPDX-License-Identifier: Apache-2.0
#include "core/route/slice_routing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

#include "base/ascii.h"
#include "core/model/labels.h"
#include "core/model/limits.h"

namespace proxima::route {
namespace {

using model::Bounded;
using model::limit_of;

constexpr std::string_view kVersion = "v1";
constexpr std::string_view kNoLabel = "-";
constexpr std::string_view kLabelSection = "label:";
constexpr std::string_view kRequired = "required";
constexpr std::size_t kMaxLabels = limit_of(Bounded::RoutingLabels).most_count();
constexpr std::size_t kMaxLabelValue = 63;  // as Kubernetes has it
constexpr std::size_t kMaxBytes = limit_of(Bounded::RoutingBytes).most_count();
constexpr std::size_t kMaxZones = limit_of(Bounded::Zones).most_count();
constexpr char kSince = '@';
constexpr double kKeptUnits = limit_of(Bounded::RoutingKept).most;
constexpr double kInflowUnits = limit_of(Bounded::RoutingInflow).most;

// --- writing -----------------------------------------------------------------------------------

std::string number_text(double value) {
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value));
  return {buffer.data(), end.ptr};
}

// Equal neighbours as "x*3".
template <class Values, class ToText>
std::string list_text(const Values& values, ToText to_text) {
  std::string out;
  for (std::size_t at = 0; at < values.size();) {
    std::size_t end = at + 1;
    while (end < values.size() && values[end] == values[at]) ++end;
    if (at > 0) out += ',';
    out += to_text(values[at]);
    if (end - at > 1) out += "*" + std::to_string(end - at);
    at = end;
  }
  return out;
}

std::string units_text(const std::vector<double>& values, double units) {
  std::vector<long long> whole;
  whole.reserve(values.size());
  for (const double value : values) whole.push_back(std::llround(value * units));
  return list_text(whole, [](long long value) { return std::to_string(value); });
}

std::string keys_text(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ",") + key;
  return out;
}

std::string failing_text(const std::vector<FailingZone>& zones, bool spent) {
  std::string out;
  for (const FailingZone& zone : zones) {
    if (zone.spent != spent) continue;
    out += (out.empty() ? "" : ",") + zone.zone + kSince + time_text(zone.since);
  }
  return out;
}

void add_section(std::string_view name, const std::string& value, std::string& out) {
  if (value.empty()) return;
  out.append("|").append(name).append("=").append(value);
}

// --- reading -----------------------------------------------------------------------------------

Error wrong_section(std::string_view section, std::string_view what) {
  return {ErrorCode::InvalidInput, std::string(model::kRoutingAnnotation) + ": section \"" +
                                       std::string(section) + "\" " + std::string(what)};
}

Error too_many(std::string_view what, std::size_t most) {
  return {ErrorCode::InvalidInput, std::string(model::kRoutingAnnotation) + ": more than " +
                                       model::limit_text(static_cast<double>(most)) + " " +
                                       std::string(what)};
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Calls take(entry, times) for each entry; false: an entry cannot be read, or the entries are not
// as many as the endpoints.
bool read_list(std::string_view text, std::size_t endpoints,
               const std::function<bool(std::string_view, std::size_t)>& take) {
  if (endpoints == 0) return false;
  std::size_t left = endpoints;
  bool more = true;
  while (more) {
    more = text.find(',') != std::string_view::npos;
    std::string_view entry = take_until(text, ',', "");
    std::size_t times = 1;
    if (const auto star = entry.find('*'); star != std::string_view::npos) {
      const auto read = whole_number<std::size_t>(entry.substr(star + 1));
      if (!read || *read < 2) return false;
      times = *read;
      entry = entry.substr(0, star);
    }
    if (times > left || !take(entry, times)) return false;
    left -= times;
  }
  return left == 0;
}

// Numbers within the limit, divided by `units`.
std::optional<std::vector<double>> read_numbers(std::string_view text, std::size_t endpoints,
                                                const model::Limit& limit, double units) {
  std::vector<double> values;
  const bool read = read_list(text, endpoints, [&](std::string_view entry, std::size_t times) {
    const auto number = whole_number<double>(entry);
    if (!number || !limit.admits(*number)) return false;
    values.insert(values.end(), times, *number / units);
    return true;
  });
  if (!read) return std::nullopt;
  return values;
}

Result<LabelColumn> read_labels(std::string_view section, std::string_view text,
                                std::size_t endpoints) {
  LabelColumn column{std::string(section.substr(kLabelSection.size())), {}};
  const bool read = read_list(text, endpoints, [&](std::string_view entry, std::size_t times) {
    if (entry.size() > kMaxLabelValue) return false;
    std::optional<std::string> value;
    if (entry != kNoLabel) value = std::string(entry);
    column.values.insert(column.values.end(), times, value);
    return true;
  });
  if (!read || column.key.empty())
    return wrong_section(section, "is not one value for each endpoint");
  return column;
}

Status read_failing(std::string_view section, std::string_view text, SliceRouting& routing) {
  while (!text.empty()) {
    std::string_view since = take_until(text, ',', "");
    const std::string_view zone = take_until(since, kSince, "");
    const auto time = parse_time(since);
    if (zone.empty() || !time) return wrong_section(section, "is not a list of ZONE@TIME");
    if (routing.failing.size() == kMaxZones) return too_many("zones that fail over", kMaxZones);
    routing.failing.push_back({std::string(zone), *time, section == "spent"});
  }
  return Unit{};
}

Status read_section(std::string_view section, std::string_view text, std::size_t endpoints,
                    SliceRouting& routing) {
  const auto numbers = [&](std::vector<double>& into, Bounded number, double units) -> Status {
    auto values = read_numbers(text, endpoints, limit_of(number), units);
    if (!values) return wrong_section(section, "is not one number in range for each endpoint");
    into = std::move(*values);
    return Unit{};
  };
  if (section == "weight") return numbers(routing.weights, Bounded::RoutingWeight, 1);
  if (section == "kept") return numbers(routing.kept, Bounded::RoutingKept, kKeptUnits);
  if (section == "inflow") return numbers(routing.inflow, Bounded::RoutingInflow, kInflowUnits);
  if (section.starts_with(kLabelSection)) {
    if (routing.labels.size() == kMaxLabels) return too_many("labels", kMaxLabels);
    auto column = read_labels(section, text, endpoints);
    if (!column) return std::move(column).error();
    routing.labels.push_back(std::move(*column));
  }
  if (section == "panic") {
    if (text != "all") return wrong_section(section, "is not \"all\"");
    routing.ignores_health = true;
  }
  if (section == "keys") {
    while (!text.empty()) {
      if (routing.keys.size() == kMaxLabels) return too_many("keys", kMaxLabels);
      routing.keys.emplace_back(take_until(text, ',', ""));
    }
  }
  if (section == "zone") {
    if (text != kRequired) return wrong_section(section, "is not \"required\"");
    routing.requires_zone = true;
  }
  if (section == "failover" || section == "spent") return read_failing(section, text, routing);
  if (section == "rest") {
    PROXIMA_TRY(routing.rest, parse_zone_split(text), std::string(model::kRoutingAnnotation));
  }
  return Unit{};
}

bool is_near(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kStep = static_cast<double>(kSplitStepPermille) / kWholePermille;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double one, double other) { return std::abs(one - other) <= kStep; });
}

}  // namespace

bool has_moved(const SliceRouting& published, const SliceRouting& wanted) {
  return published.weights != wanted.weights || published.labels != wanted.labels ||
         published.ignores_health != wanted.ignores_health || published.keys != wanted.keys ||
         published.requires_zone != wanted.requires_zone || published.failing != wanted.failing ||
         !is_near(published.kept, wanted.kept) || !is_near(published.inflow, wanted.inflow) ||
         has_moved(published.rest, wanted.rest);
}

std::string render(const SliceRouting& routing) {
  std::string whole;
  add_section("weight", list_text(routing.weights, number_text), whole);
  add_section("kept", units_text(routing.kept, kKeptUnits), whole);
  add_section("inflow", units_text(routing.inflow, kInflowUnits), whole);
  std::string service;
  add_section("panic", routing.ignores_health ? "all" : "", service);
  add_section("keys", keys_text(routing.keys), service);
  add_section("zone", routing.requires_zone ? std::string(kRequired) : "", service);
  add_section("failover", failing_text(routing.failing, false), service);
  add_section("spent", failing_text(routing.failing, true), service);
  add_section("rest", render(routing.rest), service);
  for (const LabelColumn& column : routing.labels) {
    std::string text;
    const auto value = [](const auto& one) { return one ? *one : std::string(kNoLabel); };
    add_section(std::string(kLabelSection) + column.key, list_text(column.values, value), text);
    if (whole.size() + text.size() + service.size() > kMaxRoutingText) break;
    whole += text;
  }
  whole += service;
  return whole.empty() ? whole : std::string(kVersion) + whole;
}

Result<SliceRouting> parse_slice_routing(std::string_view text, std::size_t endpoints) {
  const std::string_view version = take_until(text, '|', "");
  if (version != kVersion) {
    return Error{ErrorCode::InvalidInput, std::string(model::kRoutingAnnotation) + ": version \"" +
                                              std::string(version.substr(0, 32)) +
                                              "\" is not known, only \"v1\" is"};
  }
  if (text.size() > kMaxBytes) return too_many("bytes", kMaxBytes);
  SliceRouting routing;
  while (!text.empty()) {
    std::string_view value = take_until(text, '|', "");
    const std::string_view section = take_until(value, '=', "");
    if (Status read = read_section(section, value, endpoints, routing); !read)
      return std::move(read).error();
  }
  std::sort(routing.failing.begin(), routing.failing.end(),
            [](const FailingZone& a, const FailingZone& b) { return a.zone < b.zone; });
  return routing;
}

}  // namespace proxima::route
