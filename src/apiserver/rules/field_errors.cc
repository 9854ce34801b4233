// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/field_errors.h"

#include <algorithm>
#include <iterator>

#include "base/go_quote.h"

namespace proxima::apiserver::rules {

void FieldErrors::add(FieldErrorType type, const FieldPath& path, ShownValue value,
                      std::string_view detail) {
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
  std::move(more.begin(), more.end(), std::back_inserter(list_));
}

}  // namespace proxima::apiserver::rules
