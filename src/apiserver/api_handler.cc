// SPDX-License-Identifier: Apache-2.0
#include "apiserver/api_handler.h"

#include "apiserver/access_reviews.h"
#include "apiserver/discovery.h"
#include "apiserver/health.h"
#include "apiserver/pod_binding.h"
#include "apiserver/read_requests.h"
#include "apiserver/write_requests.h"

namespace proxima::apiserver {
namespace {

enum class Method : std::uint8_t { Get, Post, Put, Patch, Delete, Other };

Method method_of(std::string_view text) {
  if (text == "GET") return Method::Get;
  if (text == "POST") return Method::Post;
  if (text == "PUT") return Method::Put;
  if (text == "PATCH") return Method::Patch;
  return text == "DELETE" ? Method::Delete : Method::Other;
}

StatusError unauthorized() {
  StatusError error;
  error.code = 401;
  error.reason = "Unauthorized";
  error.message = "Unauthorized";
  return error;
}

StatusError wrong_method() {
  StatusError error;
  error.code = 405;
  error.reason = "MethodNotAllowed";
  error.message = "the server does not allow this method on the requested resource";
  error.empty_details = true;
  return error;
}

std::string_view verb_of(const ApiRequest& request) {
  switch (method_of(request.http.method)) {
    case Method::Post:
      return "create";
    case Method::Put:
      return "update";
    case Method::Patch:
      return "patch";
    case Method::Delete:
      return request.path.name.empty() ? "deletecollection" : "delete";
    default:
      return request.path.name.empty() ? "list" : "get";
  }
}

// As upstream's authorizer words it.
StatusError not_permitted(const ApiRequest& request, User user) {
  const ResourcePath& path = request.path;
  StatusError error = not_found(*path.type, path.name);
  const std::string_view suffix = " not found";
  std::string what = error.message.substr(0, error.message.size() - suffix.size());
  if (path.name.empty()) what.resize(what.find(" \""));
  std::string resource(path.type->plural);
  if (path.part == PathPart::Status) resource += "/status";
  if (path.part == PathPart::Finalize) resource += "/finalize";
  if (path.part == PathPart::Binding) resource += "/binding";
  error.code = 403;
  error.reason = "Forbidden";
  error.message = what + " is forbidden: User \"" + std::string(user_name(user)) + "\" cannot " +
                  std::string(verb_of(request)) + " resource \"" + resource + "\" in API group \"" +
                  std::string(path.type->group) + "\"";
  error.message +=
      path.ns.empty() ? " at the cluster scope" : " in the namespace \"" + path.ns + "\"";
  return error;
}

// Which methods a path takes.
bool allows(const ResourcePath& path, Method method) {
  const bool collection = path.name.empty();
  const bool everywhere = collection && path.type->namespaced && path.ns.empty();
  if (path.part == PathPart::Binding) return method == Method::Post;
  if (method == Method::Get) return path.part != PathPart::Finalize;
  if (method == Method::Other || path.type->access == Access::ReadOnly || everywhere) return false;
  if (collection) {
    // Services cannot be deleted all at once upstream, nor namespaces.
    return method == Method::Post ||
           (method == Method::Delete && path.type->kind != Kind::Namespace);
  }
  if (path.part == PathPart::Finalize) return method == Method::Put;
  if (path.part == PathPart::Status) return method == Method::Put || method == Method::Patch;
  return method != Method::Post;
}

// kubectl looks here for a kind that it does not know from OpenAPI (a NodeList, say) before it
// reads a file with one. There are none, and saying so lets it go on.
constexpr std::string_view kCustomKinds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

net::Reply no_custom_kinds(Revision revision, bool pretty) {
  return json_reply(
      200,
      R"({"kind":"CustomResourceDefinitionList","apiVersion":"apiextensions.k8s.io/v1",)"
      R"("metadata":{"resourceVersion":")" +
          std::to_string(revision) + R"("},"items":[]})",
      pretty);
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace

ApiHandler::ApiHandler(Store& store, ObjectRegistry& registry, const Clock& clock,
                       ApiHandlerOptions options)
    : store_(store), registry_(registry), clock_(clock), options_(std::move(options)) {}

net::Admission ApiHandler::admit(const net::HttpRequest& head) {
  if (const auto user = authenticate(options_.tokens, head.headers))
    return {.verdict = net::Admission::Verdict::Authenticated,
            .holder = std::string(user_name(*user))};
  const auto query = RequestQuery::parse(head.target);
  const bool pretty = query && [&] {
    const auto representation = negotiate(head.headers, *query);
    return representation && representation->pretty;
  }();
  return {.verdict = net::Admission::Verdict::Refused,
          .refusal = error_reply(unauthorized(), pretty)};
}

net::Reply ApiHandler::handle(const net::HttpRequest& request) {
  if (store_.failure()) store_.drop_unsaved();
  auto query = RequestQuery::parse(request.target);
  if (!query) return error_reply(query.error(), false);
  auto representation = negotiate(request.headers, *query);
  const bool pretty = representation && representation->pretty;
  const auto user = authenticate(options_.tokens, request.headers);
  if (!user) return error_reply(unauthorized(), pretty);
  const std::string_view path = path_of(request.target);
  if (auto health = answer_health(path, *query, store_)) return std::move(*health);
  if (auto found = answer_discovery(request, options_.server_address)) {
    net::Reply reply;
    reply.response = std::move(*found);
    return reply;
  }
  if (path == kCustomKinds && request.method == "GET")
    return no_custom_kinds(store_.durable(), pretty);
  if (is_review(path)) {
    if (request.method != "POST") return error_reply(wrong_method(), pretty);
    const auto review = answer_review(path, request.body, options_.tokens, *user);
    return review ? json_reply(201, *review, pretty) : error_reply(review.error(), pretty);
  }
  auto resource = parse_resource_path(path);
  if (!resource) {
    return in_served_group(path) ? error_reply(unknown_path(), pretty)
                                 : text_reply(404, "404 page not found\n");
  }
  if (!allows(*resource, method_of(request.method))) return error_reply(wrong_method(), pretty);
  if (!representation) return error_reply(representation.error(), pretty);
  return handle_resource(
      {request, std::move(*resource), std::move(query).value(), std::move(representation).value()},
      *user);
}

net::Reply ApiHandler::handle_resource(const ApiRequest& request, User user) {
  const bool reads = method_of(request.http.method) == Method::Get;
  if (!reads && user != User::Admin)
    return error_reply(not_permitted(request, user), request.representation.pretty);
  net::Reply reply = reads ? read(request) : write(request);
  if (request.path.type->kind == Kind::Endpoints)
    warn_first(reply,
               "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
  return reply;
}

net::Reply ApiHandler::read(const ApiRequest& request) {
  const ReadContext context{store_, clock_, registry_.random()};
  return request.path.name.empty() ? list_or_watch(context, request) : get_object(context, request);
}

net::Reply ApiHandler::write(const ApiRequest& request) {
  // Queueing more would block the loop until the disk has caught up, so clients retry instead.
  if (store_.congested())
    return error_reply(too_many_requests("the disk cannot keep up with writes"),
                       request.representation.pretty);
  const WriteContext context{registry_, clock_};
  switch (method_of(request.http.method)) {
    case Method::Post:
      return request.path.part == PathPart::Binding ? bind_pod(context, request)
                                                    : create_object(context, request);
    case Method::Put:
      return update_object(context, request);
    case Method::Patch:
      return patch_object(context, request);
    default:
      return request.path.name.empty() ? delete_collection(context, request)
                                       : delete_object(context, request);
  }
}

}  // namespace proxima::apiserver
