// SPDX-License-Identifier: Apache-2.0
// Whatever the annotations of a slice say: a split or routing that means the same when it is
// written again, or an error.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "core/route/slice_routing.h"
#include "core/route/zone_split.h"

namespace {

using namespace proxima::route;

void check_split(std::string_view text) {
  const auto split = parse_zone_split(text);
  if (!split) {
    PROXIMA_CHECK(!split.error().message.empty());
    return;
  }
  for (const ZoneRow& row : *split) {
    std::int64_t sum = 0;
    for (const ZoneShare& share : row.to) sum += share.permille;
    PROXIMA_CHECK(row.to.empty() || sum == kWholePermille);
  }
  PROXIMA_CHECK(parse_zone_split(render(*split)).value() == *split);
  PROXIMA_CHECK(!has_moved(*split, *split));
}

// What is written again can be read, where there is anything to write.
void check_routing(std::string_view text, std::size_t endpoints) {
  const auto routing = parse_slice_routing(text, endpoints);
  if (!routing) {
    PROXIMA_CHECK(!routing.error().message.empty());
    return;
  }
  for (const auto* list : {&routing->weights, &routing->kept, &routing->inflow})
    PROXIMA_CHECK(list->empty() || list->size() == endpoints);
  PROXIMA_CHECK(!has_moved(*routing, *routing));
  const std::string again = render(*routing);
  PROXIMA_CHECK(again.empty() || parse_slice_routing(again, endpoints));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_split(text);
  for (const std::size_t endpoints : {0U, 3U, 1000U}) check_routing(text, endpoints);
  return 0;
}
