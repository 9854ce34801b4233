// SPDX-License-Identifier: Apache-2.0
#include "controller/service_index.h"

#include <gtest/gtest.h>

#include <set>

#include "base/split_mix.h"
#include "support/kube_records.h"

namespace proxima::controller {
namespace {

std::string joined(const ServiceKeys& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : " ") + key;
  return text;
}

class ServiceIndexTest : public ::testing::Test {
 protected:
  void add_service(std::string_view key, const std::string& selector) {
    index_.apply(kube::Change<kube::ServiceRecord>{{}, make_.service(key, selector)});
  }
  std::string add_pod(std::string_view key, const std::string& labels) {
    return change({}, make_.pod(key, labels));
  }
  std::string change(const PodRef& before, const PodRef& now) {
    return joined(index_.apply(kube::Change<kube::PodRecord>{before, now}));
  }
  std::string pods_of(std::string_view ns, std::string_view name) {
    const auto found = index_.find({ns, name});
    if (!found) return "no service";
    std::string text;
    for (const PodRef& pod : found->pods)
      text += (text.empty() ? "" : " ") + std::string(pod->name.view());
    return text;
  }

  testing::RecordMaker make_;
  ServiceIndex index_;
};

TEST_F(ServiceIndexTest, FindsThePodsOfAServiceWhicheverCameFirst) {
  add_pod("shop/web-2", "app=web,tier=front");
  add_service("shop/web", "app=web");
  EXPECT_EQ(add_pod("shop/web-1", "app=web,tier=front"), "shop/web");
  EXPECT_EQ(add_pod("shop/db-1", "app=db,tier=back"), "");
  EXPECT_EQ(add_pod("other/web-1", "app=web,tier=front"), "") << "another namespace";
  EXPECT_EQ(pods_of("shop", "web"), "web-1 web-2");
}

TEST_F(ServiceIndexTest, KnowsASelectorThatSelectsAllFromNone) {
  add_service("shop/all", "");
  add_service("shop/none", "-");
  EXPECT_EQ(add_pod("shop/a", "app=web"), "shop/all");
  EXPECT_EQ(add_pod("shop/b", ""), "shop/all");
  EXPECT_EQ(pods_of("shop", "all"), "a b");
  EXPECT_EQ(pods_of("shop", "none"), "");
  EXPECT_EQ(pods_of("shop", "gone"), "no service");
}

TEST_F(ServiceIndexTest, WantsEveryPairOfASelector) {
  add_service("shop/both", "app=web,tier=front");
  add_service("shop/front", "tier=front");
  EXPECT_EQ(add_pod("shop/a", "app=web,tier=front"), "shop/both shop/front");
  EXPECT_EQ(add_pod("shop/b", "app=web,tier=back"), "");
  EXPECT_EQ(add_pod("shop/c", "app=db,tier=front"), "shop/front");
  EXPECT_EQ(add_pod("shop/d", "app=web"), "");
}

TEST_F(ServiceIndexTest, TellsTheServicesThatAPodLeavesAndJoins) {
  add_service("shop/db", "app=db");
  add_service("shop/front", "tier=front");
  add_service("shop/web", "app=web");
  const PodRef web = make_.pod("shop/x", "app=web,tier=front");
  const PodRef db = make_.pod("shop/x", "app=db,tier=front");
  change({}, web);
  EXPECT_EQ(change(web, db), "shop/db shop/web") << "the third has it as before";
  auto unready = make_.pod("shop/x", "app=web,tier=front");
  unready->ready = false;
  EXPECT_EQ(change(db, unready), "shop/db shop/front shop/web");
  EXPECT_EQ(change(unready, {}), "shop/front shop/web");
  EXPECT_EQ(pods_of("shop", "front"), "");
}

TEST_F(ServiceIndexTest, SaysNothingOfAChangeThatIsNone) {
  add_service("shop/web", "app=web");
  const PodRef before = make_.pod("shop/x", "app=web");
  change({}, before);
  auto later = make_.pod("shop/x", "app=web");
  EXPECT_EQ(change(before, later), "");
  const auto held = index_.find({"shop", "web"});
  ASSERT_TRUE(held);
  EXPECT_EQ(held->pods.at(0).get(), later.get()) << "and holds the newer one";
}

TEST_F(ServiceIndexTest, FollowsASelectorThatChanges) {
  add_pod("shop/a", "app=web");
  add_pod("shop/b", "app=db");
  add_service("shop/s", "app=web");
  EXPECT_EQ(pods_of("shop", "s"), "a");
  add_service("shop/s", "app=db");
  EXPECT_EQ(pods_of("shop", "s"), "b");
  add_service("shop/s", "-");
  EXPECT_EQ(pods_of("shop", "s"), "");
  EXPECT_EQ(add_pod("shop/c", "app=db"), "");
  add_service("shop/s", "");
  EXPECT_EQ(pods_of("shop", "s"), "a b c");
}

TEST_F(ServiceIndexTest, NamesTheServicesOfANamespaceAndOfAll) {
  add_service("shop/web", "app=web");
  add_service("shop/db", "-");
  add_service("bank/web", "app=web");
  EXPECT_EQ(joined(index_.services()), "bank/web shop/db shop/web");
  EXPECT_EQ(joined(index_.services_in("shop")), "shop/db shop/web");
  EXPECT_EQ(joined(index_.services_in("none")), "");
  index_.apply(kube::Change<kube::ServiceRecord>{make_.service("bank/web", "app=web"), {}});
  EXPECT_EQ(joined(index_.services()), "shop/db shop/web");
}

TEST_F(ServiceIndexTest, FindsThePodsOfAWorkload) {
  const auto of = [&](std::string_view key, std::string_view owner) {
    auto pod = make_.pod(key, "app=x");
    kube::PodWorkload workload;
    workload.owner = Text(owner);
    pod->workload = Ref<const kube::PodWorkload>(new kube::PodWorkload(workload));
    return pod;
  };
  const auto first = of("shop/a", "Deployment/web");
  change({}, first);
  change({}, of("shop/b", "Deployment/web"));
  change({}, of("shop/c", "Deployment/db"));
  EXPECT_EQ(index_.workload_pods("shop", "Deployment/web").size(), 2U);
  change(first, {});
  EXPECT_EQ(index_.workload_pods("shop", "Deployment/web").size(), 1U);
  EXPECT_TRUE(index_.workload_pods("shop", "Job/web").empty());
  EXPECT_TRUE(index_.workload_pods("bank", "Deployment/web").empty());
}

// Against the definition, in worlds where everything comes, changes and goes.
TEST_F(ServiceIndexTest, AgreesWithLookingAtEverything) {
  const std::vector<std::string> label_texts = {"",    "a=1",     "a=2",         "b=1",
                                                "c=1", "a=1,b=1", "a=2,b=1,c=1", "a=1,c=2"};
  const std::vector<std::string> selector_texts = {"-", "", "a=1", "b=1", "a=1,b=1", "c=1"};
  SplitMix random(7);
  std::map<std::string, PodRef> pods;
  std::map<std::string, ServiceRef> services;
  for (int step = 0; step < 4000; ++step) {
    const std::string name = "shop/n" + std::to_string(random.below(12));
    const bool goes = random.below(4) == 0;
    if (random.below(3) == 0) {
      const ServiceRef now = goes ? ServiceRef()
                                  : ServiceRef(make_.service(
                                        name, selector_texts[random.below(selector_texts.size())]));
      if (!now && !services.contains(name)) continue;
      index_.apply(kube::Change<kube::ServiceRecord>{services[name], now});
      services[name] = now;
      if (!now) services.erase(name);
    } else {
      const PodRef now =
          goes ? PodRef() : PodRef(make_.pod(name, label_texts[random.below(label_texts.size())]));
      if (!now && !pods.contains(name)) continue;
      index_.apply(kube::Change<kube::PodRecord>{pods[name], now});
      pods[name] = now;
      if (!now) pods.erase(name);
    }
    for (const auto& [key, service] : services) {
      std::string expected;
      for (const auto& [pod_key, pod] : pods) {
        if (!service->selector) continue;
        bool all = true;
        for (const auto& pair : service->selector->all())
          all = all && pod->labels->find(pair.key.view()) == pair.value;
        if (all) expected += (expected.empty() ? "" : " ") + std::string(pod->name.view());
      }
      ASSERT_EQ(pods_of("shop", service->meta.name.view()), expected) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace proxima::controller
