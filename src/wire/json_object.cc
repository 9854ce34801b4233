// SPDX-License-Identifier: Apache-2.0
#include "wire/json_object.h"

#include "base/check.h"
#include "core/model/limits.h"

namespace proxima::wire {

JsonPath JsonPath::with(Step step) const {
  PROXIMA_CHECK(size_ < kMaxSteps);
  JsonPath longer = *this;
  longer.steps_[longer.size_++] = step;
  return longer;
}

std::string JsonPath::text() const {
  std::string out;
  for (std::size_t i = 0; i < size_; ++i) {
    const Step& step = steps_[i];
    if (step.key.data() == nullptr) {
      out += "[" + std::to_string(step.index) + "]";
    } else if (step.key.find_first_of("./") != std::string_view::npos) {
      out += "[\"" + std::string(step.key) + "\"]";  // a label key, not a path
    } else {
      out += (out.empty() ? "" : ".") + std::string(step.key);
    }
  }
  return out;
}

std::optional<JsonObject::Element> JsonObject::find(std::string_view key) const {
  Element element;
  if (!object_ || object_->at_key(key).get(element) != simdjson::SUCCESS || element.is_null())
    return std::nullopt;
  return element;
}

void JsonObject::report_type(const JsonPath& path, std::string_view wanted) const {
  log_->add(path.text(), "not " + std::string(wanted));
}

std::optional<std::string_view> JsonObject::text(std::string_view key) const {
  const auto element = find(key);
  if (!element) return std::nullopt;
  std::string_view value;
  if (element->get(value) == simdjson::SUCCESS) return value;
  report_type(path_.key(key), "a string");
  return std::nullopt;
}

std::optional<bool> JsonObject::boolean(std::string_view key) const {
  const auto element = find(key);
  if (!element) return std::nullopt;
  bool value = false;
  if (element->get(value) == simdjson::SUCCESS) return value;
  report_type(path_.key(key), "true or false");
  return std::nullopt;
}

std::optional<std::uint16_t> JsonObject::port(std::string_view key, std::uint16_t least) const {
  const auto element = find(key);
  if (!element) return std::nullopt;
  std::int64_t value = 0;
  if (element->get(value) != simdjson::SUCCESS) {
    report_type(path_.key(key), "a whole number");
    return std::nullopt;
  }
  constexpr auto kMost =
      static_cast<std::int64_t>(model::limit_of(model::Bounded::ServicePort).most);
  if (value >= least && value <= kMost) return static_cast<std::uint16_t>(value);
  report(key, "not a port number: " + std::to_string(value));
  return std::nullopt;
}

void JsonObject::report_longer(std::string_view key, std::size_t most) const {
  // What is no list is reported by whoever reads it.
  const auto element = find(key);
  simdjson::dom::array elements;
  if (!element || element->get(elements) != simdjson::SUCCESS || elements.size() <= most) return;
  report(key, model::limit_text(static_cast<double>(elements.size())) +
                  " entries; only the first " + model::limit_text(static_cast<double>(most)) +
                  " count");
}

JsonObject JsonObject::child(std::string_view key) const {
  JsonObject found(log_, path_.key(key));
  const auto element = find(key);
  if (!element) return found;
  simdjson::dom::object object;
  if (element->get(object) == simdjson::SUCCESS) {
    found.object_ = object;
  } else {
    report_type(found.path_, "an object");
  }
  return found;
}

std::optional<simdjson::dom::array> JsonObject::array(std::string_view key) const {
  const auto element = find(key);
  if (!element) return std::nullopt;
  simdjson::dom::array value;
  if (element->get(value) == simdjson::SUCCESS) return value;
  report_type(path_.key(key), "a list");
  return std::nullopt;
}

}  // namespace proxima::wire
