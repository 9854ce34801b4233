// SPDX-License-Identifier: Apache-2.0
#include "controller/mirror_intake.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"
#include "support/mirror_notation.h"

namespace proxima::controller {
namespace {

class MirrorIntakeTest : public ::testing::Test {
 protected:
  // "uid-s", of shop/db.
  static SliceRef slice() {
    auto record =
        make_ref<kube::EndpointSliceRecord>(slices::slice_of(slices::endpoints_of(""), "s=1 :80"));
    record->generation = 1;
    record->service = Text("db");
    return record;
  }
  bool waits() {
    std::vector<SliceRef> shown;
    cache_.snapshot().each([&](const SliceRef& one) { shown.push_back(one); });
    return intake_.tracker().is_stale("shop/db", shown);
  }
  std::size_t queued() {
    const std::size_t count = queue_.size();
    for (std::size_t i = 0; i < count; ++i) queue_.done(*queue_.take());
    return count;
  }

  testing::FakeClock clock_;
  kube::Cache<kube::EndpointSliceRecord> cache_;
  MirrorIntake intake_{cache_};
  MirrorQueue queue_{clock_};
};

TEST_F(MirrorIntakeTest, QueuesWhatIsThereAndWhatChangesWhileItIsOpen) {
  cache_.put(slice());
  EXPECT_EQ(queued(), 0U);
  intake_.open(queue_, {});
  EXPECT_EQ(queued(), 1U);
  cache_.erase(slice()->key());
  cache_.put(slice());
  EXPECT_EQ(queued(), 1U);
  intake_.close();
  cache_.erase(slice()->key());
  cache_.put(slice());
  EXPECT_EQ(queued(), 0U);
}

TEST_F(MirrorIntakeTest, WaitsAfterAPauseForWhatItWroteBeforeIt) {
  intake_.open(queue_, {});
  intake_.tracker().wrote("shop/db", "uid-s", 1);
  intake_.close();
  intake_.open(queue_, {});
  EXPECT_TRUE(waits());
  cache_.put(slice());
  EXPECT_FALSE(waits());
  EXPECT_EQ(queued(), 0U) << "its own write is no news";
}

TEST_F(MirrorIntakeTest, DoesNotWaitForWhatOthersTookAwayInThePause) {
  intake_.open(queue_, {});
  intake_.tracker().wrote("shop/db", "uid-s", 1);
  intake_.close();
  cache_.put(slice());
  cache_.erase(slice()->key());
  intake_.open(queue_, {});
  EXPECT_FALSE(waits());
}

}  // namespace
}  // namespace proxima::controller
