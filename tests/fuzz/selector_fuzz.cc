// SPDX-License-Identifier: Apache-2.0
// A selector is refused, or has requirements that answer for every label.
#include "core/model/selector.h"

#include <cstdint>
#include <string_view>

#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using proxima::model::SelectorOperator;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selector = proxima::model::Selector::parse(text);
  if (!selector) return 0;
  bool only_negative = true;
  for (const auto& requirement : selector->requirements()) {
    PROXIMA_CHECK(!requirement.key.empty());
    only_negative = only_negative && (requirement.op == SelectorOperator::NotEquals ||
                                      requirement.op == SelectorOperator::NotIn ||
                                      requirement.op == SelectorOperator::DoesNotExist);
  }
  // An object without labels meets exactly the requirements that ask for no label.
  const bool bare = selector->matches([](std::string_view) { return std::nullopt; });
  PROXIMA_CHECK(bare == only_negative);
  selector->matches([](std::string_view key) { return key; });
  return 0;
}
