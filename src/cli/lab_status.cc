// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_status.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "cli/figures.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

// More than any lab has, and few enough to be a whole number.
constexpr double kMostShown = 1e12;

// Fields that are missing read as nothing: a newer or older server shows what it has.
std::string text_at(const json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

bool flag_at(const json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::optional<double> number_at(const json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

const json::object* object_at(const json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr ? value->if_object() : nullptr;
}

std::vector<const json::object*> rows_at(const json::object& object, const char* key) {
  std::vector<const json::object*> rows;
  const auto* value = object.if_contains(key);
  if (value == nullptr || !value->is_array()) return rows;
  for (const json::value& row : value->get_array())
    if (row.is_object()) rows.push_back(&row.get_object());
  return rows;
}

Result<json::object> parse_state(const std::string& state) {
  boost::system::error_code error;
  json::value value = json::parse(state, error);
  if (error.failed() || !value.is_object())
    return Error{ErrorCode::InvalidInput, "the lab's answer is no state"};
  return std::move(value.get_object());
}

std::string share_text(std::optional<double> share) { return share ? percent_text(*share) : "-"; }

std::string rate_text(std::optional<double> rate) {
  if (!rate) return "-";
  const auto tenths = std::lround(std::clamp(*rate, 0.0, kMostShown) * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Cell state_cell(bool well, const char* good, const char* bad) {
  return {well ? good : bad, well ? Tone::Good : Tone::Bad};
}

Table zone_table(const json::object& state) {
  Table table({{.header = "ZONE"},
               {.header = "STATE"},
               {.header = "DEMAND", .align = Align::Right},
               {.header = "REQ/S", .align = Align::Right}});
  for (const json::object* zone : rows_at(state, "zones"))
    table.add({{text_at(*zone, "name")},
               state_cell(!flag_at(*zone, "failed"), "up", "failed"),
               {share_text(number_at(*zone, "demand"))},
               {rate_text(number_at(*zone, "requestsPerSecond"))}});
  return table;
}

Cell node_state(const json::object& node) {
  if (!flag_at(node, "power")) return {"dead", Tone::Bad};
  if (!flag_at(node, "ready")) return {"not ready", Tone::Warning};
  if (flag_at(node, "cordoned")) return {"cordoned", Tone::Warning};
  return {"ready", Tone::Good};
}

Table node_table(const json::object& state) {
  Table table({{.header = "NODE"},
               {.header = "ZONE"},
               {.header = "STATE"},
               {.header = "ADDRESS"},
               {.header = "PROXY"}});
  for (const json::object* node : rows_at(state, "nodes")) {
    const std::string status = text_at(*node, "status");
    table.add({{text_at(*node, "name")},
               {text_at(*node, "zone")},
               node_state(*node),
               {text_at(*node, "address")},
               {status.empty() ? "-" : status}});
  }
  return table;
}

Table service_table(const json::object& state) {
  Table table({{.header = "SERVICE"},
               {.header = "POLICY"},
               {.header = "PODS", .align = Align::Right},
               {.header = "LOCAL", .align = Align::Right},
               {.header = "PLANNED", .align = Align::Right},
               {.header = "OVERLOAD", .align = Align::Right},
               {.header = "REQ/S", .align = Align::Right},
               {.header = "FAILED", .align = Align::Right},
               {.header = "WHY", .shorten = Shorten::End, .width_min = 20}});
  const json::object none;
  for (const json::object* service : rows_at(state, "services")) {
    const auto* plan = object_at(*service, "plan");
    const auto* measured = object_at(*service, "measured");
    if (plan == nullptr) plan = &none;
    if (measured == nullptr) measured = &none;
    const auto* why = object_at(*plan, "why");
    const auto overload = number_at(*measured, "worstOverload");
    const std::string none_yet = measured == &none ? "-" : "measuring";
    const auto pods = number_at(*service, "endpoints").value_or(0);
    table.add({{text_at(*service, "service")},
               {text_at(*service, "policy")},
               {std::to_string(std::lround(std::clamp(pods, 0.0, kMostShown)))},
               {share_text(number_at(*measured, "local"))},
               {share_text(number_at(*plan, "local"))},
               {overload ? overload_text(*overload) : none_yet},
               {rate_text(number_at(*measured, "requestsPerSecond"))},
               {rate_text(number_at(*measured, "failed"))},
               {why != nullptr ? text_at(*why, "text") : ""}});
  }
  return table;
}

}  // namespace

Result<LabNames> lab_names(const std::string& state) {
  auto document = parse_state(state);
  if (!document) return std::move(document).error();
  LabNames names;
  for (const json::object* zone : rows_at(*document, "zones"))
    names.zones.push_back(text_at(*zone, "name"));
  for (const json::object* node : rows_at(*document, "nodes"))
    names.nodes.push_back(text_at(*node, "name"));
  for (const json::object* service : rows_at(*document, "services"))
    names.services.push_back(text_at(*service, "service"));
  return names;
}

Result<std::string> lab_tables(const std::string& state, const TableLayout& layout) {
  auto document = parse_state(state);
  if (!document) return std::move(document).error();
  return zone_table(*document).render(layout) + "\n" + node_table(*document).render(layout) + "\n" +
         service_table(*document).render(layout);
}

}  // namespace proxima::cli
