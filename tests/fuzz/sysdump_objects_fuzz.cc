// SPDX-License-Identifier: Apache-2.0
// Whatever an API server lists: JSON of which nothing more is lost when it is reduced once more, or
// an error. The first byte chooses the kind.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "sysdump/object_file.h"

namespace {

using proxima::sysdump::allowed_kinds;
using proxima::sysdump::ObjectFile;

// Empty when it is refused.
std::string reduced(const proxima::sysdump::AllowedKind& kind, std::string_view list) {
  ObjectFile file(kind);
  if (!file.add_list(list)) {
    PROXIMA_CHECK(file.objects() == 0);
    return "";
  }
  return std::move(file).finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto& kind = allowed_kinds()[data[0] % allowed_kinds().size()];
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const std::string& list : {std::string(input), "{\"items\":[" + std::string(input) + "]}"}) {
    const std::string once = reduced(kind, list);
    if (once.empty()) continue;
    PROXIMA_CHECK(reduced(kind, once) == once);
  }
  return 0;
}
