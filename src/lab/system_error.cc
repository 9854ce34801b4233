// SPDX-License-Identifier: Apache-2.0
#include "lab/system_error.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace proxima::lab {

Error system_error(std::string_view what) { return system_error(what, errno); }

Error system_error(std::string_view what, int number) {
  const bool denied = number == EPERM || number == EACCES;
  return {denied ? ErrorCode::Denied : ErrorCode::Unsupported,
          std::string(what) + ": " + std::generic_category().message(number)};
}

}  // namespace proxima::lab
