// SPDX-License-Identifier: Apache-2.0
// What the page gets, from a cluster of the lab's shape. The documents are kept as files, with
// which the page is built and tested: UPDATE=1 writes them anew.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "proxy/node_routes.h"
#include "proxy/route_document.h"
#include "support/lab_shape.h"
#include "support/source_folder.h"
#include "web/live_history.h"
#include "web/measured_traffic.h"
#include "web/prediction.h"
#include "web/state_document.h"

namespace proxima::web {
namespace {

using boost::json::value;

constexpr double kRequests = 600;  // of each service, within the window
constexpr std::int64_t kNow = 1'700'000'000;

void expect_fixture(const std::string& file, const std::string& text) {
  const std::string path = test::source_folder() + "/ui/live/fixtures/" + file;
  if (std::getenv("UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text << '\n';
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; UPDATE=1 makes it";
  std::ostringstream kept;
  kept << in.rdbuf();
  EXPECT_EQ(text + "\n", kept.str()) << path << " differs; UPDATE=1 writes it anew";
}

class LiveDocuments : public ::testing::Test {
 protected:
  ClusterPicturePtr picture() {
    ClusterReader reader(caches_);
    plan::PlanOptions options;
    return picture_of(reader.records(), options);
  }

  LiveState state(const ClusterPicture& picture) {
    LiveState out;
    out.version = "0.6.0";
    out.lab = true;
    out.read_only = false;
    out.time = kNow + 0.25;
    out.revision = 42;
    out.price_per_gigabyte = 0.02;
    out.window_seconds = 5;
    out.zones = picture.zones;
    for (ZonePicture& zone : out.zones) zone.demand = 1.0 / 3;
    out.nodes = picture.nodes;
    for (NodePicture& node : out.nodes)
      node.status_url = "http://127.0.0.1:4123" + node.name.substr(5);
    out.pods = picture.pods;
    out.services = picture.services;
    out.events.push_back({.time = kNow - 3,
                          .type = "Normal",
                          .reason = "TopologyAwareHintsEnabled",
                          .object = "Service shop/even",
                          .message = "Topology Aware Hints has been enabled, addressType: IPv4"});
    MeasuredWindows windows;
    windows.flows = testing::seen_as_planned(picture, kRequests);
    windows.flow_seconds = 5;
    windows.loads = testing::seen_as_planned(picture, kRequests * 6);
    for (const ServicePicture& one : picture.services) windows.load_seconds[one.full_name()] = 30;
    add_measured(windows, picture.plan, {.per_unit = 0.02}, out);
    return out;
  }

  const ServicePicture& service(const LiveState& state, std::string_view name) {
    for (const ServicePicture& one : state.services)
      if (one.name == name) return one;
    ADD_FAILURE() << "no service " << name;
    return state.services.front();
  }

  controller::ClusterCaches caches_;
  testing::LabShape shape_{caches_};
};

TEST_F(LiveDocuments, ShowTheWholeLab) {
  const auto shown = state(*picture());
  const std::string text = state_document(shown);
  const value document = boost::json::parse(text);
  EXPECT_EQ(document.at("mode"), "lab");
  EXPECT_EQ(document.at("zones").as_array().size(), 3U);
  EXPECT_EQ(document.at("nodes").as_array().size(), 6U);
  EXPECT_EQ(document.at("pods").as_array().size(), 13U);
  EXPECT_EQ(document.at("services").as_array().size(), 3U);
  const value& even = document.at("services").at(0);
  EXPECT_EQ(even.at("service"), "shop/even");
  EXPECT_EQ(even.at("clusterIP"), "172.30.0.5");
  EXPECT_EQ(even.at("policy"), "auto");
  EXPECT_TRUE(even.at("overload").is_null());
  EXPECT_EQ(even.at("plan").at("local").to_number<double>(), 1.0);
  EXPECT_EQ(even.at("plan").at("why").at("level"), "ok");
  EXPECT_EQ(document.at("pods").at(0).at("services").at(0), "shop/even");
  expect_fixture("state.json", text);
}

TEST_F(LiveDocuments, MeasuredEqualsThePlanWhenClientsFollowIt) {
  const auto shown = state(*picture());
  for (const ServicePicture& one : shown.services) {
    ASSERT_TRUE(one.measured) << one.name;
    EXPECT_NEAR(one.measured->local, one.plan.local, 0.01) << one.name;
    EXPECT_NEAR(one.measured->worst_overload.value(), one.plan.worst_overload, 0.02) << one.name;
    EXPECT_NEAR(one.measured->requests_per_second, kRequests / 5, 1) << one.name;
    EXPECT_EQ(one.measured->endpoints.size(), one.plan.endpoints.size()) << one.name;
  }
  EXPECT_NEAR(*shown.totals->local, (1 + 1.0 / 3 + 1.0 / 3) / 3, 0.01);
}

// 600 requests of 2400 bytes in five seconds are 757 GB in the 730 hours of a month.
TEST_F(LiveDocuments, MoneyIsWhatCrossesZones) {
  const auto shown = state(*picture());
  const CostPicture even = *service(shown, "even").cost;
  EXPECT_NEAR(even.gigabytes_per_month, 756.9, 1);
  EXPECT_EQ(even.per_month, 0) << "everything stays in its zone";
  EXPECT_NEAR(even.cluster_wide_per_month, 756.9 * 2 / 3 * 0.02, 0.1);
  const CostPicture single = *service(shown, "single").cost;
  EXPECT_NEAR(single.per_month, single.cluster_wide_per_month, 0.01)
      << "all endpoints are in one zone: no policy saves anything";
  EXPECT_NEAR(shown.totals->cost_per_month,
              service(shown, "lopsided").cost->per_month + single.per_month, 1e-9);
}

TEST_F(LiveDocuments, APredictionIsThePlanAfterTheChange) {
  const PolicyWish wish{.policy = "balanced", .overload = 0.2};
  const auto predicted = predict(*picture(), "shop/lopsided", wish);
  ASSERT_TRUE(predicted);
  EXPECT_EQ(predicted->now.policy, "auto");
  EXPECT_NEAR(predicted->now.local, 1.0 / 3, 0.01);
  EXPECT_EQ(predicted->then.policy, "balanced");
  EXPECT_GT(predicted->then.local, 0.9);
  EXPECT_LE(predicted->then.worst_overload, 0.2 + 1e-9);
  expect_fixture("predict.json", prediction_document("shop/lopsided", *predicted));

  shape_.annotate("lopsided", "proxima.io/overload=0.2,proxima.io/policy=balanced");
  const auto after = picture();
  for (const ServicePicture& one : after->services) {
    if (one.name != "lopsided") continue;
    EXPECT_EQ(one.plan, predicted->then);
  }
}

TEST_F(LiveDocuments, NoBoundIsSaidAsTheAnnotationSaysIt) {
  const PolicyWish wish{.policy = "balanced", .overload = std::numeric_limits<double>::infinity()};
  EXPECT_EQ(overload_annotation(*wish.overload), "inf");
  const auto predicted = predict(*picture(), "shop/lopsided", wish);
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->then.local, 1, 1e-9);
  const value document = boost::json::parse(prediction_document("shop/lopsided", *predicted));
  EXPECT_EQ(document.at("then").at("overload"), "inf");
  shape_.annotate("lopsided", "proxima.io/overload=inf,proxima.io/policy=balanced");
  const value shown = boost::json::parse(state_document(state(*picture())));
  EXPECT_EQ(shown.at("services").at(1).at("overload"), "inf");
}

TEST_F(LiveDocuments, APredictionWithoutAPolicyIsThatOfNoAnnotation) {
  const auto predicted = predict(*picture(), "shop/even", {});
  ASSERT_TRUE(predicted);
  EXPECT_EQ(predicted->then.policy, "cluster-wide");
  EXPECT_NEAR(predicted->then.local, 1.0 / 3, 0.01);
}

TEST_F(LiveDocuments, APredictionNamesWhatItDoesNotKnow) {
  const auto unknown = predict(*picture(), "shop/none", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::NotFound);
  EXPECT_EQ(unknown.error().message, "there is no service \"shop/none\"");
  EXPECT_EQ(predict(*picture(), "shop", {}).error().code, ErrorCode::InvalidInput);
}

TEST_F(LiveDocuments, ExplainFromNodesAndZones) {
  const auto shown = picture();
  const auto from_zone = explanation_document(*shown, "shop/lopsided", {.from = "zone-b"});
  ASSERT_TRUE(from_zone);
  const value document = boost::json::parse(*from_zone);
  EXPECT_EQ(document.at("kind"), "Explanation");
  EXPECT_EQ(document.at("from").at("zone"), "zone-b");
  EXPECT_EQ(document.at("decisions").at(0).at("sentence").as_string(),
            service(state(*shown), "lopsided").plan.why.text)
      << "the page and `proxima explain` say the same";
  std::string kept = *from_zone;
  kept.pop_back();
  expect_fixture("explain.json", kept);
  const auto from_node = explanation_document(*shown, "shop/lopsided", {.from = "node-3"});
  ASSERT_TRUE(from_node);
  EXPECT_EQ(boost::json::parse(*from_node).at("from").at("node"), "node-3");
  EXPECT_EQ(explanation_document(*shown, "shop/lopsided", {.from = "nowhere"}).error().message,
            "there is neither a node nor a zone \"nowhere\"");
}

TEST_F(LiveDocuments, ADualStackServiceHasAPlanForEachFamily) {
  shape_.add_v6("lopsided", "fd00:172:30::6");
  const auto shown = picture();
  const ServicePicture lopsided = service(state(*shown), "lopsided");
  EXPECT_EQ(lopsided.cluster_ips, (std::vector<std::string>{"172.30.0.6", "fd00:172:30::6"}));
  EXPECT_EQ(lopsided.family, "IPv4");
  ASSERT_EQ(lopsided.other_families.size(), 1U);
  const FamilyPicture& v6 = lopsided.other_families.front();
  EXPECT_EQ(v6.family, "IPv6");
  EXPECT_EQ(v6.endpoints, 1U) << "fewer Pods have such an address";
  EXPECT_EQ(v6.plan.endpoints.front().address, "fd00:10:180:1::10");
  EXPECT_EQ(shown->services.size(), 3U) << "it is one service";
  const value document = boost::json::parse(state_document(state(*shown)));
  EXPECT_EQ(document.at("services").at(1).at("otherFamilies").at(0).at("family"), "IPv6");
  const auto explained = explanation_document(*shown, "shop/lopsided", {.family = "IPv6"});
  ASSERT_TRUE(explained);
  EXPECT_EQ(boost::json::parse(*explained).at("family"), "IPv6");
  EXPECT_EQ(explanation_document(*shown, "shop/even", {.family = "IPv6"}).error().message,
            "service \"shop/even\" has no plan of IPv6");
}

TEST_F(LiveDocuments, AServiceOfOneZoneSaysWhyItIsNotLocal) {
  const auto shown = picture();
  const PlanPicture plan = service(state(*shown), "single").plan;
  EXPECT_LT(plan.local, 0.5);
  EXPECT_EQ(plan.why.reason, "hints_lent_to_other_zones");
  const value explained = boost::json::parse(*explanation_document(*shown, "shop/single", {}));
  EXPECT_EQ(explained.at("decisions").at(0).at("sentence").as_string(), plan.why.text);
}

TEST_F(LiveDocuments, HistoryHasAColumnForEverySecondAndNullForTheUnknown) {
  LiveHistory history(1);
  const auto shown = picture();
  LiveState now = state(*shown);
  LiveState unmeasured = now;
  unmeasured.services[1].measured.reset();
  history.add(kNow - 2, unmeasured);
  history.add(kNow - 1, now);
  history.add(kNow, now);
  history.add(kNow - 10, now);  // the clock went back
  const std::string text = history.document();
  const value document = boost::json::parse(text);
  EXPECT_EQ(document.at("step"), 1);
  EXPECT_EQ(boost::json::serialize(document.at("times")), "[1699999998,1699999999,1700000000]");
  const value& lopsided = document.at("services").at("shop/lopsided");
  EXPECT_TRUE(lopsided.at("local").at(0).is_null());
  EXPECT_TRUE(lopsided.at("local").at(1).is_double());
  EXPECT_EQ(document.at("totals").at("rate").as_array().size(), 3U);
  EXPECT_TRUE(lopsided.at("planLocal").at(0).is_double())
      << "a plan is there without a measurement";
}

TEST_F(LiveDocuments, HistoryKeepsThePlanOfEachPoint) {
  LiveHistory history(15);
  LiveState cluster;  // in which nothing is measured
  cluster.services = picture()->services;
  history.add(kNow, cluster);
  shape_.annotate("lopsided", "proxima.io/overload=0.2,proxima.io/policy=balanced");
  history.add(kNow + 4, cluster);  // the same, in the same step as the one before
  cluster.services = picture()->services;
  history.add(kNow + 6, cluster);  // a change has its own time
  history.add(kNow + 7, cluster);
  history.add(kNow + 9, cluster);
  const value document = boost::json::parse(history.document());
  EXPECT_EQ(document.at("step"), 15);
  EXPECT_EQ(boost::json::serialize(document.at("times")),
            "[1700000000,1700000004,1700000006,1700000009]");
  const value& planned = document.at("services").at("shop/lopsided").at("planLocal");
  EXPECT_NEAR(planned.at(0).to_number<double>(), 1.0 / 3, 0.01);
  EXPECT_NEAR(planned.at(1).to_number<double>(), 1.0 / 3, 0.01);
  EXPECT_GT(planned.at(2).to_number<double>(), 0.9);
  EXPECT_TRUE(document.at("services").at("shop/lopsided").at("local").at(0).is_null());
  const value& totals = document.at("totals");
  EXPECT_TRUE(totals.at("local").at(0).is_null());
  EXPECT_NEAR(totals.at("planLocal").at(0).to_number<double>(), (1 + 1.0 / 3 + 1.0 / 3) / 3, 0.01);
  EXPECT_NEAR(totals.at("planOverload").at(3).to_number<double>(), 0.2, 0.01);
  for (ServicePicture& one : cluster.services) one.plan.flows.clear();
  history.add(kNow + 40, cluster);
  const value without = boost::json::parse(history.document());
  EXPECT_TRUE(without.at("services").at("shop/lopsided").at("planLocal").at(4).is_null())
      << "nothing is local or not where nothing flows";
  EXPECT_TRUE(without.at("totals").at("planLocal").at(4).is_null());
}

TEST_F(LiveDocuments, HistoryForgetsWhatIsOlderThanAQuarterOfAnHour) {
  LiveHistory history(1);
  const LiveState now = state(*picture());
  for (std::int64_t second = kNow; second < kNow + 1000; ++second) history.add(second, now);
  const value document = boost::json::parse(history.document());
  EXPECT_EQ(document.at("times").as_array().size(), static_cast<std::size_t>(kHistorySeconds));
  EXPECT_EQ(document.at("times").as_array().back(), kNow + 999);
}

// A recording for the page: two minutes in which shop/lopsided becomes balanced after one.
TEST_F(LiveDocuments, RecordAHistoryForThePage) {
  LiveHistory history(1);
  const LiveState before = state(*picture());
  shape_.annotate("lopsided", "proxima.io/overload=0.2,proxima.io/policy=balanced");
  const LiveState after = state(*picture());
  for (std::int64_t second = 0; second < 120; ++second)
    history.add(kNow - 119 + second, second < 60 ? before : after);
  EXPECT_GT(service(after, "lopsided").measured->local, 0.9);
  expect_fixture("history.json", history.document());
}

// What a node's proxy would answer at /debug/routes, for the page.
TEST_F(LiveDocuments, RecordTheRoutesOfANodeForThePage) {
  proxy::NodeRoutes routes({.proxy_name = "", .rules = {proxy::RoutingRules{}}});
  routes.set_node({.name = Text("node-3"), .zone = Text("zone-b")});
  caches_.services.snapshot().each([&](const auto& one) { routes.change_service({}, one); });
  caches_.slices.snapshot().each([&](const auto& one) { routes.change_slice({}, one); });
  routes.update();
  const std::string text =
      "{\"families\":[" + proxy::render_routes(*routes.table(IpFamily::V4)) + "]}";
  const value document = boost::json::parse(text);
  EXPECT_EQ(document.at("families").at(0).at("ports").as_array().size(), 3U);
  expect_fixture("routes.json", text);
}

TEST_F(LiveDocuments, WithoutALabNothingIsMeasured) {
  LiveState shown;
  shown.services = picture()->services;
  shown.zones = picture()->zones;
  const value document = boost::json::parse(state_document(shown));
  EXPECT_EQ(document.at("mode"), "cluster");
  EXPECT_TRUE(document.at("readOnly").as_bool());
  EXPECT_TRUE(document.at("services").at(0).at("measured").is_null());
  EXPECT_TRUE(document.at("services").at(0).at("cost").is_null());
  EXPECT_TRUE(document.at("zones").at(0).at("demand").is_null());
  EXPECT_TRUE(document.at("totals").at("local").is_null());
}

}  // namespace
}  // namespace proxima::web
