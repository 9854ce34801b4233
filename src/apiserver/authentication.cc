// SPDX-License-Identifier: Apache-2.0
#include "apiserver/authentication.h"

namespace proxima::apiserver {
namespace {

constexpr std::string_view kScheme = "bearer ";

bool is_bearer(std::string_view header) {
  if (header.size() < kScheme.size()) return false;
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = header[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != kScheme[i]) return false;
  }
  return true;
}

// Looks at every byte of the secret, so that the time taken says nothing about it.
bool equal_in_constant_time(std::string_view secret, std::string_view given) {
  unsigned difference = secret.size() == given.size() ? 0U : 1U;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(secret[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0 && !secret.empty();
}

}  // namespace

std::string_view user_name(User user) { return user == User::Admin ? "admin" : "readonly"; }

std::optional<User> authenticate(const Tokens& tokens, const net::HttpHeaders& headers) {
  std::string_view header = headers.find("Authorization").value_or("");
  if (!is_bearer(header)) return std::nullopt;
  header.remove_prefix(kScheme.size());
  return user_of_token(tokens, header);
}

std::optional<User> user_of_token(const Tokens& tokens, std::string_view token) {
  const bool admin = equal_in_constant_time(tokens.admin, token);
  const bool reader = equal_in_constant_time(tokens.reader, token);
  if (admin) return User::Admin;
  if (reader) return User::Reader;
  return std::nullopt;
}

}  // namespace proxima::apiserver
