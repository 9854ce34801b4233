// SPDX-License-Identifier: Apache-2.0
// How many files and sockets the process may have open.
#pragma once

#include <cstddef>

namespace proxima::net {

// As many as the system lets it have without asking anybody. The usual 1,024 are a courtesy to
// programs that call select(); a server uses them up, and then accepts nobody. Returns the limit
// that is in force now. Never lowers it.
std::size_t raise_descriptor_limit();

}  // namespace proxima::net
