// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/raw_value.h"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "apiserver/rules/go_text.h"
#include "apiserver/rules/json_syntax.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

// Boost's parser calls these; what they must be named is its business.
class RawBuilder {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);  // NOLINT
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);   // NOLINT
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);     // NOLINT
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);  // NOLINT

  using Code = json::error_code;

  static bool on_document_begin(Code&) { return true; }
  static bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return open(RawValue::Type::Object); }
  bool on_object_end(std::size_t, Code&) { return close(); }
  bool on_array_begin(Code&) { return open(RawValue::Type::Array); }
  bool on_array_end(std::size_t, Code&) { return close(); }
  bool on_key_part(json::string_view part, std::size_t, Code&) { return keep(part); }
  bool on_key(json::string_view part, std::size_t, Code&) {
    keep(part);
    open_.back()->members.push_back({go_utf8(std::exchange(text_, {})), {}});
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, Code&) { return keep(part); }
  bool on_string(json::string_view part, std::size_t, Code&) {
    keep(part);
    place(RawValue::Type::String).text = go_utf8(std::exchange(text_, {}));
    return true;
  }
  bool on_number_part(json::string_view part, Code&) { return keep(part); }
  bool on_int64(std::int64_t, json::string_view part, Code&) { return number(part); }
  bool on_uint64(std::uint64_t, json::string_view part, Code&) { return number(part); }
  bool on_double(double, json::string_view part, Code&) { return number(part); }
  bool on_bool(bool value, Code&) {
    place(RawValue::Type::Bool).boolean = value;
    return true;
  }
  bool on_null(Code&) {
    place(RawValue::Type::Null);
    return true;
  }
  static bool on_comment_part(json::string_view, Code&) { return true; }
  static bool on_comment(json::string_view, Code&) { return true; }

  RawValue take() { return std::move(root_); }

 private:
  bool keep(json::string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool number(json::string_view part) {
    keep(part);
    place(RawValue::Type::Number).text = std::exchange(text_, {});
    return true;
  }
  // Where the next value goes: the root, an array's end, or the last key's value.
  RawValue& place(RawValue::Type type) {
    RawValue* target = &root_;
    if (!open_.empty() && open_.back()->is(RawValue::Type::Array)) {
      target = &open_.back()->items.emplace_back();
    } else if (!open_.empty()) {
      target = &open_.back()->members.back().value;
    }
    target->type = type;
    return *target;
  }
  bool open(RawValue::Type type) {
    open_.push_back(&place(type));
    return true;
  }
  // Pointers stay good: only the innermost open container grows.
  bool close() {
    open_.pop_back();
    return true;
  }

  RawValue root_;
  std::vector<RawValue*> open_;
  std::string text_;
};

}  // namespace

Result<RawValue> parse_raw(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  options.allow_invalid_utf8 = true;
  json::basic_parser<RawBuilder> parser(options);
  json::error_code code;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), code);
  if (code || used != text.size()) {
    const std::size_t more = text.find_first_not_of(" \t\r\n", used);
    if (code || more != std::string_view::npos)
      return Error{ErrorCode::InvalidInput, json_syntax_message(text)};
  }
  if (!parser.done()) return Error{ErrorCode::InvalidInput, json_syntax_message(text)};
  return parser.handler().take();
}

RawValue to_raw(const json::value& value) {
  RawValue raw;
  if (const auto* object = value.if_object()) {
    raw.type = RawValue::Type::Object;
    raw.members.reserve(object->size());
    for (const auto& member : *object)
      raw.members.push_back({std::string(member.key()), to_raw(member.value())});
  } else if (const auto* array = value.if_array()) {
    raw.type = RawValue::Type::Array;
    raw.items.reserve(array->size());
    for (const json::value& item : *array) raw.items.push_back(to_raw(item));
  } else if (const auto* text = value.if_string()) {
    raw.type = RawValue::Type::String;
    raw.text.assign(text->data(), text->size());
  } else if (const bool* boolean = value.if_bool()) {
    raw.type = RawValue::Type::Bool;
    raw.boolean = *boolean;
  } else if (value.is_number()) {
    raw.type = RawValue::Type::Number;
    raw.text = json::serialize(value);
  }
  return raw;
}

namespace {

json::value number_of(const std::string& text) {
  json::error_code code;
  json::value value = json::parse(text, code);
  return code ? json::value(0) : value;
}

}  // namespace

json::value from_raw(const RawValue& raw) {
  switch (raw.type) {
    case RawValue::Type::Null:
      return nullptr;
    case RawValue::Type::Bool:
      return raw.boolean;
    case RawValue::Type::Number:
      return number_of(raw.text);
    case RawValue::Type::String:
      return json::string(raw.text);
    case RawValue::Type::Array: {
      json::array out;
      for (const RawValue& item : raw.items) out.push_back(from_raw(item));
      return out;
    }
    case RawValue::Type::Object:
      break;
  }
  json::object out;
  for (const RawMember& member : raw.members) out[member.name] = from_raw(member.value);
  return out;
}

}  // namespace proxima::apiserver::rules
