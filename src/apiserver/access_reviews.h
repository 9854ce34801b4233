// SPDX-License-Identifier: Apache-2.0
// TokenReview and SubjectAccessReview: lets components ask who the bearer of a token is and what
// they may do. Nothing is stored. Tokens are valid for every audience, as this server has one kind.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/authentication.h"
#include "apiserver/status_error.h"
#include "base/result.h"

namespace proxima::apiserver {

bool is_review(std::string_view path);

// The review with its status, as JSON. `user` asks; only the admin may.
Result<std::string, StatusError> answer_review(std::string_view path, std::string_view body,
                                               const Tokens& tokens, User user);

}  // namespace proxima::apiserver
