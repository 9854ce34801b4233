// SPDX-License-Identifier: Apache-2.0
#include "web/access_token.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace proxima::web {
namespace {

bool fits_everywhere(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

}  // namespace

Result<std::string> new_token() {
  std::array<unsigned char, 16> bytes{};
  // So few bytes come whole, or not at all.
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{ErrorCode::Retry, std::string("random source: ") + std::strerror(errno)};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4U];
    token += kDigits[byte & 15U];
  }
  return token;
}

Status check_token(std::string_view token) {
  if (token.size() < kMinTokenLength)
    return Error{ErrorCode::InvalidInput,
                 "the token has fewer than " + std::to_string(kMinTokenLength) + " characters"};
  if (!std::all_of(token.begin(), token.end(), fits_everywhere))
    return Error{ErrorCode::InvalidInput,
                 "the token has characters other than letters, digits and \"-_.~\""};
  return Unit{};
}

bool same_token(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0U : 1U;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char one = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned>(one ^ expected[i]) & 0xFFU;
  }
  return difference == 0 && !expected.empty();
}

}  // namespace proxima::web
