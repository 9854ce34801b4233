// SPDX-License-Identifier: Apache-2.0
// How many files and sockets the process may have open.
#pragma once

#include <cstddef>

namespace proxima::lab {

// As many as the system lets it have without asking anybody, at most 65,536; the usual 1,024 are
// used up by a lab whose requests hang, and then the API in the same process accepts nobody. Says
// how many there are now. Never lowers the limit.
std::size_t raise_descriptor_limit();

}  // namespace proxima::lab
