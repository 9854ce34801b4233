// SPDX-License-Identifier: Apache-2.0
// What a backend answers, whatever it is asked: who it is, and whom it saw.
#pragma once

#include <string>
#include <string_view>

#include "traffic/backend_farm.h"

namespace proxima::traffic {

inline constexpr std::string_view kPodHeader = "X-Proxima-Pod";
inline constexpr std::string_view kNodeHeader = "X-Proxima-Node";
inline constexpr std::string_view kZoneHeader = "X-Proxima-Zone";

// One line of JSON; spaces after it make it `spec.answer_bytes` long where it is shorter.
std::string render_backend_answer(const BackendSpec& spec, std::string_view client);

}  // namespace proxima::traffic
