// SPDX-License-Identifier: Apache-2.0
#include "simulation/sender_view.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kube/record_reader.h"
#include "simulation/cluster_world.h"
#include "simulation/replica.h"
#include "wire/padded_text.h"

namespace proxima::simulation {
namespace {

template <class Record>
Ref<const Record> record(std::string_view kind, const std::string& text) {
  const wire::PaddedText padded(text);
  kube::RecordReader<Record> reader(kind, {});
  return reader.object(padded.text()).record;
}

// Four Pods in each of two zones, of which zone-a has three times as much CPU.
struct SenderViewWorld {
  SenderViewWorld() {
    put_node("a", "3", 1);
    put_node("b", "1", 1);
    for (const char* node : {"a", "b"})
      for (const char* pod : {"0", "1", "2", "3"}) put_pod(node, pod);
    caches.services.put(record<kube::ServiceRecord>("Service", R"({"metadata":{"namespace":"shop",
      "name":"web","uid":"u","resourceVersion":"1","annotations":{"proxima.io/policy":"balanced"}},
      "spec":{"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"ipFamilies":["IPv4"],
      "selector":{"app":"web"},"ports":[{"port":80,"protocol":"TCP"}]}})"));
  }
  void put_node(const std::string& name, const std::string& cpu, int version) {
    caches.nodes.put(record<kube::NodeRecord>(
        "Node", R"({"metadata":{"name":"node-)" + name + R"(","uid":"node-)" + name +
                    R"(","resourceVersion":")" + std::to_string(version) +
                    R"(","labels":{"topology.kubernetes.io/zone":"zone-)" + name +
                    R"("}},"status":{"allocatable":{"cpu":")" + cpu +
                    R"("},"conditions":[{"type":"Ready","status":"True"}]}})"));
  }
  void put_pod(const std::string& node, const std::string& number) {
    const std::string name = node + number;
    const std::string address = "10.1." + std::to_string(node[0] - 'a') + "." + number;
    caches.pods.put(record<kube::PodRecord>(
        "Pod", R"({"metadata":{"namespace":"shop","name":")" + name + R"(","uid":")" + name +
                   R"(","resourceVersion":"1","labels":{"app":"web"}},"spec":{"nodeName":"node-)" +
                   node + R"("},"status":{"phase":"Running","podIP":")" + address +
                   R"(","podIPs":[{"ip":")" + address +
                   R"("}],"conditions":[{"type":"Ready","status":"True"}]}})"));
  }
  SenderView::Checked check(const std::string& split) {
    return view->check(json::object{
        {"addressType", "IPv4"},
        {"metadata", json::object{{"namespace", "shop"},
                                  {"name", "web-x"},
                                  {"annotations", json::object{{"proxima.io/zone-split", split}}},
                                  {"labels", json::object{{kServiceName, "web"},
                                                          {kManagedBy, kOurManager}}}}}});
  }

  Scheduler scheduler{1};
  std::unique_ptr<SenderView> view;  // outlives the caches
  controller::ClusterCaches caches;
  const bool begun =
      (view = std::make_unique<SenderView>(caches, scheduler, Replica::plan_options())) != nullptr;
};

// θ is 0.2: zone-a takes 0.6 of what begins there or elsewhere.
constexpr const char* kBalanced = "zone-a=zone-a:800,zone-b:200;zone-b=zone-b:1000";

TEST(SenderView, TakesTheSplitOfWhatIsSeen) {
  SenderViewWorld world;
  const SenderView::Checked checked = world.check(kBalanced);
  EXPECT_EQ(checked.wrong, "");
  EXPECT_TRUE(checked.has_plan);
  EXPECT_TRUE(checked.has_split);
}

TEST(SenderView, TakesTheSplitOfWhatWasSeenAWhileAgo) {
  SenderViewWorld world;
  world.put_node("a", "1", 2);
  EXPECT_EQ(world.check(kBalanced).wrong, "");
}

TEST(SenderView, FindsASplitThatNoViewHad) {
  SenderViewWorld world;
  // What was there before all of it is forgotten with the next change.
  world.scheduler.step(std::chrono::seconds(200));
  world.put_node("a", "3", 2);
  const std::string wrong = "publishes a split that no view of the last while had: ";
  for (const std::string split :
       {"zone-a=zone-a:1000;zone-b=zone-b:1000", "zone-a=zone-a:800,zone-b:200", "garbage"})
    EXPECT_EQ(world.check(split).wrong, wrong + split);
}

}  // namespace
}  // namespace proxima::simulation
