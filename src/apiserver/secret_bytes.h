// SPDX-License-Identifier: Apache-2.0
// Bytes that nobody can guess: the one place that asks the system for randomness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace proxima::apiserver {

std::string secret_bytes(std::size_t count);
std::uint64_t secret_seed();
// Letters, digits, "-" and "_": 43 of them, 256 bits.
std::string make_token();

}  // namespace proxima::apiserver
