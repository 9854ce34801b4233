// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <cstring>
#include <limits>
#include <new>

#include "base/check.h"

namespace proxima {

Text::Text(std::string_view text) {
  PROXIMA_CHECK(text.size() < std::numeric_limits<std::uint32_t>::max());
  void* memory = ::operator new(sizeof(Body) + text.size());
  body_ = new (memory) Body(static_cast<std::uint32_t>(text.size()));
  if (!text.empty()) std::memcpy(static_cast<void*>(body_ + 1), text.data(), text.size());
  body_->retain();
}

void Text::destroy(Body* body) {
  body->~Body();
  ::operator delete(body);
}

}  // namespace proxima
