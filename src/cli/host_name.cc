// SPDX-License-Identifier: Apache-2.0
#include "cli/host_name.h"

#include <unistd.h>

#include <array>

namespace proxima::cli {

std::string host_name(const std::string& fallback) {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : fallback;
}

}  // namespace proxima::cli
