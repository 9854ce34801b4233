// SPDX-License-Identifier: Apache-2.0
#include "kube/access_review.h"

#include <boost/json.hpp>

#include "kube/json_member.h"
#include "net/digest.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;

constexpr Resource kTokenReviews = {"authentication.k8s.io", "v1", "tokenreviews", "TokenReview",
                                    false};
constexpr Resource kAccessReviews = {"authorization.k8s.io", "v1", "subjectaccessreviews",
                                     "SubjectAccessReview", false};
// Of ServiceAccount tokens that are bound to a Pod (Kubernetes 1.32 and later).
constexpr std::string_view kNodeNameExtra = "authentication.kubernetes.io/node-name";

std::string review_of(const Resource& resource, json::object spec) {
  return json::serialize(json::object{
      {"apiVersion", std::string(resource.group) + "/" + std::string(resource.version)},
      {"kind", resource.kind},
      {"spec", std::move(spec)}});
}

// Null: there is none.
const json::object* object_member(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

bool is_true(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

Result<json::object> status_of_review(std::string_view answer) {
  json::error_code error;
  const json::value document = json::parse(answer, error);
  const json::object* status =
      !error && document.is_object() ? object_member(document.get_object(), "status") : nullptr;
  if (status == nullptr) return Error{ErrorCode::Retry, "the review has no status"};
  return *status;
}

std::string node_of(const json::object& user) {
  const json::object* extra = object_member(user, "extra");
  const json::value* names = extra != nullptr ? extra->if_contains(kNodeNameExtra) : nullptr;
  if (names == nullptr || !names->is_array() || names->get_array().size() != 1) return {};
  const json::value& name = names->get_array().front();
  return name.is_string() ? std::string(name.get_string()) : std::string();
}

json::object subject_of(const json::object& user) {
  json::object subject{{"user", text_member(user, "username")}};
  if (const json::value* groups = user.if_contains("groups")) subject["groups"] = *groups;
  if (const json::value* extra = user.if_contains("extra")) subject["extra"] = *extra;
  if (const json::value* uid = user.if_contains("uid")) subject["uid"] = *uid;
  return subject;
}

// Neither a verb nor a path has a space.
std::string memory_key(const std::string& token, const AccessedPath& accessed) {
  return accessed.verb + " " + accessed.path + " " + net::sha256(token);
}

}  // namespace

Result<std::string> AccessReview::post(const Resource& resource, std::string body,
                                       const net::Cancellation& cancellation) {
  ApiRequest request;
  request.method = "POST";
  request.path = resource_path(resource);
  request.content_type = "application/json";
  request.body = std::move(body);
  request.timeout = options_.request_timeout;
  auto answer = api_.send(request, cancellation);
  if (!answer) return Error{ErrorCode::Retry, answer.error().message};
  // The refusal is of the controller, not of the bearer: they may be right and should retry.
  if (!answer->ok()) return Error{ErrorCode::Retry, to_error(failure_of(*answer)).message};
  return std::move(answer->body);
}

Result<Bearer> AccessReview::ask(const std::string& token, const AccessedPath& accessed,
                                 const net::Cancellation& cancellation) {
  PROXIMA_TRY(const std::string said,
              post(kTokenReviews,
                   review_of(kTokenReviews,
                             {{"token", token}, {"audiences", json::array{options_.audience}}}),
                   cancellation),
              "TokenReview");
  PROXIMA_TRY(const json::object reviewed, status_of_review(said), "TokenReview");
  const json::object* user = object_member(reviewed, "user");
  if (!is_true(reviewed, "authenticated") || user == nullptr)
    return Error{ErrorCode::Denied, "invalid token"};
  json::object spec = subject_of(*user);
  spec["nonResourceAttributes"] = {{"path", accessed.path}, {"verb", accessed.verb}};
  PROXIMA_TRY(const std::string judged,
              post(kAccessReviews, review_of(kAccessReviews, std::move(spec)), cancellation),
              "SubjectAccessReview");
  PROXIMA_TRY(const json::object access, status_of_review(judged), "SubjectAccessReview");
  Bearer bearer{text_member(*user, "username"), node_of(*user)};
  if (!is_true(access, "allowed"))
    return Error{ErrorCode::Denied, "user \"" + bearer.user + "\" cannot " + accessed.verb +
                                        " path \"" + accessed.path + "\""};
  return bearer;
}

std::optional<Result<Bearer>> AccessReview::remembered(const std::string& token,
                                                       const AccessedPath& accessed) {
  if (token.empty()) return Error{ErrorCode::Denied, "no token"};
  const std::string key = memory_key(token, accessed);
  const std::lock_guard lock(mutex_);
  for (LruMap<Answer>* const memory : {&allowed_, &denied_}) {
    const Answer* known = memory->find(key);
    if (known != nullptr && clock_.steady_now() < known->until) return known->bearer;
  }
  return std::nullopt;
}

Result<Bearer> AccessReview::review(const std::string& token, const AccessedPath& accessed,
                                    const net::Cancellation& cancellation) {
  if (auto known = remembered(token, accessed)) return *std::move(known);
  const auto now = clock_.steady_now();
  Result<Bearer> bearer = ask(token, accessed, cancellation);
  if (!bearer && bearer.error().code != ErrorCode::Denied) return bearer;
  const std::string key = memory_key(token, accessed);
  const std::lock_guard lock(mutex_);
  if (bearer) {
    allowed_.put(key, {bearer, now + options_.remember_allowed});
  } else {
    denied_.put(key, {bearer, now + options_.remember_denied});
  }
  return bearer;
}

}  // namespace proxima::kube
