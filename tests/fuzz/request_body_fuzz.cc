// SPDX-License-Identifier: Apache-2.0
// Whatever a browser posts to the page: a request within its bounds, or an error for the user.
#include "web/request_body.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "core/policy/policy_names.h"

namespace {

using namespace proxima;
using namespace proxima::web;

// The value, when there is one; otherwise the error says something.
template <class T>
const T* read_or_refused(const Result<T>& result) {
  if (result) return &*result;
  PROXIMA_CHECK(!result.error().message.empty());
  return nullptr;
}

void check_wish(const PolicyWish& wish) {
  PROXIMA_CHECK(!wish.policy || policy::parse_policy(*wish.policy));
  if (wish.overload) PROXIMA_CHECK(*wish.overload >= 0 && !std::isnan(*wish.overload));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto predict = read_predict(body);
  if (const auto* request = read_or_refused(predict)) {
    PROXIMA_CHECK(!request->service.empty());
    check_wish(request->wish);
  }
  const auto policy = read_policy(body);
  if (const auto* wish = read_or_refused(policy)) check_wish(*wish);
  for (const char* field : {"zone", "node"}) {
    const auto name = read_name(body, field);
    if (const auto* text = read_or_refused(name)) PROXIMA_CHECK(!text->empty());
  }
  const auto heal = read_heal(body);
  if (const auto* target = read_or_refused(heal))
    PROXIMA_CHECK(target->zone.empty() || target->node.empty());
  const auto scale = read_scale(body);
  if (const auto* request = read_or_refused(scale)) {
    PROXIMA_CHECK(!request->service.empty() && !request->zones.empty());
    for (const auto& [zone, count] : request->zones) PROXIMA_CHECK(count <= 50);
  }
  const auto demand = read_demand(body);
  if (const auto* zones = read_or_refused(demand)) {
    double sum = 0;
    for (const auto& [zone, share] : *zones) {
      PROXIMA_CHECK(share >= 0 && share <= 1);
      sum += share;
    }
    PROXIMA_CHECK(sum <= 1.001);
  }
  return 0;
}
