// SPDX-License-Identifier: Apache-2.0
// SHA-256, for what must be known again but not kept.
#pragma once

#include <string>
#include <string_view>

namespace proxima::net {

std::string sha256(std::string_view text);  // 32 bytes

}  // namespace proxima::net
