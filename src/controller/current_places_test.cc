// SPDX-License-Identifier: Apache-2.0
#include "controller/current_places.h"

#include <gtest/gtest.h>

#include <string>

#include "core/model/labels.h"

namespace proxima::controller {
namespace {

class CurrentPlacesTest : public ::testing::Test {
 protected:
  void put(std::string_view name, std::string_view zone) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text(name);
    node->meta.version = ++version_;
    node->labels = kube::LabelSetRef(
        new kube::LabelSet({{.key = Text(model::kZoneLabel), .value = Text(zone)}}));
    nodes_.put(node);
  }
  std::string zone_of(std::string_view name) {
    const auto now = places_.get();
    const slices::NodePlace* place = now->find(name);
    return place == nullptr ? "unknown" : std::string(place->zone.view());
  }

  kube::Cache<kube::NodeRecord> nodes_;
  kube::Version version_ = 0;
  CurrentPlaces places_{nodes_};
};

TEST_F(CurrentPlacesTest, FollowNodesThatComeMoveAndGo) {
  EXPECT_EQ(zone_of("n1"), "unknown");
  put("n1", "a");
  EXPECT_EQ(zone_of("n1"), "a");
  put("n1", "b");
  EXPECT_EQ(zone_of("n1"), "b");
  nodes_.erase({{}, "n1"});
  EXPECT_EQ(zone_of("n1"), "unknown");
}

TEST_F(CurrentPlacesTest, AReportThatMovesNobodyCostsNothing) {
  put("n1", "a");
  const auto before = places_.get();
  put("n1", "a");
  EXPECT_EQ(places_.get(), before);
}

// Who is told of a change after them finds it in them.
TEST_F(CurrentPlacesTest, AreNewForWhoeverIsToldLater) {
  std::string seen;
  const auto subscription =
      nodes_.subscribe([&](const kube::Change<kube::NodeRecord>&) { seen += zone_of("n1"); });
  put("n1", "a");
  put("n1", "b");
  nodes_.unsubscribe(subscription);
  EXPECT_EQ(seen, "ab");
}

}  // namespace
}  // namespace proxima::controller
