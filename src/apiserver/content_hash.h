// SPDX-License-Identifier: Apache-2.0
// Names content by its bytes, for ETags. Not a defence against anybody.
#pragma once

#include <string>
#include <string_view>

namespace proxima::apiserver {

// 32 hexadecimal digits, upper case.
std::string content_hash(std::string_view content);

}  // namespace proxima::apiserver
