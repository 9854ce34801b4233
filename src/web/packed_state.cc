// SPDX-License-Identifier: Apache-2.0
#include "web/packed_state.h"

#include "net/inflate.h"

namespace proxima::web {

void PackedText::pack() {
  std::call_once(once_, [this] {
    auto packed = std::make_shared<const std::string>(net::gzip(*plain_));
    const std::lock_guard guard(mutex_);
    packed_ = std::move(packed);
    plain_.reset();
  });
}

std::shared_ptr<const std::string> PackedText::text() const {
  const std::lock_guard guard(mutex_);
  return packed_;
}

std::shared_ptr<PackedText> PackedState::of(const Published& published) {
  if (!text_ || revision_ != published.revision) {
    revision_ = published.revision;
    text_ = std::make_shared<PackedText>(published.document);
  }
  return text_;
}

}  // namespace proxima::web
