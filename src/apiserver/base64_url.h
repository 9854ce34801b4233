// SPDX-License-Identifier: Apache-2.0
// Base64 in its two alphabets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proxima::apiserver {

// RFC 4648 §5, without padding.
std::string base64_url_encode(std::string_view bytes);
std::optional<std::string> base64_url_decode(std::string_view text);
// RFC 4648 §4, with padding: as kubeconfig files hold certificates.
std::string base64_encode(std::string_view bytes);

}  // namespace proxima::apiserver
