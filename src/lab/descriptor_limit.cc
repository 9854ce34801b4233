// SPDX-License-Identifier: Apache-2.0
#include "lab/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace proxima::lab {

namespace {

constexpr rlim_t kWanted = 65'536;

}  // namespace

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlimit raised = limit;
  raised.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kWanted));
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace proxima::lab
