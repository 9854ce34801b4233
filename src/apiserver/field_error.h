// SPDX-License-Identifier: Apache-2.0
// What is wrong with one field of an object, in upstream's kinds and words.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/status_error.h"

namespace proxima::apiserver {

enum class FieldErrorType {
  NotFound,
  Required,
  Duplicate,
  Invalid,
  NotSupported,
  Forbidden,
  TooLong,
  TooMany,
  InternalError,
  TypeInvalid,
};

// Errors that a refusal lists. Upstream lists all; a body of 3 MB can have a hundred thousand, and
// their text would be many times as long as the body.
inline constexpr std::size_t kMaxFieldErrors = 100;

struct FieldError {
  FieldErrorType type;
  std::string field;         // "spec.ports[0].port"
  boost::json::value value;  // as Invalid, NotSupported, Duplicate, TooMany print it
  std::string detail;
};

// 'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive'
std::string to_text(const FieldError& error);
// 'Service "web" is invalid: …': 422 with one cause an error, up to kMaxFieldErrors; with more, the
// message says that there are more.
StatusError invalid_object(const ResourceType& type, std::string_view name,
                           const std::vector<FieldError>& errors);

}  // namespace proxima::apiserver
