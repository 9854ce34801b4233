// SPDX-License-Identifier: Apache-2.0
#include "lab/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace proxima::lab {
namespace {

TEST(RaiseDescriptorLimit, TakesWhatTheSystemAllowsAndNeverLess) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlim_t most = std::max<rlim_t>(std::min<rlim_t>(before.rlim_max, 65'536), before.rlim_cur);
  rlimit low = before;
  low.rlim_cur = std::min<rlim_t>(before.rlim_cur, 256);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(raise_descriptor_limit(), std::min<rlim_t>(before.rlim_max, 65'536));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(raise_descriptor_limit(), most);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace proxima::lab
