// SPDX-License-Identifier: Apache-2.0
// Whatever Services and slices there are and however they change, the rules that are rendered do to
// every packet what the routes say, a kernel takes every step, and a process that comes later has
// nothing to write.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "support/nft_fate.h"
#include "support/routes_world.h"

namespace {

using namespace proxima;

constexpr std::size_t kMostBytes = 2048;

// One byte a choice; the rest are zeros.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t bound) {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte % bound;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

void check_adoption(const dataplane::NftTable& rules, const proxy::RouteTable& routes) {
  const auto content = rules.content();
  proxy::NftRenderer successor(routes.rules.family, {});
  successor.start(routes, proxy::recall(content, routes));
  PROXIMA_CHECK(proxy::diff_nft_table(successor, content).transaction.empty());
}

void run(std::string_view bytes, IpFamily family) {
  test::RoutesWorld<Choices> world(Choices(bytes), family);
  proxy::NftRenderer renderer(family, {});
  renderer.start(world.table(), {});
  dataplane::NftTable rules(family);
  PROXIMA_CHECK(test::load(renderer, rules).has_value());
  while (!world.random().empty()) {
    const proxy::RouteChanges changes = world.step();
    PROXIMA_CHECK(rules.apply(renderer.change(world.table(), changes)).has_value());
  }
  for (const proxy::Packet& packet : world.packets()) {
    const std::string problem = test::difference(rules, world.table(), world.local(), packet);
    PROXIMA_CHECK(problem.empty());
  }
  PROXIMA_CHECK(proxy::diff_nft_table(renderer, rules.content()).count == 0);
  check_adoption(rules, world.table());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMostBytes) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  run(bytes.substr(1), (data[0] & 1) == 0 ? IpFamily::V4 : IpFamily::V6);
  return 0;
}
