// SPDX-License-Identifier: Apache-2.0
#include "apiserver/status_error.h"

#include <boost/json/array.hpp>

namespace proxima::apiserver {
namespace {

// "endpointslices.discovery.k8s.io"
std::string full_resource(const ResourceType& type) {
  std::string out(type.plural);
  return type.group.empty() ? out : out.append(".").append(type.group);
}

// How upstream names an object in a sentence: endpointslices.discovery.k8s.io "web-1".
std::string quoted_name(const ResourceType& type, std::string_view name) {
  return full_resource(type).append(" \"").append(name).append("\"");
}

StatusError about(const ResourceType& type, std::string_view name) {
  StatusError error;
  error.name = name;
  error.group = type.group;
  error.kind = type.plural;
  return error;
}

StatusError plain(int code, std::string_view reason, std::string_view message) {
  StatusError error;
  error.code = code;
  error.reason = reason;
  error.message = message;
  return error;
}

boost::json::array causes_of(const StatusError& error) {
  boost::json::array out;
  for (const StatusCause& cause : error.causes) {
    boost::json::object item;
    if (!cause.reason.empty()) item["reason"] = cause.reason;
    if (!cause.message.empty()) item["message"] = cause.message;
    if (!cause.field.empty()) item["field"] = cause.field;
    out.push_back(std::move(item));
  }
  return out;
}

boost::json::object details_of(const StatusError& error) {
  boost::json::object details;
  if (!error.name.empty()) details["name"] = error.name;
  if (!error.group.empty()) details["group"] = error.group;
  if (!error.kind.empty()) details["kind"] = error.kind;
  if (!error.uid.empty()) details["uid"] = error.uid;
  if (!error.causes.empty()) details["causes"] = causes_of(error);
  if (error.retry_after_seconds) details["retryAfterSeconds"] = *error.retry_after_seconds;
  return details;
}

}  // namespace

boost::json::object to_json(const StatusError& error) {
  boost::json::object meta;
  if (!error.continue_token.empty()) meta["continue"] = error.continue_token;
  boost::json::object out = {{"kind", "Status"},
                             {"apiVersion", "v1"},
                             {"metadata", std::move(meta)},
                             {"status", "Failure"},
                             {"message", error.message}};
  if (!error.reason.empty()) out["reason"] = error.reason;
  boost::json::object details = details_of(error);
  if (!details.empty() || error.empty_details) out["details"] = std::move(details);
  out["code"] = error.code;
  return out;
}

StatusError not_found(const ResourceType& type, std::string_view name) {
  StatusError error = about(type, name);
  error.code = 404;
  error.reason = "NotFound";
  error.message = quoted_name(type, name) + " not found";
  return error;
}

StatusError already_exists(const ResourceType& type, std::string_view name) {
  StatusError error = about(type, name);
  error.code = 409;
  error.reason = "AlreadyExists";
  error.message = quoted_name(type, name) + " already exists";
  return error;
}

StatusError conflict(const ResourceType& type, std::string_view name, std::string_view message) {
  StatusError error = about(type, name);
  error.code = 409;
  error.reason = "Conflict";
  error.message = "Operation cannot be fulfilled on " + quoted_name(type, name) + ": ";
  error.message += message;
  return error;
}

StatusError bad_request(std::string_view message) { return plain(400, "BadRequest", message); }

StatusError forbidden(std::string_view message) { return plain(403, "Forbidden", message); }

StatusError expired(std::string_view message) { return plain(410, "Expired", message); }

StatusError method_not_allowed(const ResourceType& type, std::string_view verb) {
  StatusError error = about(type, {});
  error.code = 405;
  error.reason = "MethodNotAllowed";
  error.message =
      std::string(verb) + " is not supported on resources of kind \"" + full_resource(type) + "\"";
  return error;
}

StatusError unsupported_media_type(std::string_view message) {
  return plain(415, "UnsupportedMediaType", message);
}

StatusError unknown_path() {
  StatusError error = plain(404, "NotFound", "the server could not find the requested resource");
  error.empty_details = true;
  return error;
}

StatusError too_large_revision(std::uint64_t asked, std::uint64_t current) {
  StatusError error = plain(504, "Timeout",
                            "Timeout: Too large resource version: " + std::to_string(asked) +
                                ", current: " + std::to_string(current));
  error.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", {}});
  error.retry_after_seconds = 1;
  return error;
}

StatusError internal_error(std::string_view message) {
  StatusError error =
      plain(500, "InternalError", "Internal error occurred: " + std::string(message));
  error.causes.push_back({{}, std::string(message), {}});
  return error;
}

StatusError too_many_requests(std::string_view message) {
  StatusError error = plain(429, "TooManyRequests", message);
  error.retry_after_seconds = 1;
  return error;
}

StatusError request_too_large(std::string_view message) {
  return plain(413, "RequestEntityTooLarge", "Request entity too large: " + std::string(message));
}

}  // namespace proxima::apiserver
