// SPDX-License-Identifier: Apache-2.0
// An immutable text that is shared, not copied: eight bytes where it is held, one allocation for
// everybody. Unlike interned names it is gone when the last holder is, so that names may come and
// go for weeks. "None" means that there is no text; it differs from the empty text.
#pragma once

#include <compare>
#include <cstddef>
#include <string_view>
#include <utility>

namespace proxima {

class Text {
 public:
  Text() = default;  // none
  explicit Text(std::string_view text);
  Text(const Text& other);
  Text(Text&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  ~Text();
  Text& operator=(Text other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }

  bool has_value() const { return body_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // "" for none. Valid as long as somebody holds the text.
  std::string_view view() const;
  // Whether this is the only holder; see base/ref.h.
  bool is_unique() const;

  friend bool operator==(const Text& a, const Text& b) {
    return a.body_ == b.body_ || (a.has_value() == b.has_value() && a.view() == b.view());
  }
  friend auto operator<=>(const Text& a, const Text& b) {
    if (a.has_value() != b.has_value()) return a.has_value() <=> b.has_value();
    return a.view() <=> b.view();
  }

 private:
  struct Body;  // the count, the size, and the bytes after it

  Body* body_ = nullptr;
};

}  // namespace proxima
