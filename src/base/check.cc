// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

#include "base/guarded.h"

namespace proxima {

void check_failed(const char* condition, const char* file, int line) {
  if (GuardedScope::is_active()) break_down(condition, file, line);
  std::fprintf(stderr, "proxima: broken invariant: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace proxima
