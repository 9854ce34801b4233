// SPDX-License-Identifier: Apache-2.0
#include "checks/unread.h"

namespace proxima::checks {

Verdict unread(std::string_view what, const Error& error) {
  const bool is_unknown = error.code == ErrorCode::NotFound || error.code == ErrorCode::Denied ||
                          error.code == ErrorCode::Unsupported;
  return {is_unknown ? Outcome::Skipped : Outcome::Failed,
          std::string(what) + ": " + error.message};
}

}  // namespace proxima::checks
