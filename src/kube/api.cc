// SPDX-License-Identifier: Apache-2.0
#include "kube/api.h"

#include <boost/json.hpp>
#include <charconv>

#include "core/model/limits.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;

// No Status is longer; a proxy's page is not worth parsing.
constexpr std::size_t kMaxStatusBytes = 1U << 20U;
constexpr const model::Limit& kRetryAfter = model::limit_of(model::Bounded::RetryAfterSeconds);

struct CodeText {
  int status;
  std::string_view reason;
  std::string_view message;
};
// What client-go says about an answer without a Status.
constexpr CodeText kCodeTexts[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", "unknown"},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable",
     "the server was unable to respond with a content type that the client supports"},
    {409, "Conflict", "the server reported a conflict"},
    {410, "Expired", "the requested resource version is no longer there"},
    {415, "UnsupportedMediaType", "unknown"},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {500, "InternalError", "an error on the server has prevented the request from succeeding"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be processing "
     "the request"},
};

ApiFailure by_code(int status) {
  for (const CodeText& text : kCodeTexts) {
    if (text.status == status)
      return {status, std::string(text.reason), std::string(text.message), std::nullopt, {}};
  }
  return {status,
          "Unknown",
          "the server responded with the status code " + std::to_string(status) +
              " but did not return more information",
          std::nullopt,
          {}};
}

std::optional<std::uint32_t> seconds_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || text.empty()) return std::nullopt;
  if (!kRetryAfter.admits(value)) return std::nullopt;
  return value;
}

void read_nonempty_text(const json::object& object, std::string_view key, std::string& into) {
  const json::value* value = object.if_contains(key);
  if (value != nullptr && value->is_string() && !value->get_string().empty())
    into = value->get_string().c_str();
}

void read_causes(const json::object& details, ApiFailure& failure) {
  const json::value* causes = details.if_contains("causes");
  if (causes == nullptr || !causes->is_array()) return;
  for (const json::value& cause : causes->get_array()) {
    if (!cause.is_object()) continue;
    std::string reason;
    read_nonempty_text(cause.get_object(), "reason", reason);
    if (!reason.empty()) failure.causes.push_back(std::move(reason));
  }
}

void read_status(std::string_view body, ApiFailure& failure) {
  if (body.size() > kMaxStatusBytes) return;
  json::error_code error;
  const json::value document = json::parse(body, error);
  if (error || !document.is_object()) return;
  const json::object& status = document.get_object();
  const json::value* kind = status.if_contains("kind");
  if (kind == nullptr || !kind->is_string() || kind->get_string() != "Status") return;
  read_nonempty_text(status, "reason", failure.reason);
  read_nonempty_text(status, "message", failure.message);
  const json::value* details = status.if_contains("details");
  if (details == nullptr || !details->is_object()) return;
  read_causes(details->get_object(), failure);
  const json::value* seconds = details->get_object().if_contains("retryAfterSeconds");
  if (seconds != nullptr && seconds->is_int64() && seconds->get_int64() > 0 &&
      kRetryAfter.admits(static_cast<double>(seconds->get_int64())))
    failure.retry_after_seconds = static_cast<std::uint32_t>(seconds->get_int64());
}

ErrorCode code_for(int status) {
  switch (status) {
    case 0:
    case 429:
      return ErrorCode::Retry;
    case 401:
    case 403:
      return ErrorCode::Denied;
    case 404:
      return ErrorCode::NotFound;
    case 409:
      return ErrorCode::Conflict;
    case 410:
      return ErrorCode::Relist;
    default:
      return status >= 500 ? ErrorCode::Retry : ErrorCode::InvalidInput;
  }
}

}  // namespace

std::string resource_path(const Resource& resource, std::string_view ns, std::string_view name,
                          std::string_view subresource) {
  std::string path =
      resource.group.empty() ? "/api/" : "/apis/" + std::string(resource.group) + "/";
  path += resource.version;
  const auto add = [&path](std::string_view part) {
    if (!part.empty()) path += "/" + net::percent_encode(part);
  };
  if (resource.namespaced && !ns.empty()) {
    add("namespaces");
    add(ns);
  }
  add(resource.plural);
  add(name);
  add(subresource);
  return path;
}

ApiFailure failure_of(const ApiResponse& response) {
  ApiFailure failure = by_code(response.status);
  read_status(response.body, failure);
  if (const auto header = response.headers.find("Retry-After")) {
    if (const auto seconds = seconds_in(*header)) failure.retry_after_seconds = seconds;
  }
  return failure;
}

Error to_error(const ApiFailure& failure) {
  std::string message = failure.message;
  // A server's sentence stands alone, as kubectl shows it; without a reason it says too little.
  if (failure.status != 0) {
    message += " (" + std::to_string(failure.status);
    if (!failure.reason.empty()) message += " " + failure.reason;
    message += ")";
  }
  const bool not_sent = failure.status == 0 && failure.reason == kNotSent;
  return {not_sent ? ErrorCode::Denied : code_for(failure.status), std::move(message)};
}

}  // namespace proxima::kube
