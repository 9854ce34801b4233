// SPDX-License-Identifier: Apache-2.0
#include "controller/pod_change.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

using kube::PodRecord;

void set_workload(PodRecord& pod, const std::function<void(kube::PodWorkload&)>& change) {
  auto workload = kube::PodWorkload(*pod.workload);
  change(workload);
  pod.workload = Ref<const kube::PodWorkload>(new kube::PodWorkload(workload));
}

struct PodChangeRow {
  const char* what;
  std::function<void(PodRecord&)> change;
  bool endpoint;
  bool membership;
};

const PodChangeRow kPodChanges[] = {
    {"nothing", [](PodRecord&) {}, false, false},
    {"the version", [](PodRecord& p) { p.version = 99; }, false, false},
    {"the phase", [](PodRecord& p) { p.phase = model::PodPhase::Failed; }, false, false},
    {"the node", [](PodRecord& p) { p.node = Text("n2"); }, false, false},
    {"readiness", [](PodRecord& p) { p.ready = false; }, true, false},
    {"deletion", [](PodRecord& p) { p.terminating = true; }, true, false},
    {"the uid", [](PodRecord& p) { p.uid = Text("other"); }, true, false},
    {"an address", [](PodRecord& p) { p.addresses.add(*IpAddress::parse("10.0.0.1")); }, true,
     false},
    {"the weight", [](PodRecord& p) { set_workload(p, [](auto& w) { w.weight = 2; }); }, true,
     false},
    {"the owner", [](PodRecord& p) { set_workload(p, [](auto& w) { w.owner = Text("Job/x"); }); },
     false, false},
    {"labels", [](PodRecord& p) { p.labels = testing::RecordMaker().labels("app=db"); }, false,
     true},
    {"labels that are equal",
     [](PodRecord& p) { p.labels = testing::RecordMaker().labels("app=web"); }, false, false},
    {"the hostname", [](PodRecord& p) { p.hostname = Text("h"); }, false, true},
    {"the subdomain",
     [](PodRecord& p) { set_workload(p, [](auto& w) { w.subdomain = Text("web"); }); }, false,
     true},
    {"labels and readiness",
     [](PodRecord& p) {
       p.ready = false;
       p.labels = testing::RecordMaker().labels("");
     },
     true, true},
};

TEST(PodChange, CountsWhatAnEndpointIsMadeOf) {
  testing::RecordMaker make;
  for (const PodChangeRow& row : kPodChanges) {
    auto now = make.pod("shop/x", "app=web");
    row.change(*now);
    const PodEffect effect =
        effect_of(kube::Change<kube::PodRecord>{make.pod("shop/x", "app=web"), now});
    EXPECT_EQ(effect.endpoint, row.endpoint) << row.what;
    EXPECT_EQ(effect.membership, row.membership) << row.what;
  }
}

TEST(PodChange, CountsThePhaseOfAPodThatIsBeingDeleted) {
  testing::RecordMaker make;
  auto before = make.pod("shop/x", "app=web");
  auto now = make.pod("shop/x", "app=web");
  before->terminating = now->terminating = true;
  EXPECT_FALSE(effect_of(kube::Change<kube::PodRecord>{before, now}).endpoint);
  now->phase = model::PodPhase::Succeeded;
  EXPECT_TRUE(effect_of(kube::Change<kube::PodRecord>{before, now}).endpoint);
}

TEST(PodChange, CountsForClientsWhatDemandIsMadeOf) {
  testing::RecordMaker make;
  const auto before = make.pod("shop/x", "app=web");
  EXPECT_TRUE(concerns_clients({before, {}}));
  auto now = make_ref<PodRecord>(*before);
  EXPECT_FALSE(concerns_clients({before, now}));
  now->node = Text("n2");
  EXPECT_TRUE(concerns_clients({before, now}));
}

}  // namespace
}  // namespace proxima::controller
