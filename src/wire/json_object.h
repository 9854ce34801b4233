// SPDX-License-Identifier: Apache-2.0
// A JSON object that knows where it stands, so that whatever is wrong in it is reported with the
// full path. Null is the same as missing, as it is for Kubernetes. A value of the wrong type is
// reported and then treated as missing. Of a key that comes twice the first counts.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/problem.h"

namespace proxima::wire {

// "spec.containers[0].ports": the steps from the object's top, printed only when needed.
class JsonPath {
 public:
  JsonPath key(std::string_view key) const { return with({key, 0}); }
  JsonPath index(std::size_t index) const { return with({{}, index}); }
  std::string text() const;

 private:
  struct Step {
    std::string_view key;  // data() null: an index
    std::size_t index = 0;
  };
  static constexpr std::size_t kMaxSteps = 8;  // deeper than any field that is read

  JsonPath with(Step step) const;

  std::array<Step, kMaxSteps> steps_{};
  std::size_t size_ = 0;
};

class JsonObject {
 public:
  using Element = simdjson::dom::element;

  // Borrows everything until the parser reads the next object.
  JsonObject(simdjson::dom::object object, ProblemLog& log) : object_(object), log_(&log) {}

  std::optional<std::string_view> text(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  // A port number 1..65535; anything else is reported. `least` 0 lets 0 pass.
  std::optional<std::uint16_t> port(std::string_view key, std::uint16_t least = 1) const;
  // The object under `key`; without members when there is none.
  JsonObject child(std::string_view key) const;
  // Not null.
  bool has(std::string_view key) const { return find(key).has_value(); }
  // Whatever is there, for fields that take several types.
  std::optional<Element> find(std::string_view key) const;

  // visit(JsonObject) for every object in the array under `key`.
  template <class Visit>
  void each_object(std::string_view key, Visit visit) const {
    first_objects(key, kAll, visit);
  }
  // The same for the first elements of the array alone, `most` of them.
  template <class Visit>
  void first_objects(std::string_view key, std::size_t most, Visit visit) const;
  // visit(std::string_view text, const JsonPath&) for every string in the array under `key`.
  template <class Visit>
  void each_text(std::string_view key, Visit visit) const {
    first_texts(key, kAll, visit);
  }
  template <class Visit>
  void first_texts(std::string_view key, std::size_t most, Visit visit) const;
  // visit(std::string_view key, std::string_view value) for every member, which must be strings.
  template <class Visit>
  void each_member_text(Visit visit) const;

  void report(std::string_view key, const std::string& message) const {
    log_->add(path_.key(key).text(), message);
  }
  void report_at(const JsonPath& path, const std::string& message) const {
    log_->add(path.text(), message);
  }
  // That only the first `most` elements of the array under `key` count, where it has more.
  void report_longer(std::string_view key, std::size_t most) const;

 private:
  static constexpr std::size_t kAll = ~std::size_t{0};

  JsonObject(ProblemLog* log, JsonPath path) : log_(log), path_(path) {}

  std::optional<simdjson::dom::array> array(std::string_view key) const;
  void report_type(const JsonPath& path, std::string_view wanted) const;

  std::optional<simdjson::dom::object> object_;
  ProblemLog* log_;
  JsonPath path_;
};

template <class Visit>
void JsonObject::first_objects(std::string_view key, std::size_t most, Visit visit) const {
  const auto elements = array(key);
  if (!elements) return;
  std::size_t index = 0;
  for (Element element : *elements) {
    if (index == most) return;
    JsonObject member(log_, path_.key(key).index(index++));
    simdjson::dom::object object;
    if (element.get(object) == simdjson::SUCCESS) {
      member.object_ = object;
      visit(std::as_const(member));
    } else {
      report_type(member.path_, "an object");
    }
  }
}

template <class Visit>
void JsonObject::first_texts(std::string_view key, std::size_t most, Visit visit) const {
  const auto elements = array(key);
  if (!elements) return;
  std::size_t index = 0;
  for (Element element : *elements) {
    if (index == most) return;
    const JsonPath path = path_.key(key).index(index++);
    std::string_view text;
    if (element.get(text) == simdjson::SUCCESS) {
      visit(text, path);
    } else {
      report_type(path, "a string");
    }
  }
}

template <class Visit>
void JsonObject::each_member_text(Visit visit) const {
  if (!object_) return;
  for (const auto member : *object_) {
    std::string_view value;
    if (member.value.get(value) == simdjson::SUCCESS) {
      visit(member.key, value);
    } else if (!member.value.is_null()) {
      report_type(path_.key(member.key), "a string");
    }
  }
}

}  // namespace proxima::wire
