// SPDX-License-Identifier: Apache-2.0
#include "apiserver/selection.h"

#include <boost/json/value.hpp>

#include "apiserver/field_selector.h"
#include "apiserver/label_selector.h"

namespace proxima::apiserver {
namespace {

const boost::json::object* labels_of(const boost::json::object& object) {
  const boost::json::value* metadata = object.if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return nullptr;
  const boost::json::value* labels = metadata->get_object().if_contains("labels");
  return labels == nullptr ? nullptr : labels->if_object();
}

}  // namespace

struct Selection::State {
  model::Selector labels;
  FieldSelector fields;
};

Outcome<Selection> Selection::parse(const ResourceType& type, std::string_view labels,
                                    std::string_view fields) {
  auto by_label = parse_label_selector(labels);
  if (!by_label) return bad_request(by_label.error().message);
  auto by_field = FieldSelector::parse(type, fields);
  if (!by_field) return bad_request(by_field.error().message);
  Selection selection;
  selection.state_ =
      std::make_shared<const State>(State{std::move(*by_label), std::move(*by_field)});
  return selection;
}

bool Selection::everything() const {
  return state_ == nullptr || (state_->labels.requirements().empty() && state_->fields.empty());
}

std::size_t Selection::requirements() const {
  return state_ == nullptr ? 0 : state_->labels.requirements().size() + state_->fields.size();
}

bool Selection::matches(const boost::json::object& object) const {
  if (state_ == nullptr) return true;
  if (!state_->fields.matches(object)) return false;
  if (state_->labels.requirements().empty()) return true;
  const boost::json::object* labels = labels_of(object);
  return state_->labels.matches([&](std::string_view key) -> std::optional<std::string_view> {
    const boost::json::value* value = labels == nullptr ? nullptr : labels->if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string_view(value->get_string());
  });
}

std::optional<std::string> Selection::single_name() const {
  return state_ == nullptr ? std::nullopt : state_->fields.exact_value("metadata.name");
}

}  // namespace proxima::apiserver
