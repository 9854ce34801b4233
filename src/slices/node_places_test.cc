// SPDX-License-Identifier: Apache-2.0
#include "slices/node_places.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kube/cache.h"
#include "support/slice_world.h"

namespace proxima::slices {
namespace {

TEST(NodePlaces, ANodesZoneIsItsLabelAndNoOther) {
  struct Row {
    std::map<std::string, std::string> labels;
    const char* zone;  // null: none
  };
  const Row rows[] = {
      {{{"topology.kubernetes.io/zone", "a"}}, "a"},
      {{{"topology.kubernetes.io/zone", ""}}, nullptr},
      {{{"failure-domain.beta.kubernetes.io/zone", "a"}}, nullptr},
      {{}, nullptr},
  };
  for (const Row& row : rows) {
    kube::NodeRecord node;
    node.labels = support::label_set(row.labels);
    const Text* zone = zone_of(node);
    EXPECT_EQ(zone != nullptr ? zone->view() : "none", row.zone != nullptr ? row.zone : "none");
  }
}

TEST(NodePlaces, FindsEveryNodeAndNoOther) {
  kube::Cache<kube::NodeRecord> cache;
  for (int i = 0; i < 1000; ++i) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text("node-" + std::to_string(i));
    node->labels = support::label_set({{std::string(model::kZoneLabel), std::to_string(i % 7)}});
    cache.put(node);
  }
  const NodePlaces places(cache.snapshot());
  cache.replace({});  // what was found stays
  for (int i = 0; i < 1000; ++i) {
    const NodePlace* place = places.find("node-" + std::to_string(i));
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->zone.view(), std::to_string(i % 7));
  }
  EXPECT_EQ(places.find("node-1000"), nullptr);
  EXPECT_EQ(places.find(""), nullptr);
}

TEST(NodePlaces, WithoutNodesNothingIsFound) {
  const NodePlaces places(kube::CacheSnapshot<kube::NodeRecord>{});
  EXPECT_EQ(places.find("node-1"), nullptr);
}

TEST(NodePlaces, PackingIsTheSameWithThem) {
  support::SliceWorld world;
  world.pods(10);
  world.pod("lost", "10.0.1.0", "gone");
  const auto without = world.pack();
  world.use_places = true;
  const auto with = world.pack();
  EXPECT_EQ(with.problems, without.problems);
  ASSERT_EQ(with.creates.size(), 1U);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_EQ(with.creates[0].value.endpoints[i].zone, without.creates[0].value.endpoints[i].zone);
}

}  // namespace
}  // namespace proxima::slices
