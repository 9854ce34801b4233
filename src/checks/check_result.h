// SPDX-License-Identifier: Apache-2.0
// What one check found.
#pragma once

#include <string>
#include <string_view>

#include "checks/check_table.h"

namespace proxima::checks {

enum class Outcome : std::uint8_t {
  Passed,
  Skipped,  // it does not apply here, or could not be looked at; the detail says why
  Warned,   // works, but not as well as it could, or will need somebody
  Failed,
};
// "ok", "skipped", "warning", "failed".
std::string_view to_text(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::Passed;
  std::string detail;  // facts of the case; may be empty when it passed
};

struct CheckResult {
  Check check;
  Verdict verdict;
};

}  // namespace proxima::checks
