// SPDX-License-Identifier: Apache-2.0
#include "controller/trigger_times.h"

#include <gtest/gtest.h>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

class TriggerTimesTest : public ::testing::Test {
 protected:
  PodRef pod(const std::string& name, kube::UnixSeconds ready_changed) {
    auto made = make_.pod("shop/" + name, "");
    made->ready_changed = ready_changed;
    made->has_ready_condition = ready_changed != 0;
    return made;
  }
  std::optional<kube::UnixSeconds> next(kube::UnixSeconds created, std::vector<PodRef> pods) {
    auto service = make_.service("shop/web", "");
    service->meta.created = created;
    return times_.next(*service, pods);
  }

  testing::RecordMaker make_;
  TriggerTimes times_;
};

using Seconds = std::optional<kube::UnixSeconds>;

TEST_F(TriggerTimesTest, BeginsWithTheServiceItself) {
  EXPECT_EQ(next(100, {}), Seconds(100));
  times_.forget("shop/web");
  EXPECT_EQ(next(100, {pod("a", 150), pod("b", 50)}), Seconds(100));
}

TEST_F(TriggerTimesTest, TakesTheEarliestOfWhatIsNew) {
  next(100, {pod("a", 101)});
  EXPECT_EQ(next(100, {pod("a", 101), pod("b", 120), pod("c", 110)}), Seconds(110)) << "added";
  EXPECT_EQ(next(100, {pod("a", 140), pod("b", 130), pod("c", 110)}), Seconds(130)) << "changed";
  EXPECT_EQ(next(100, {pod("a", 140), pod("b", 130), pod("c", 110)}), Seconds()) << "nothing";
}

TEST_F(TriggerTimesTest, HasNoTimeForPodsThatAreGoneOrWereNeverReady) {
  next(100, {pod("a", 101), pod("b", 102)});
  EXPECT_EQ(next(100, {pod("b", 102)}), Seconds());
  EXPECT_EQ(next(100, {pod("b", 102), pod("c", 0)}), Seconds());
  EXPECT_EQ(next(100, {pod("a", 103), pod("b", 102)}), Seconds(103)) << "and back again";
}

TEST_F(TriggerTimesTest, SeesAServiceThatWasMadeAnew) {
  next(100, {pod("a", 101)});
  EXPECT_EQ(next(200, {pod("a", 101)}), Seconds(200)) << "unseen in between";
  times_.forget("shop/web");
  EXPECT_EQ(next(300, {pod("a", 101)}), Seconds(300));
}

TEST(TriggerTimeText, IsWrittenAsUpstreamWritesIt) {
  EXPECT_EQ(trigger_time_text(1'772'323'200), "2026-03-01T00:00:00Z");
}

}  // namespace
}  // namespace proxima::controller
