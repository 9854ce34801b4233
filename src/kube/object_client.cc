// SPDX-License-Identifier: Apache-2.0
#include "kube/object_client.h"

#include <boost/json.hpp>

namespace proxima::kube {
namespace {

namespace json = boost::json;

constexpr std::string_view kJson = "application/json";

std::string path_of(const ObjectRef& ref, std::string_view subresource = {}) {
  return resource_path(ref.resource, ref.ns, ref.name, subresource);
}

std::string_view content_type(PatchKind kind) {
  switch (kind) {
    case PatchKind::Merge:
      return "application/merge-patch+json";
    case PatchKind::Json:
      return "application/json-patch+json";
    case PatchKind::Strategic:
      return "application/strategic-merge-patch+json";
  }
  return kJson;
}

ApiRequest with_body(std::string method, std::string path, std::string body) {
  return {std::move(method), std::move(path), {}, std::string(kJson), std::move(body)};
}

std::string render(const DeleteOptions& options) {
  json::object body{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty())
    preconditions["resourceVersion"] = options.resource_version;
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  if (!options.propagation.empty()) body["propagationPolicy"] = options.propagation;
  if (options.grace_period_seconds) body["gracePeriodSeconds"] = *options.grace_period_seconds;
  return json::serialize(body);
}

bool is_object(std::string_view body) {
  json::error_code problem;
  const json::value value = json::parse(body, problem);
  return !problem && value.is_object();
}

}  // namespace

bool is_already_exists(const ApiFailure& failure) { return failure.reason == "AlreadyExists"; }
bool is_conflict(const ApiFailure& failure) {
  return failure.status == 409 && !is_already_exists(failure);
}
bool is_not_found(const ApiFailure& failure) { return failure.status == 404; }

ObjectResult ObjectClient::send(ApiRequest request, const net::Cancellation& cancellation) {
  request.timeout = timeout_;
  auto response = api_.send(request, cancellation);
  if (!response) {
    Error error = std::move(response).error();
    const bool not_sent = error.code == ErrorCode::Denied;
    return ApiFailure{
        0, std::string(not_sent ? kNotSent : ""), std::move(error.message), std::nullopt, {}};
  }
  if (!response->ok()) return failure_of(*response);
  // A success without an object may come from a proxy on the way, so the write may not have
  // happened.
  if (!is_object(response->body))
    return ApiFailure{.message = "response body is not a JSON object"};
  return std::move(response->body);
}

ObjectResult ObjectClient::get(const ObjectRef& ref, const net::Cancellation& cancellation) {
  return send({"GET", path_of(ref), {}, {}, {}}, cancellation);
}

ObjectResult ObjectClient::create(const ObjectRef& ref, std::string object,
                                  const net::Cancellation& cancellation) {
  return send(with_body("POST", resource_path(ref.resource, ref.ns), std::move(object)),
              cancellation);
}

ObjectResult ObjectClient::update(const ObjectRef& ref, std::string object,
                                  const net::Cancellation& cancellation) {
  return send(with_body("PUT", path_of(ref), std::move(object)), cancellation);
}

ObjectResult ObjectClient::update_status(const ObjectRef& ref, std::string object,
                                         const net::Cancellation& cancellation) {
  return send(with_body("PUT", path_of(ref, "status"), std::move(object)), cancellation);
}

ObjectResult ObjectClient::patch(const ObjectRef& ref, PatchKind kind, std::string patch,
                                 const net::Cancellation& cancellation) {
  ApiRequest request = with_body("PATCH", path_of(ref), std::move(patch));
  request.content_type = content_type(kind);
  return send(std::move(request), cancellation);
}

ObjectResult ObjectClient::patch_status(const ObjectRef& ref, PatchKind kind, std::string patch,
                                        const net::Cancellation& cancellation) {
  ApiRequest request = with_body("PATCH", path_of(ref, "status"), std::move(patch));
  request.content_type = content_type(kind);
  return send(std::move(request), cancellation);
}

ObjectResult ObjectClient::remove(const ObjectRef& ref, const DeleteOptions& options,
                                  const net::Cancellation& cancellation) {
  return send(with_body("DELETE", path_of(ref), render(options)), cancellation);
}

}  // namespace proxima::kube
