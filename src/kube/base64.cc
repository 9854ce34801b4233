// SPDX-License-Identifier: Apache-2.0
#include "kube/base64.h"

#include <cstdint>

namespace proxima::kube {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string without_line_ends(std::string_view text) {
  std::string kept;
  for (const char c : text)
    if (c != '\n' && c != '\r') kept += c;
  return kept;
}

std::size_t padding_of(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with("=") ? 1 : 0;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= group.size() ? kAlphabet[bits >> (18U - 6U * i) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  const std::string joined = without_line_ends(text);
  if (joined.size() % 4 != 0) return std::nullopt;
  const std::size_t digits = joined.size() - padding_of(joined);
  std::string bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::size_t value = kAlphabet.find(joined[i]);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    // Every digit after the first of a group completes a byte.
    if (i % 4 != 0) bytes += static_cast<char>(bits >> (6U - 2U * (i % 4)) & 255U);
  }
  return bytes;
}

}  // namespace proxima::kube
