// SPDX-License-Identifier: Apache-2.0
// PROXIMA_CHECK(cond): a broken invariant ends the work that broke it, in release builds too,
// because going on with wrong state would route real traffic wrongly. Inside run_guarded()
// (base/guarded.h) that work is one Service's; everywhere else it is the program. It names the file
// without its folder, so that no path of the machine that built a program is in it.
#pragma once

namespace proxima {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace proxima

#define PROXIMA_CHECK(condition)                                    \
  do {                                                              \
    if (!(condition)) [[unlikely]]                                  \
      ::proxima::check_failed(#condition, __FILE_NAME__, __LINE__); \
  } while (false)
