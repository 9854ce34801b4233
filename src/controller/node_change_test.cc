// SPDX-License-Identifier: Apache-2.0
#include "controller/node_change.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

struct NodeChangeRow {
  const char* what;
  std::function<void(kube::NodeRecord&)> change;
  bool capacity;
  bool endpoints;
};

kube::LabelSetRef labels(const std::string& text) { return testing::RecordMaker().labels(text); }

const NodeChangeRow kNodeChanges[] = {
    {"a heartbeat", [](auto& n) { n.meta.version = 99; }, false, false},
    {"readiness", [](auto& n) { n.ready = false; }, true, false},
    {"CPU", [](auto& n) { n.cpu = Quantity::from_milli(1); }, true, false},
    {"traffic", [](auto& n) { n.traffic = 5; }, true, false},
    {"the zone", [](auto& n) { n.labels = labels("topology.kubernetes.io/zone=b"); }, true, true},
    {"no zone any more", [](auto& n) { n.labels = labels(""); }, true, true},
    {"the role",
     [](auto& n) {
       n.labels = labels("node-role.kubernetes.io/control-plane=,topology.kubernetes.io/zone=a");
     },
     true, false},
    {"labels that are equal", [](auto& n) { n.labels = labels("topology.kubernetes.io/zone=a"); },
     false, false},
};

TEST(NodeChange, CountsReadinessCpuLabelsAndTheZone) {
  testing::RecordMaker make;
  for (const NodeChangeRow& row : kNodeChanges) {
    const auto before = make.node("n1", "topology.kubernetes.io/zone=a");
    auto now = make_ref<kube::NodeRecord>(*before);
    row.change(*now);
    const NodeEffect effect = effect_of(kube::Change<kube::NodeRecord>{before, now});
    EXPECT_EQ(effect.capacity, row.capacity) << row.what;
    EXPECT_EQ(effect.endpoints, row.endpoints) << row.what;
  }
}

TEST(NodeChange, CountsANodeThatComesOrGoes) {
  testing::RecordMaker make;
  EXPECT_TRUE(effect_of(kube::Change<kube::NodeRecord>{{}, make.node("n1", "")}).capacity);
  EXPECT_TRUE(effect_of(kube::Change<kube::NodeRecord>{make.node("n1", ""), {}}).endpoints);
}

}  // namespace
}  // namespace proxima::controller
