// SPDX-License-Identifier: Apache-2.0
#include "controller/honored_conditions.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class HonoredConditionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"n1", "n2"}) {
      auto node = make_ref<kube::NodeRecord>();
      node->meta.name = Text(name);
      node->ready = true;
      book_.change_node({{}, node, 0}, now_);
    }
    publish(5);
    service_ = make_ref<kube::ServiceRecord>();
  }
  void publish(kube::Version version) {
    auto slice = make_ref<kube::EndpointSliceRecord>();
    slice->meta.ns = Text("shop");
    slice->service = Text("web");
    Ref<const kube::EndpointSliceRecord> before;
    if (version > 5) before = slice;
    book_.change_slice({before, slice, version}, now_);
  }
  void report(const std::string& node, std::uint64_t version,
              std::vector<reports::CountedConnections> connections = {}) {
    book_.report({.node = node,
                  .instance = "i",
                  .sequence = ++sequence_,
                  .slices_version = version,
                  .unreadable = {},
                  .connections = std::move(connections)},
                 now_);
  }
  void all_report(std::uint64_t version) {
    report("n1", version);
    report("n2", version);
  }
  void wait(std::chrono::nanoseconds duration) { now_ += duration; }
  // What is written, as the API server then shows it; "" when nothing is.
  std::string write() {
    const auto proposal = honored_.propose("shop/web", *service_, 0.9, now_);
    if (!proposal.is_news) return "";
    honored_.wrote("shop/web", proposal, now_);
    auto shown = make_ref<kube::ServiceRecord>();
    shown->conditions.push_back(
        {Text(proposal.condition.type), Text(plan::to_text(proposal.condition.status)),
         Text(proposal.condition.reason), Text(proposal.condition.message)});
    service_ = shown;
    return std::string(plan::to_text(proposal.condition.status)) + ": " +
           proposal.condition.message;
  }

  Clock::SteadyTime now_{minutes(100)};
  FollowBook book_{now_};
  HonoredConditions honored_{book_};
  Ref<const kube::ServiceRecord> service_;
  std::uint64_t sequence_ = 0;
};

TEST_F(HonoredConditionsTest, FromUnknownToTrueOnceEveryNodeReports) {
  EXPECT_EQ(write(), "Unknown: no node reports what it routes");
  report("n1", 5);
  wait(seconds(31));
  EXPECT_EQ(write(), "") << "the other one still has time";
  all_report(5);
  wait(seconds(1));
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
}

TEST_F(HonoredConditionsTest, APlanThatEveryNodeFollowsInTimeWritesNothing) {
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
  for (kube::Version version = 6; version < 60; ++version) {
    publish(version);
    wait(seconds(3));
    EXPECT_EQ(write(), "");
    all_report(version);
    wait(seconds(10));
    EXPECT_EQ(write(), "");
  }
}

TEST_F(HonoredConditionsTest, ANodeThatStaysBehindIsWrittenOnceInHalfAMinuteAtMost) {
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
  publish(6);
  report("n1", 6);
  wait(seconds(8));
  EXPECT_EQ(write(), "") << "too soon after the last write";
  wait(seconds(23));
  EXPECT_EQ(write(), "False: 1 of 2 nodes follow plan 6; n2 is 31 s behind");
  int writes = 0;
  for (int i = 0; i < 60; ++i) {
    wait(seconds(10));
    report("n1", 6);
    report("n2", 5);
    if (!write().empty()) ++writes;
  }
  EXPECT_EQ(writes, 0) << "that it takes longer is no news";
  report("n2", 6);
  wait(seconds(1));
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
}

TEST_F(HonoredConditionsTest, ANodeThatDoesNotReportIsUnknown) {
  report("n1", 5);
  wait(seconds(46));
  report("n1", 5);
  EXPECT_EQ(write(), "Unknown: 1 of 2 nodes follow plan 5; n2 has not reported for 46 s");
  wait(seconds(40));
  report("n1", 5);
  EXPECT_EQ(write(), "");
}

TEST_F(HonoredConditionsTest, MeasuredSharesAreWrittenWhenTheyMove) {
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
  const auto measured = [&](std::uint64_t connections, std::uint64_t local) {
    wait(seconds(31));
    report("n1", 5, {{"shop/web", connections, local}});
    report("n2", 5);
    return write();
  };
  EXPECT_EQ(measured(1000, 880),
            "True: every ready node routes by the published plan; 88% of 1000 connections stayed "
            "in their zone (90% planned)");
  EXPECT_EQ(measured(1000, 840), "") << "86 % of both";
  EXPECT_EQ(measured(8000, 4000),
            "True: every ready node routes by the published plan; 57% of 10000 connections stayed "
            "in their zone (90% planned)");
  wait(minutes(20));
  all_report(5);
  EXPECT_EQ(write(), "") << "no traffic is no news";
}

TEST_F(HonoredConditionsTest, WhatAnotherLeaderWroteInBetweenIsPutRight) {
  all_report(5);
  wait(minutes(1));
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
  auto shown = make_ref<kube::ServiceRecord>(*service_);
  shown->conditions[0].status = Text("Unknown");
  shown->conditions[0].reason = Text("NoNodeReports");
  service_ = shown;
  EXPECT_EQ(write(), "") << "so soon after the last write";
  wait(kHonoredSpacing);
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
}

TEST_F(HonoredConditionsTest, ANewLeaderRepeatsNothing) {
  all_report(5);
  EXPECT_EQ(write(), "True: every ready node routes by the published plan");
  honored_.clear();
  EXPECT_EQ(write(), "");
  publish(6);
  report("n1", 6);
  wait(seconds(31));
  report("n2", 5);
  EXPECT_EQ(write(), "False: 1 of 2 nodes follow plan 6; n2 is 31 s behind");
}

}  // namespace
}  // namespace proxima::controller
