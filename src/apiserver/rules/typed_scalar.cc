// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/typed_scalar.h"

#include <boost/json/value.hpp>
#include <charconv>
#include <cstdint>
#include <limits>

#include "apiserver/rules/go_time.h"
#include "apiserver/rules/quantity_text.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;
using Type = RawValue::Type;

TypedScalar mismatch(std::string found, std::string_view wanted) {
  TypedScalar out;
  out.found = std::move(found);
  out.wanted = wanted;
  return out;
}

TypedScalar mismatch(const RawValue& raw, std::string_view wanted) {
  return mismatch(std::string(type_word(raw)), wanted);
}

TypedScalar good(json::value value) {
  TypedScalar out;
  out.value = std::move(value);
  return out;
}

TypedScalar refused(const Error& error) {
  TypedScalar out;
  out.message = error.message;
  return out;
}

TypedScalar read_integer(const RawValue& raw, std::string_view go_type, bool wide) {
  if (!raw.is(Type::Number)) return mismatch(raw, go_type);
  std::int64_t value = 0;
  const char* const end = raw.text.data() + raw.text.size();
  const auto [stop, problem] = std::from_chars(raw.text.data(), end, value);
  const bool fits = problem == std::errc() && stop == end &&
                    (wide || (value >= std::numeric_limits<std::int32_t>::min() &&
                              value <= std::numeric_limits<std::int32_t>::max()));
  return fits ? good(value) : mismatch("number " + raw.text, go_type);
}

TypedScalar read_number(const FieldInfo& field, const RawValue& raw) {
  if (!raw.is(Type::Number)) return mismatch(raw, field.go_type);
  return good(from_raw(raw));
}

TypedScalar read_quantity(const FieldInfo& field, const RawValue& raw) {
  if (raw.is(Type::Bool)) return refused(canonical_quantity("true").error());
  if (raw.is(Type::Array) || raw.is(Type::Object)) return refused(canonical_quantity("{").error());
  std::string_view text = raw.text;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  auto canonical = field.go_container == "v1.ResourceList" ? canonical_milli_quantity(text)
                                                           : canonical_quantity(text);
  if (!canonical) return refused(canonical.error());
  return good(json::string(*canonical));
}

TypedScalar read_time(const RawValue& raw, TimePrecision precision) {
  if (!raw.is(Type::String)) return mismatch(raw, "string");
  auto time = canonical_time(raw.text, precision);
  if (!time) return refused(time.error());
  return good(json::string(*time));
}

bool is_base64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

// The position of the first byte that standard base64 cannot have there, or npos.
std::size_t base64_mistake(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_base64(text[end])) ++end;
  const std::size_t padding = text.size() - end;
  for (std::size_t i = end; i < text.size(); ++i)
    if (text[i] != '=') return i;
  if (text.size() % 4 != 0) return text.size() - text.size() % 4;
  if (padding > 2) return end;
  return std::string_view::npos;
}

TypedScalar read_bytes(const FieldInfo& field, const RawValue& raw) {
  if (!raw.is(Type::String)) return mismatch(raw, field.go_type);
  const std::size_t mistake = base64_mistake(raw.text);
  if (mistake == std::string_view::npos) return good(json::string(raw.text));
  TypedScalar out;
  out.message = "illegal base64 data at input byte " + std::to_string(mistake);
  return out;
}

TypedScalar read_int_or_string(const RawValue& raw) {
  return raw.is(Type::String) ? good(json::string(raw.text)) : read_integer(raw, "int32", false);
}

TypedScalar read_text(const FieldInfo& field, const RawValue& raw) {
  return raw.is(Type::String) ? good(json::string(raw.text)) : mismatch(raw, field.go_type);
}

TypedScalar read_boolean(const FieldInfo& field, const RawValue& raw) {
  return raw.is(Type::Bool) ? good(raw.boolean) : mismatch(raw, field.go_type);
}

}  // namespace

TypedScalar read_scalar(const FieldInfo& field, const RawValue& raw) {
  const std::string_view type = field.type_name;
  if (type == "string" || type == "Duration") return read_text(field, raw);
  if (type == "boolean") return read_boolean(field, raw);
  if (type == "integer") return read_integer(raw, field.go_type, false);
  if (type == "long") return read_integer(raw, field.go_type, true);
  if (type == "number") return read_number(field, raw);
  if (type == "IntOrString") return read_int_or_string(raw);
  if (type == "Quantity") return read_quantity(field, raw);
  if (type == "Time") return read_time(raw, TimePrecision::Second);
  if (type == "MicroTime") return read_time(raw, TimePrecision::Micro);
  if (type == "bytes") return read_bytes(field, raw);
  return good(from_raw(raw));
}

json::value zero_value(const FieldInfo& field) {
  const std::string_view type = field.type_name;
  if (field.type != nullptr) return json::object();
  if (type == "string" || type == "Duration" || type == "bytes") return "";
  if (type == "boolean") return false;
  if (type == "Quantity") return "0";
  if (type == "Time" || type == "MicroTime" || type == "any") return nullptr;
  return 0;
}

std::string_view type_word(const RawValue& raw) {
  switch (raw.type) {
    case Type::Bool:
      return "bool";
    case Type::Number:
      return "number";
    case Type::String:
      return "string";
    case Type::Array:
      return "array";
    case Type::Object:
      return "object";
    case Type::Null:
      break;
  }
  return "null";
}

}  // namespace proxima::apiserver::rules
