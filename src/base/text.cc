// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "base/check.h"
#include "base/ref.h"

namespace proxima {

struct Text::Body : RefCounted {
  explicit Body(std::uint32_t bytes) : size(bytes) {}

  char* begin() { return reinterpret_cast<char*>(this + 1); }

  std::uint32_t size;
};

Text::Text(std::string_view text) {
  PROXIMA_CHECK(text.size() < std::numeric_limits<std::uint32_t>::max());
  void* memory = ::operator new(sizeof(Body) + text.size());
  body_ = new (memory) Body(static_cast<std::uint32_t>(text.size()));
  std::memcpy(body_->begin(), text.data(), text.size());
  body_->retain();
}

Text::Text(const Text& other) : body_(other.body_) {
  if (body_ != nullptr) body_->retain();
}

Text::~Text() {
  if (body_ == nullptr || !body_->release()) return;
  body_->~Body();
  ::operator delete(body_);
}

std::string_view Text::view() const {
  if (body_ == nullptr) return {};
  return {body_->begin(), body_->size};
}

bool Text::is_unique() const { return body_ != nullptr && body_->is_unique(); }

}  // namespace proxima
