// SPDX-License-Identifier: Apache-2.0
// Base64 as kubeconfigs and Authorization headers have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proxima::kube {

std::string base64_encode(std::string_view bytes);
// Line ends are skipped, as Go's decoder does; anything else that is not base64: nullopt.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace proxima::kube
