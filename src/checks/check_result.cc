// SPDX-License-Identifier: Apache-2.0
#include "checks/check_result.h"

#include "base/check.h"

namespace proxima::checks {

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::Passed:
      return "ok";
    case Outcome::Skipped:
      return "skipped";
    case Outcome::Warned:
      return "warning";
    case Outcome::Failed:
      return "failed";
  }
  check_failed("an outcome", __FILE_NAME__, __LINE__);
}

}  // namespace proxima::checks
