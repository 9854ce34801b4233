// SPDX-License-Identifier: Apache-2.0
#include "apiserver/base64_url.h"

#include <cstdint>

namespace proxima::apiserver {
namespace {

constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
    count += 8;
    for (; count >= 6; count -= 6) out.push_back(alphabet[bits >> (count - 6) & 63U]);
  }
  if (count > 0) out.push_back(alphabet[bits << (6 - count) & 63U]);
  return out;
}

}  // namespace

std::string base64_url_encode(std::string_view bytes) { return encode(bytes, kUrl); }

std::string base64_encode(std::string_view bytes) {
  std::string out = encode(bytes, kPlain);
  while (out.size() % 4 != 0) out.push_back('=');
  return out;
}

std::optional<std::string> base64_url_decode(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t value = kUrl.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(bits >> count & 255U));
  }
  return count >= 6 ? std::nullopt : std::optional(out);
}

}  // namespace proxima::apiserver
