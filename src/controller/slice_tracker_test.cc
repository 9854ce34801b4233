// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_tracker.h"

#include <gtest/gtest.h>

#include "controller/slice_events.h"
#include "support/kube_records.h"

namespace proxima::controller {
namespace {

using kube::Change;
using kube::EndpointSliceRecord;
using Deletion = SliceTracker::Deletion;

constexpr const char* kOurs =
    "endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io,"
    "kubernetes.io/service-name=web";
constexpr const char* kOthers =
    "endpointslice.kubernetes.io/managed-by=somebody,kubernetes.io/service-name=web";

class SliceTrackerTest : public ::testing::Test {
 protected:
  Ref<EndpointSliceRecord> slice(const std::string& name, std::int64_t generation,
                                 const std::string& labels = kOurs) {
    auto made = make_.slice("shop/" + name, labels);
    made->generation = generation;
    made->meta.uid = Text(name);
    return made;
  }
  bool stale(std::vector<SliceRef> slices) { return tracker_.is_stale("shop/web", slices); }
  std::string event(const SliceRef& before, const SliceRef& now) {
    std::string text;
    for (const std::string& key : services_to_sync({before, now}, tracker_))
      text += (text.empty() ? "" : " ") + key;
    return text;
  }

  testing::RecordMaker make_;
  SliceTracker tracker_;
};

TEST_F(SliceTrackerTest, DoesNotWaitForASliceThatANewerListDoesNotShow) {
  tracker_.wrote("shop/web", "a", 1, 20);
  EXPECT_TRUE(tracker_.is_stale("shop/web", {}, 19)) << "an older list";
  EXPECT_FALSE(tracker_.is_stale("shop/web", {}, 20));
  EXPECT_FALSE(tracker_.is_stale("shop/web", {}, 21));
  EXPECT_TRUE(tracker_.is_stale("shop/web", {}, 0)) << "no list of a known version";
  tracker_.wrote("shop/web", "b", 1);
  EXPECT_TRUE(tracker_.is_stale("shop/web", {}, 21)) << "nobody knows when b was written";
  tracker_.forget_slice("shop/web", "b");
  tracker_.wrote("shop/web", "a", 2, 22);
  EXPECT_TRUE(tracker_.is_stale("shop/web", std::vector<SliceRef>{slice("a", 1)}, 22))
      << "what is shown is older than what was written";
}

TEST_F(SliceTrackerTest, TakesForNewsWhatIsNewerThanItsOwnWrites) {
  EXPECT_TRUE(tracker_.is_news("shop/web", *slice("a", 1))) << "nothing was written";
  tracker_.wrote("shop/web", "a", 5);
  EXPECT_FALSE(tracker_.is_news("shop/web", *slice("a", 4)));
  EXPECT_FALSE(tracker_.is_news("shop/web", *slice("a", 5)));
  EXPECT_TRUE(tracker_.is_news("shop/web", *slice("a", 6)));
  EXPECT_TRUE(tracker_.is_news("shop/web", *slice("b", 1))) << "another slice";
  EXPECT_TRUE(tracker_.is_news("bank/web", *slice("a", 5))) << "another Service";
  tracker_.deleted("shop/web", "a");
  EXPECT_TRUE(tracker_.is_news("shop/web", *slice("a", 1)));
}

TEST_F(SliceTrackerTest, CallsACacheStaleThatHasNotSeenItsWrites) {
  EXPECT_FALSE(stale({slice("a", 1)})) << "nothing was written";
  tracker_.wrote("shop/web", "a", 5);
  EXPECT_FALSE(stale({slice("a", 5)}));
  EXPECT_FALSE(stale({slice("a", 6), slice("b", 1)})) << "newer, and more";
  EXPECT_TRUE(stale({slice("a", 4)})) << "older";
  EXPECT_TRUE(stale({})) << "not there yet";
  EXPECT_FALSE(tracker_.is_stale("bank/web", {})) << "another Service";
  tracker_.deleted("shop/web", "a");
  EXPECT_TRUE(stale({slice("a", 5)})) << "still there";
  EXPECT_FALSE(stale({})) << "gone, as it should be";
  tracker_.wrote("shop/web", "b", 1);
  tracker_.forget_service("shop/web");
  EXPECT_FALSE(stale({}));
}

TEST_F(SliceTrackerTest, ExpectsItsOwnDeletionsAndNoOthers) {
  EXPECT_EQ(tracker_.gone("shop/web", "a"), Deletion::Unexpected) << "an earlier leader wrote it";
  tracker_.wrote("shop/web", "a", 1);
  EXPECT_EQ(tracker_.gone("shop/web", "a"), Deletion::Unexpected);
  EXPECT_EQ(tracker_.gone("shop/web", "a"), Deletion::Unexpected) << "forgotten meanwhile";
  tracker_.deleted("shop/web", "b");
  EXPECT_EQ(tracker_.gone("shop/web", "b"), Deletion::Expected);
}

TEST_F(SliceTrackerTest, DoesNotExpectASliceThatWentBeforeItsWriteWasAnswered) {
  tracker_.wrote("shop/web", "a", 1);
  {
    const SliceTracker::Writing writing(tracker_, "shop/web");
    EXPECT_EQ(tracker_.gone("shop/web", "a"), Deletion::Unexpected) << "updated at that moment";
    EXPECT_EQ(tracker_.gone("shop/web", "b"), Deletion::Unexpected) << "created at that moment";
    EXPECT_EQ(tracker_.gone("bank/web", "c"), Deletion::Unexpected) << "another Service";
    tracker_.wrote("shop/web", "a", 2);
    tracker_.wrote("shop/web", "b", 1);
    EXPECT_FALSE(stale({})) << "nothing of it is there, and nothing will come";
    tracker_.deleted("shop/web", "d");
    EXPECT_EQ(tracker_.gone("shop/web", "d"), Deletion::Expected) << "its own doing";
    tracker_.forget_slice("shop/web", "e");
    tracker_.wrote("shop/web", "e", 3);
    EXPECT_FALSE(stale({})) << "it was given to another Service";
    tracker_.wrote("shop/web", "f", 1);
  }
  EXPECT_TRUE(stale({})) << "f was written and is not there yet";
  EXPECT_EQ(tracker_.gone("shop/web", "g"), Deletion::Unexpected) << "nothing is written any more";
}

TEST_F(SliceTrackerTest, HearsOfNewSlicesThatAreManaged) {
  EXPECT_EQ(event({}, slice("a", 1)), "shop/web");
  EXPECT_EQ(event({}, slice("a", 1, kOthers)), "");
  tracker_.wrote("shop/web", "a", 1);
  EXPECT_EQ(event({}, slice("a", 1)), "") << "its own";
}

TEST_F(SliceTrackerTest, HearsOfChangesThatAreNotItsOwn) {
  tracker_.wrote("shop/web", "a", 2);
  EXPECT_EQ(event(slice("a", 1), slice("a", 2)), "");
  EXPECT_EQ(event(slice("a", 2), slice("a", 3)), "shop/web");
  EXPECT_EQ(event(slice("a", 3, kOthers), slice("a", 4, kOthers)), "");
  EXPECT_EQ(event(slice("a", 4, kOthers), slice("a", 5)), "shop/web") << "taken over";
  EXPECT_EQ(event(slice("a", 5), slice("a", 6, kOthers)), "shop/web") << "taken away";
}

TEST_F(SliceTrackerTest, HearsOfDeletionsThatAreNotItsOwn) {
  tracker_.wrote("shop/web", "a", 1);
  EXPECT_EQ(event(slice("a", 1), {}), "shop/web");
  EXPECT_EQ(event(slice("b", 1), {}), "shop/web") << "an earlier leader wrote it";
  tracker_.wrote("shop/web", "c", 1);
  EXPECT_EQ(event(slice("c", 1, kOthers), {}), "");
  tracker_.deleted("shop/web", "d");
  EXPECT_EQ(event(slice("d", 1), {}), "");
}

// Upstream expects such a slice for ever, and the Service is never synced again.
TEST_F(SliceTrackerTest, DoesNotWaitForASliceThatWasGivenAway) {
  const std::string other =
      "endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io,"
      "kubernetes.io/service-name=db";
  tracker_.wrote("shop/web", "a", 1);
  EXPECT_EQ(event(slice("a", 1), slice("a", 2, other)), "shop/db shop/web");
  EXPECT_FALSE(stale({}));

  tracker_.wrote("shop/web", "b", 1);
  EXPECT_EQ(event(slice("b", 1), slice("b", 2, kOthers)), "shop/web");
  EXPECT_FALSE(stale({}));

  tracker_.wrote("shop/web", "c", 1);
  auto dying = slice("c", 2);
  dying->meta.terminating = true;
  EXPECT_EQ(event(slice("c", 1), dying), "shop/web") << "a finalizer holds it back";
  EXPECT_FALSE(stale({}));
}

TEST_F(SliceTrackerTest, CannotSayWhoseASliceWithoutTheLabelIs) {
  const std::string nobodys =
      "endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io";
  EXPECT_EQ(event({}, slice("a", 1, nobodys)), "");
  EXPECT_EQ(event(slice("a", 1), slice("a", 2, nobodys)), "shop/web");
  EXPECT_EQ(event(slice("a", 1, nobodys), {}), "");
}

}  // namespace
}  // namespace proxima::controller
