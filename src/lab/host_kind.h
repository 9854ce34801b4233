// SPDX-License-Identifier: Apache-2.0
// What a host of a lab stands for.
#pragma once

#include <string_view>

namespace proxima::lab {

enum class HostKind { Router, Outside, Node, Pod };
std::string_view to_text(HostKind kind);

}  // namespace proxima::lab
