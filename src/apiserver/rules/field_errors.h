// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with an object, in the order in which it is found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "apiserver/field_error.h"

namespace proxima::apiserver::rules {

// "spec.ports[0].name", built from the left.
class FieldPath {
 public:
  explicit FieldPath(std::string text = {}) : text_(std::move(text)) {}

  FieldPath operator/(std::string_view child) const {
    return FieldPath(text_.empty() ? std::string(child) : text_ + "." + std::string(child));
  }
  FieldPath operator[](std::size_t index) const {
    return FieldPath(text_ + "[" + std::to_string(index) + "]");
  }
  FieldPath key(std::string_view key) const {
    return FieldPath(text_ + "[" + std::string(key) + "]");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A value in a message. Texts of every kind are welcome, which json::value is choosy about.
struct ShownValue {
  template <class T>
  ShownValue(T&& shown) {  // NOLINT: implicit
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      value = boost::json::string(std::string_view(shown));
    } else {
      value = boost::json::value(std::forward<T>(shown));
    }
  }
  boost::json::value value;
};

class FieldErrors {
 public:
  void required(const FieldPath& path, std::string_view detail = {});
  void invalid(const FieldPath& path, ShownValue value, std::string_view detail);
  // One error a message.
  void invalid_each(const FieldPath& path, std::string_view value,
                    const std::vector<std::string>& messages);
  void duplicate(const FieldPath& path, ShownValue value, std::string_view detail = {});
  void not_supported(const FieldPath& path, ShownValue value,
                     std::span<const std::string_view> supported);
  void forbidden(const FieldPath& path, std::string_view detail);
  void too_long(const FieldPath& path, std::size_t bytes_max);
  void too_many(const FieldPath& path, std::size_t count, std::size_t count_max);
  void internal(const FieldPath& path, std::string_view detail);
  // `value` unless it is one of them; Required when it is "".
  void one_of(const FieldPath& path, std::string_view value,
              std::span<const std::string_view> supported);
  void append(std::vector<FieldError> more);

  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  std::vector<FieldError> take() { return std::move(list_); }

 private:
  void add(FieldErrorType type, const FieldPath& path, ShownValue value, std::string_view detail);

  std::vector<FieldError> list_;
};

}  // namespace proxima::apiserver::rules
