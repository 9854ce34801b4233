// SPDX-License-Identifier: Apache-2.0
// What Envoy's tests and documentation say about loads and panic of priorities.
#include <gtest/gtest.h>

#include "conformance/envoy_vectors/vector_file.h"
#include "core/policy/priority_load.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::HostView;
using policy::PriorityLoad;

policy::PriorityHosts read_priority(const json::object& object) {
  policy::PriorityHosts priority;
  const auto counts = [](const json::object& from) {
    return policy::HostCounts{.total = number(from, "total", 0),
                              .healthy = number(from, "healthy", 0),
                              .degraded = number(from, "degraded", 0),
                              .excluded = number(from, "excluded", 0)};
  };
  priority.hosts.count = counts(object);
  if (const json::value* weights = field(object, "weights")) {
    priority.hosts.weight = counts(weights->as_object());
  }
  priority.overprovisioning_factor =
      static_cast<std::uint32_t>(number(object, "overprovisioning_factor", 140));
  const json::value* weighted = field(object, "weighted_priority_health");
  priority.weighted_health = weighted != nullptr && weighted->as_bool();
  return priority;
}

void expect_loads(const policy::PriorityLoads& loads, const json::object& asserted) {
  std::vector<std::uint64_t> healthy;
  std::vector<std::uint64_t> degraded;
  json::array panic;
  std::uint64_t sum = 0;
  for (const PriorityLoad& load : loads) {
    healthy.push_back(load.healthy);
    degraded.push_back(load.degraded);
    panic.emplace_back(load.panic);
    sum += load.healthy + load.degraded;
  }
  EXPECT_EQ(sum, 100u);
  EXPECT_EQ(healthy, numbers(asserted.at("healthy_load")));
  if (const json::value* expected = field(asserted, "degraded_load")) {
    EXPECT_EQ(degraded, numbers(*expected));
  }
  if (const json::value* expected = field(asserted, "panic")) {
    EXPECT_EQ(panic, expected->as_array());
  }
}

TEST(EnvoyVectors, PriorityLoadsAndPanicAreEnvoys) {
  for (const json::object* entry : envoy_vectors("priority_load")) {
    SCOPED_TRACE(text(entry->at("name")));
    std::vector<policy::PriorityHosts> priorities;
    for (const json::value& priority : entry->at("priorities").as_array()) {
      priorities.push_back(read_priority(priority.as_object()));
    }
    const auto threshold = static_cast<std::uint32_t>(number(*entry, "panic_threshold", 50));
    const policy::PriorityLoads loads = policy::priority_loads(priorities, threshold);
    const json::object& asserted = entry->at("asserted").as_object();
    expect_loads(loads, asserted);
    const json::value* choices = field(asserted, "choose");
    if (choices == nullptr) continue;
    for (const json::value& choice : choices->as_array()) {
      const auto got = policy::choose_priority(loads, choice.at("draw").to_number<std::uint64_t>());
      EXPECT_EQ(got.priority, choice.at("priority").to_number<std::uint64_t>());
      EXPECT_EQ(got.view == HostView::Healthy ? "healthy" : "degraded",
                text(choice.at("availability")));
    }
  }
}

}  // namespace
}  // namespace proxima::conformance
