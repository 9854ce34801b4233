// SPDX-License-Identifier: Apache-2.0
#include "apiserver/access_reviews.h"

#include <boost/json.hpp>

#include "apiserver/body_limits.h"

namespace proxima::apiserver {
namespace {

namespace json = boost::json;

constexpr std::string_view kTokenReviewPath = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr std::string_view kAccessReviewPath = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

json::object review_token(const json::object& spec, const Tokens& tokens) {
  const json::value* token = spec.if_contains("token");
  const auto user = token != nullptr && token->is_string()
                        ? user_of_token(tokens, token->get_string())
                        : std::nullopt;
  if (!user) return {{"authenticated", false}, {"error", "invalid bearer token"}, {"user", {}}};
  json::object status{{"authenticated", true},
                      {"user", json::object{{"username", user_name(*user)},
                                            {"groups", json::array{"system:authenticated"}}}}};
  if (const json::value* audiences = spec.if_contains("audiences"))
    status["audiences"] = *audiences;
  return status;
}

// The admin may do everything; everybody else may read.
json::object review_access(const json::object& spec) {
  const json::value* user = spec.if_contains("user");
  const bool admin =
      user != nullptr && user->is_string() && user->get_string() == user_name(User::Admin);
  const json::value* attributes = spec.if_contains("nonResourceAttributes");
  if (attributes == nullptr) attributes = spec.if_contains("resourceAttributes");
  const json::value* verb = attributes != nullptr && attributes->is_object()
                                ? attributes->get_object().if_contains("verb")
                                : nullptr;
  const bool reads = verb != nullptr && verb->is_string() &&
                     (verb->get_string() == "get" || verb->get_string() == "list" ||
                      verb->get_string() == "watch");
  return {{"allowed", admin || reads}};
}

}  // namespace

bool is_review(std::string_view path) {
  return path == kTokenReviewPath || path == kAccessReviewPath;
}

Result<std::string, StatusError> answer_review(std::string_view path, std::string_view body,
                                               const Tokens& tokens, User user) {
  if (user != User::Admin) return forbidden("only the admin may create reviews");
  if (auto fits = check_body_values(body); !fits) return std::move(fits).error();
  json::error_code error;
  json::value document = json::parse(body, error);
  if (error || !document.is_object()) return bad_request("the review is not a JSON object");
  json::object& review = document.get_object();
  const json::value* spec = review.if_contains("spec");
  if (spec == nullptr || !spec->is_object()) return bad_request("spec: Required value");
  review["status"] = path == kTokenReviewPath ? review_token(spec->get_object(), tokens)
                                              : review_access(spec->get_object());
  return json::serialize(document);
}

}  // namespace proxima::apiserver
