// SPDX-License-Identifier: Apache-2.0
// What the summary in a sysdump is called: one part of the program writes it, another reads it.
#pragma once

#include <string_view>

namespace proxima::wire {

inline constexpr std::string_view kSysdumpKind = "Sysdump";
inline constexpr std::string_view kSysdumpGroup = "cli.proxima.io";
inline constexpr std::string_view kSysdumpApiVersion = "cli.proxima.io/v1";
// Its list of objects with `what` ("pods") and `why`.
inline constexpr std::string_view kNotCollected = "notCollected";

}  // namespace proxima::wire
