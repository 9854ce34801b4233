// SPDX-License-Identifier: Apache-2.0
// Who asks, by the bearer token of the request. There are two users: one may do everything, one may
// read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace proxima::apiserver {

enum class User : std::uint8_t { Admin, Reader };
std::string_view user_name(User user);

struct Tokens {
  std::string admin;  // secrets
  std::string reader;
};

// nullopt: nobody we know. Takes the same time whatever the token is.
std::optional<User> authenticate(const Tokens& tokens, const net::HttpHeaders& headers);
std::optional<User> user_of_token(const Tokens& tokens, std::string_view token);

}  // namespace proxima::apiserver
