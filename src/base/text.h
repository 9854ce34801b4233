// SPDX-License-Identifier: Apache-2.0
// An immutable text that is shared, not copied: eight bytes where it is held, one allocation for
// everybody. Unlike interned names it is gone when the last holder is, so that names may come and
// go for weeks. "None" means that there is no text; it differs from the empty text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/ref.h"

namespace proxima {

class Text {
 public:
  Text() = default;  // none
  explicit Text(std::string_view text);
  Text(const Text& other) : body_(other.body_) {
    if (body_ != nullptr) body_->retain();
  }
  Text(Text&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  ~Text() {
    if (body_ != nullptr && body_->release()) destroy(body_);
  }
  Text& operator=(Text other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }

  bool has_value() const { return body_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // "" for none. Valid as long as somebody holds the text.
  std::string_view view() const {
    if (body_ == nullptr) return {};
    return {reinterpret_cast<const char*>(body_ + 1), body_->size};
  }
  // Whether this is the only holder; see base/ref.h.
  bool is_unique() const { return body_ != nullptr && body_->is_unique(); }
  // Whether both hold the same bytes in memory: if so they are equal, and otherwise nothing is
  // said.
  bool is_same(const Text& other) const { return body_ == other.body_; }

  friend bool operator==(const Text& a, const Text& b) {
    return a.body_ == b.body_ || (a.has_value() == b.has_value() && a.view() == b.view());
  }
  friend auto operator<=>(const Text& a, const Text& b) {
    if (a.has_value() != b.has_value()) return a.has_value() <=> b.has_value();
    return a.view() <=> b.view();
  }

 private:
  // The bytes come after it.
  struct Body : RefCounted {
    explicit Body(std::uint32_t bytes) : size(bytes) {}
    std::uint32_t size;
  };

  static void destroy(Body* body);

  Body* body_ = nullptr;
};

}  // namespace proxima
