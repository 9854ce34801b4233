// SPDX-License-Identifier: Apache-2.0
// How much a JSON text would become in memory, before anybody parses it. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace proxima {

// An upper bound of the number of values in a JSON text, without parsing it.
std::size_t json_values_at_most(std::string_view json);

}  // namespace proxima
