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

// Maximum size of a value in an error message. Longer text is truncated; for a larger list or
// object only the size is shown. Upstream repeats the whole value in every error about it.
inline constexpr std::size_t kMaxShownBytes = 4096;
boost::json::value shown_text(std::string_view text);
boost::json::value shown_list(const boost::json::array& list);
boost::json::value shown_object(const boost::json::object& object);
boost::json::value shown_value(const boost::json::value& value);

// A value in a message. Texts of every kind are welcome, which json::value is choosy about.
struct ShownValue {
  template <class T>
  ShownValue(T&& shown) {  // NOLINT: implicit
    using Bare = std::remove_cvref_t<T>;
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      value = shown_text(shown);
    } else if constexpr (std::is_same_v<Bare, boost::json::array>) {
      value = shown_list(shown);
    } else if constexpr (std::is_same_v<Bare, boost::json::object>) {
      value = shown_object(shown);
    } else if constexpr (std::is_same_v<Bare, boost::json::value>) {
      value = shown_value(shown);
    } else {
      value = boost::json::value(std::forward<T>(shown));
    }
  }
  boost::json::value value;
};

// Keeps one error more than a refusal lists, so that the refusal can say that there are more.
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
  // How many were found, kept or not.
  std::size_t size() const { return found_; }
  // Looking for more is a waste.
  bool full() const { return list_.size() > kMaxFieldErrors; }
  std::vector<FieldError> take() { return std::move(list_); }

 private:
  void add(FieldErrorType type, const FieldPath& path, ShownValue value, std::string_view detail);

  std::vector<FieldError> list_;
  std::size_t found_ = 0;
};

}  // namespace proxima::apiserver::rules
