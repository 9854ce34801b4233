// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/field_errors.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/go_quote.h"

namespace proxima::apiserver::rules {

namespace {

// Bytes of texts, and one for every value; counting ends soon after kMaxShownBytes.
std::size_t weight_of(const boost::json::value& value) {
  std::size_t weight = 1;
  if (const auto* text = value.if_string()) weight += text->size();
  if (const auto* list = value.if_array())
    for (const boost::json::value& item : *list)
      if (weight <= kMaxShownBytes) weight += weight_of(item);
  if (const auto* object = value.if_object())
    for (const auto& member : *object)
      if (weight <= kMaxShownBytes) weight += member.key().size() + weight_of(member.value());
  return weight;
}

boost::json::string size_only(std::string_view what, std::size_t size) {
  return boost::json::string("(" + std::string(what) + " of " + std::to_string(size) + ")");
}

}  // namespace

boost::json::value shown_text(std::string_view text) {
  if (text.size() <= kMaxShownBytes) return boost::json::string(text);
  std::size_t end = kMaxShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return boost::json::string(std::string(text.substr(0, end)) + "...");
}

boost::json::value shown_list(const boost::json::array& list) {
  std::size_t weight = 0;
  for (const boost::json::value& item : list)
    if (weight <= kMaxShownBytes) weight += weight_of(item);
  if (weight > kMaxShownBytes) return size_only("a list", list.size());
  return list;
}

boost::json::value shown_object(const boost::json::object& object) {
  std::size_t weight = 0;
  for (const auto& member : object)
    if (weight <= kMaxShownBytes) weight += member.key().size() + weight_of(member.value());
  if (weight > kMaxShownBytes) return size_only("an object", object.size());
  return object;
}

boost::json::value shown_value(const boost::json::value& value) {
  if (const auto* list = value.if_array()) return shown_list(*list);
  if (const auto* object = value.if_object()) return shown_object(*object);
  if (const auto* text = value.if_string()) return shown_text(*text);
  return value;
}

void FieldErrors::add(FieldErrorType type, const FieldPath& path, ShownValue value,
                      std::string_view detail) {
  ++found_;
  if (full()) return;
  list_.push_back({type, path.text(), std::move(value.value), std::string(detail)});
}

void FieldErrors::required(const FieldPath& path, std::string_view detail) {
  add(FieldErrorType::Required, path, "", detail);
}

void FieldErrors::invalid(const FieldPath& path, ShownValue value, std::string_view detail) {
  add(FieldErrorType::Invalid, path, std::move(value), detail);
}

void FieldErrors::invalid_each(const FieldPath& path, std::string_view value,
                               const std::vector<std::string>& messages) {
  for (const std::string& message : messages) invalid(path, value, message);
}

void FieldErrors::duplicate(const FieldPath& path, ShownValue value, std::string_view detail) {
  add(FieldErrorType::Duplicate, path, std::move(value), detail);
}

void FieldErrors::not_supported(const FieldPath& path, ShownValue value,
                                std::span<const std::string_view> supported) {
  std::string detail = "supported values: ";
  for (const std::string_view& word : supported) {
    if (&word != supported.data()) detail += ", ";
    detail += go_quote(word);
  }
  add(FieldErrorType::NotSupported, path, std::move(value), detail);
}

void FieldErrors::forbidden(const FieldPath& path, std::string_view detail) {
  add(FieldErrorType::Forbidden, path, "", detail);
}

void FieldErrors::too_long(const FieldPath& path, std::size_t bytes_max) {
  add(FieldErrorType::TooLong, path, "",
      "may not be more than " + std::to_string(bytes_max) + " bytes");
}

void FieldErrors::too_many(const FieldPath& path, std::size_t count, std::size_t count_max) {
  add(FieldErrorType::TooMany, path, count,
      "must have at most " + std::to_string(count_max) + " items");
}

void FieldErrors::internal(const FieldPath& path, std::string_view detail) {
  add(FieldErrorType::InternalError, path, "", detail);
}

void FieldErrors::one_of(const FieldPath& path, std::string_view value,
                         std::span<const std::string_view> supported) {
  if (value.empty()) {
    required(path);
  } else if (std::find(supported.begin(), supported.end(), value) == supported.end()) {
    not_supported(path, value, supported);
  }
}

void FieldErrors::append(std::vector<FieldError> more) {
  found_ += more.size();
  for (FieldError& error : more)
    if (!full()) list_.push_back(std::move(error));
}

}  // namespace proxima::apiserver::rules
