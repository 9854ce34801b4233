// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario_fields.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <charconv>
#include <cmath>

#include "agents/name_list.h"
#include "core/model/limits.h"

namespace proxima::agents {
namespace {

namespace json = boost::json;

const json::object& no_members() {
  static const json::object none;
  return none;
}

const json::value* member(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::optional<double> number_of(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double() && std::isfinite(value.get_double())) return value.get_double();
  return std::nullopt;
}

std::optional<double> share_of(const json::value& value) {
  if (!value.is_string()) return number_of(value);
  std::string_view text = value.get_string();
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), percent);
  if (error != std::errc() || end != text.end() || !std::isfinite(percent)) return std::nullopt;
  return percent / 100;
}

}  // namespace

void ScenarioFaults::add(const std::string& path, const std::string& message) {
  if (first_) return;
  const std::string place = "line " + std::to_string(wire::line_of(lines_, path)) + ": ";
  first_ = Error{ErrorCode::InvalidInput, place + (path.empty() ? "" : path + ": ") + message};
}

std::string ScenarioFields::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ScenarioFields::fault(std::string_view key, const std::string& message) const {
  faults_->add(path_of(key), message);
}

bool ScenarioFields::has(std::string_view key) const { return member(*object_, key) != nullptr; }

bool ScenarioFields::is_text(std::string_view key) const {
  const json::value* value = member(*object_, key);
  return value != nullptr && value->is_string();
}

std::vector<std::string> ScenarioFields::names() const {
  std::vector<std::string> names;
  for (const auto& entry : *object_) names.emplace_back(entry.key());
  return names;
}

void ScenarioFields::only(const std::vector<std::string>& keys) const {
  for (const std::string& name : names())
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      fault(name, "no such field; there are " + name_list(keys));
}

std::string ScenarioFields::text(std::string_view key) const {
  const json::value* value = member(*object_, key);
  if (value != nullptr && value->is_string()) return std::string(value->get_string());
  fault(key, value == nullptr ? "missing" : "a text is wanted");
  return {};
}

double ScenarioFields::number(std::string_view key) const {
  const json::value* value = member(*object_, key);
  const auto number = value == nullptr ? std::nullopt : number_of(*value);
  if (!number) fault(key, value == nullptr ? "missing" : "a number is wanted");
  return bounded(key, number.value_or(0));
}

double ScenarioFields::share(std::string_view key) const {
  const json::value* value = member(*object_, key);
  const auto share = value == nullptr ? std::nullopt : share_of(*value);
  if (!share)
    fault(key, value == nullptr ? "missing"
                                : "a number such as 0.2, or a percentage such as 20%, is wanted");
  return bounded(key, share.value_or(0));
}

double ScenarioFields::bounded(std::string_view key, double number) const {
  const model::Limit& bounds = model::limit_of(model::Bounded::ScenarioNumber);
  if (bounds.admits(number)) return number;
  fault(key, model::range_text(bounds) + " is wanted");
  return 0;
}

std::size_t ScenarioFields::count(std::string_view key) const {
  const json::value* value = member(*object_, key);
  const model::Limit& bounds = model::limit_of(model::Bounded::ScenarioCount);
  if (value != nullptr && value->is_int64() &&
      bounds.admits(static_cast<double>(value->get_int64())))
    return static_cast<std::size_t>(value->get_int64());
  fault(key, value == nullptr ? "missing"
                              : "a whole number from " + model::limit_text(bounds.least) + " to " +
                                    model::limit_text(bounds.most) + " is wanted");
  return 0;
}

ScenarioFields ScenarioFields::child(std::string_view key) const {
  const json::value* value = member(*object_, key);
  const bool is_mapping = value != nullptr && value->is_object();
  if (value != nullptr && !is_mapping) fault(key, "a mapping is wanted");
  return {is_mapping ? value->get_object() : no_members(), path_of(key), *faults_};
}

std::vector<ScenarioFields> ScenarioFields::entries(std::string_view key) const {
  std::vector<ScenarioFields> out;
  const json::value* value = member(*object_, key);
  if (value == nullptr) return out;
  if (!value->is_array()) {
    fault(key, "a list is wanted");
    return out;
  }
  for (const json::value& entry : value->get_array()) {
    const std::string name = std::string(key) + "[" + std::to_string(out.size()) + "]";
    if (!entry.is_object()) fault(name, "a mapping is wanted");
    out.emplace_back(entry.is_object() ? entry.get_object() : no_members(), path_of(name),
                     *faults_);
  }
  return out;
}

}  // namespace proxima::agents
