// SPDX-License-Identifier: Apache-2.0
// A refusal as Kubernetes words it: the Status object of an error response.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "base/result.h"

namespace proxima::apiserver {

struct StatusCause {
  std::string reason;  // "FieldValueInvalid"
  std::string message;
  std::string field;
};

struct StatusError {
  int code = 500;
  std::string
      reason;  // "NotFound", "AlreadyExists", "Conflict", "Invalid", "BadRequest", "Expired"…
  std::string message;
  // details; empty ones are left out
  std::string name;
  std::string group;
  std::string kind;  // upstream puts the plural here for most, the kind for Invalid
  std::string uid;
  std::vector<StatusCause> causes;
  std::optional<std::uint32_t> retry_after_seconds;
  bool empty_details = false;  // "details": {}, where upstream's router writes that
  std::string continue_token;  // metadata.continue of an expired list
};

template <class T>
using Outcome = Result<T, StatusError>;

boost::json::object to_json(const StatusError& error);

// Messages as upstream words them.
StatusError not_found(const ResourceType& type, std::string_view name);
StatusError already_exists(const ResourceType& type, std::string_view name);
StatusError conflict(const ResourceType& type, std::string_view name, std::string_view message);
StatusError bad_request(std::string_view message);
StatusError forbidden(std::string_view message);
StatusError expired(std::string_view message);
StatusError method_not_allowed(const ResourceType& type, std::string_view verb);
StatusError unsupported_media_type(std::string_view message);
StatusError unknown_path();
// 504: a resourceVersion from the future.
StatusError too_large_revision(std::uint64_t asked, std::uint64_t current);
StatusError internal_error(std::string_view message);
// 429 with Retry-After: 1.
StatusError too_many_requests(std::string_view message);
// 413: 'Request entity too large: …'.
StatusError request_too_large(std::string_view message);

}  // namespace proxima::apiserver
