// SPDX-License-Identifier: Apache-2.0
#include "agents/place_pod.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/kube_records.h"

namespace proxima::agents {
namespace {

const std::string kZone = "topology.kubernetes.io/zone=";

struct PlaceRow {
  const char* name;
  const char* nodes;     // "zone:pods", with '!' not ready, '#' cordoned, '*' labelled disk=fast
  const char* selector;  // of the Pod
  const char* labels;    // of the Pod
  const char* placed;    // node-1 is the first of the nodes
};

const PlaceRow kPlaces[] = {
    {"goes where the fewest are", "a:3 b:1 c:2", "", "", "node-2"},
    {"takes the lesser name of equals", "a:1 b:1 c:1", "", "", "node-1"},
    {"goes to the zone of its selector", "a:1 b:5 b:4", "topology.kubernetes.io/zone=b", "",
     "node-3"},
    {"goes to the zone of its label", "a:1 b:5", "", "topology.kubernetes.io/zone=b", "node-2"},
    {"believes the selector before the label", "a:1 b:5", "topology.kubernetes.io/zone=b",
     "topology.kubernetes.io/zone=a", "node-2"},
    {"wants every label of its selector", "a:1 a:5*", "disk=fast", "", "node-2"},
    {"avoids what is not ready or cordoned", "a:1! b:1# c:9", "", "", "node-3"},
    {"stays where it is when nothing takes it", "a:1! b:1# c:9", "topology.kubernetes.io/zone=d",
     "", "0/3 nodes are available: 1 cordoned, 1 in other zones, 1 not ready"},
    {"does not fill a node beyond its room", "a:90", "", "", "0/1 nodes are available: 1 full"},
    {"needs a label that nobody has", "a:1", "disk=fast", "",
     "0/1 nodes are available: 1 without the labels of its nodeSelector"},
    {"has no node to go to", "", "", "", "0/0 nodes are available"},
};

TEST(PlacePod, FollowsTheTable) {
  for (const PlaceRow& row : kPlaces) {
    testing::RecordMaker maker;
    std::vector<Ref<kube::NodeRecord>> records;
    std::vector<NodeRoom> rooms;
    std::istringstream words(row.nodes);
    for (std::string word; words >> word;) {
      const bool fast = word.ends_with('*');
      auto node = maker.node("node-" + std::to_string(records.size() + 1),
                             (fast ? "disk=fast," : "") + kZone + word.substr(0, word.find(':')));
      node->ready = !word.ends_with('!');
      node->unschedulable = word.ends_with('#');
      records.push_back(node);
      rooms.push_back({node.get(), std::stoul(word.substr(word.find(':') + 1))});
    }
    auto pod = maker.pod("shop/web", row.labels);
    auto workload = make_ref<kube::PodWorkload>();
    if (*row.selector != '\0') workload->node_selector = maker.labels(row.selector);
    pod->workload = workload;
    const auto placed = place_pod(*pod, rooms);
    EXPECT_EQ(placed ? *placed : placed.error().message, row.placed) << row.name;
  }
}

}  // namespace
}  // namespace proxima::agents
