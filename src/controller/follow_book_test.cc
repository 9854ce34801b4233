// SPDX-License-Identifier: Apache-2.0
#include "controller/follow_book.h"

#include <gtest/gtest.h>

#include "base/whole_number.h"
#include "support/kube_records.h"

namespace proxima::controller {
namespace {

using Lag = plan::PlanFollowing::Lag;
using std::chrono::minutes;
using std::chrono::seconds;
using Time = Clock::SteadyTime;

Ref<const kube::NodeRecord> node(const std::string& name, bool ready = true) {
  auto record = make_ref<kube::NodeRecord>();
  record->meta.name = Text(name);
  record->ready = ready;
  return record;
}

Ref<const kube::EndpointSliceRecord> slice(const std::string& name, kube::Version version) {
  auto record = make_ref<kube::EndpointSliceRecord>();
  record->meta.ns = Text("shop");
  record->meta.name = Text(name);
  record->meta.version = version;
  record->service = Text("web");
  return record;
}

class FollowBookTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"n1", "n2", "n3"}) book_.change_node({{}, node(name), 0}, now_);
    publish(10);
  }
  void publish(kube::Version version) {
    book_.change_slice({version == 10 ? Ref<const kube::EndpointSliceRecord>() : slice("w", 1),
                        slice("w", version), version},
                       now_);
  }
  std::int64_t report(const std::string& node, std::uint64_t version,
                      std::vector<std::string> unreadable = {},
                      std::vector<reports::CountedConnections> connections = {}) {
    return book_.report({.node = node,
                         .instance = "i",
                         .sequence = ++sequence_,
                         .slices_version = version,
                         .unreadable = std::move(unreadable),
                         .connections = std::move(connections)},
                        now_);
  }
  void all_report(std::uint64_t version) {
    for (const char* name : {"n1", "n2", "n3"}) report(name, version);
  }
  void wait(std::chrono::nanoseconds duration) { now_ += duration; }
  // "2 of 3, Behind n3 7 s"
  std::string following() const {
    const auto found = book_.following("shop/web", now_);
    if (!found) return "unknown";
    std::string out = std::to_string(found->following) + " of " + std::to_string(found->nodes);
    constexpr const char* kLags[] = {"", ", Silent ", ", Behind ", ", CannotRead "};
    if (found->lag == Lag::None) return out;
    return out + kLags[static_cast<int>(found->lag)] + found->lagging_node + " " +
           std::to_string(found->lagging_for.count()) + " s";
  }

  Time now_{minutes(100)};
  FollowBook book_{now_};
  std::uint64_t sequence_ = 0;
};

TEST_F(FollowBookTest, NothingIsKnownBeforeNodesHadTheTimeToReport) {
  EXPECT_EQ(following(), "unknown");
  report("n1", 10);
  wait(seconds(2));
  EXPECT_EQ(following(), "unknown");
  wait(seconds(44));
  EXPECT_EQ(following(), "0 of 3, Silent n1 46 s");
}

TEST_F(FollowBookTest, ANodeFollowsOnceItRoutesByTheNewestSlice) {
  all_report(10);
  EXPECT_EQ(following(), "3 of 3");
  publish(12);
  wait(seconds(2));
  EXPECT_EQ(following(), "3 of 3") << "it is published only now";
  report("n1", 12);
  report("n2", 13);
  wait(seconds(5));
  EXPECT_EQ(following(), "2 of 3, Behind n3 7 s");
  report("n3", 12);
  wait(seconds(1));
  EXPECT_EQ(following(), "3 of 3");
}

TEST_F(FollowBookTest, AReportThatArrivesLateUndoesNothing) {
  all_report(10);
  const auto at = [](std::uint64_t sequence, std::uint64_t version) {
    return reports::NodeReport{.node = "n1",
                               .instance = "i",
                               .sequence = sequence,
                               .slices_version = version,
                               .unreadable = {},
                               .connections = {{"shop/web", 100, 50}}};
  };
  publish(12);
  report("n2", 12);
  report("n3", 12);
  book_.report(at(20, 12), now_);
  book_.report(at(19, 10), now_);  // was sent before
  book_.report(at(20, 11), now_);  // the same one, sent before its routes were newer
  wait(seconds(8));
  EXPECT_EQ(following(), "3 of 3");
  book_.report(at(20, 12), now_);
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 100U) << "counted once";
}

TEST_F(FollowBookTest, ADeletedSliceIsAPlanToo) {
  book_.change_slice({{}, slice("x", 11), 11}, now_);
  all_report(11);
  book_.change_slice({slice("x", 11), {}, 14}, now_);
  wait(seconds(7));
  EXPECT_EQ(following(), "0 of 3, Behind n1 7 s");
  all_report(14);
  wait(seconds(1));
  EXPECT_EQ(following(), "3 of 3");
  book_.change_slice({slice("w", 10), {}, 15}, now_);
  EXPECT_EQ(following(), "unknown") << "no slice is left";
}

TEST_F(FollowBookTest, ANodeThatStopsReportingIsSilent) {
  all_report(10);
  wait(seconds(40));
  report("n1", 10);
  report("n3", 10);
  wait(seconds(6));
  EXPECT_EQ(following(), "2 of 3, Silent n2 46 s");
}

TEST_F(FollowBookTest, NodesThatAreGoneOrNotReadyDoNotCount) {
  all_report(10);
  wait(seconds(40));
  report("n1", 10);
  report("n3", 10);
  book_.change_node({node("n2"), node("n2", false), 0}, now_);
  wait(seconds(6));
  EXPECT_EQ(following(), "2 of 2");
  book_.change_node({node("n3"), {}, 0}, now_);
  EXPECT_EQ(following(), "1 of 1");
  EXPECT_EQ(report("stranger", 10), 1) << "reports of unknown nodes change nothing";
  EXPECT_EQ(following(), "1 of 1");
}

TEST_F(FollowBookTest, ANodeThatCannotReadAPlanDoesNotFollowIt) {
  all_report(10);
  report("n2", 10, {"shop/other", "shop/web"});
  EXPECT_EQ(following(), "2 of 3, CannotRead n2 0 s");
}

TEST_F(FollowBookTest, CountsConnectionsOnceAndForgetsThemAfterAWhile) {
  all_report(10);
  report("n1", 10, {}, {{"shop/web", 80, 60}, {"shop/gone", 1000, 0}});
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 0U) << "too few";
  const reports::NodeReport twice{.node = "n2",
                                  .instance = "i",
                                  .sequence = ++sequence_,
                                  .slices_version = 10,
                                  .unreadable = {},
                                  .connections = {{"shop/web", 20, 15}}};
  book_.report(twice, now_);
  book_.report(twice, now_);
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 100U);
  EXPECT_DOUBLE_EQ(book_.following("shop/web", now_)->local_share, 0.75);
  wait(minutes(6));
  all_report(10);
  report("n1", 10, {}, {{"shop/web", 100, 0}});
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 200U);
  wait(minutes(6));
  all_report(10);
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 100U);
  wait(minutes(5));
  all_report(10);
  EXPECT_EQ(book_.following("shop/web", now_)->connections, 0U);
}

TEST_F(FollowBookTest, CountsThatAreTooLargeForANumberDoNotBecomeSmall) {
  all_report(10);
  const std::uint64_t half = kLargestCount64 / 2;
  report("n1", 10, {}, {{"shop/web", half, half / 2}});
  report("n2", 10, {}, {{"shop/web", half, half / 2}});
  report("n3", 10, {}, {{"shop/web", 100, 100}});
  EXPECT_EQ(book_.following("shop/web", now_)->connections, kLargestCount64);
  EXPECT_DOUBLE_EQ(book_.following("shop/web", now_)->local_share, 0.5);
  wait(minutes(6));
  all_report(10);
  report("n1", 10, {}, {{"shop/web", half, half}});
  EXPECT_EQ(book_.following("shop/web", now_)->connections, kLargestCount64)
      << "the window before counts, too";
}

TEST_F(FollowBookTest, ManyNodesLeaveMoreTimeBetweenTwoReports) {
  EXPECT_EQ(report("n1", 10), 1);
  for (int i = 0; i < 5000; ++i) book_.change_node({{}, node("m" + std::to_string(i)), 0}, now_);
  EXPECT_EQ(report("n1", 10), 25);
}

}  // namespace
}  // namespace proxima::controller
