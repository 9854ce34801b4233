// SPDX-License-Identifier: Apache-2.0
#include "apiserver/write_requests.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/body_limits.h"
#include "apiserver/object_encoder.h"
#include "apiserver/object_meta.h"
#include "apiserver/patch.h"
#include "apiserver/protobuf_body.h"
#include "apiserver/rules/json_syntax.h"
#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

constexpr std::size_t kMaxPatchDepth = 512;
constexpr std::size_t kMaxOptionsBytes = 64U << 10U;

net::Reply refuse(const ApiRequest& request, const StatusError& error) {
  return error_reply(error, request.representation.pretty);
}

net::Reply answer(const WriteContext& context, const ApiRequest& request, int status,
                  const StoredObject& object) {
  ObjectEncoder encoder(*request.path.type, request.representation);
  encoder.set_now(context.clock.wall_now());
  return when_durable(context.registry.store(), object.revision,
                      json_reply(status, encoder.single(object), request.representation.pretty));
}

net::Reply answer(const WriteContext& context, const ApiRequest& request,
                  const Outcome<Written>& outcome, std::vector<std::string> findings) {
  if (!outcome) {
    net::Reply refusal = refuse(request, outcome.error());
    add_warnings(refusal, findings);
    // A refusal may tell of something that is not durable yet, as a name that is taken.
    return when_durable(context.registry.store(), context.registry.store().revision(),
                        std::move(refusal));
  }
  net::Reply reply = answer(context, request, outcome->created ? 201 : 200, *outcome->object);
  findings.insert(findings.end(), outcome->warnings.begin(), outcome->warnings.end());
  add_warnings(reply, findings);
  return reply;
}

std::string joined(const std::vector<std::string>& findings) {
  std::string out = "strict decoding error: ";
  for (std::size_t i = 0; i < findings.size(); ++i) out += (i > 0 ? ", " : "") + findings[i];
  return out;
}

Outcome<DecodedObject> decode_any(const ResourceType& type, const net::HttpRequest& http) {
  auto encoding = body_encoding(http.headers);
  if (!encoding) return std::move(encoding).error();
  if (*encoding == BodyEncoding::Protobuf) {
    auto text = protobuf_to_json(type, http.body);
    if (!text) return std::move(text).error();
    return decode_body(type, *text, BodyFormat::Json);
  }
  const bool yaml = *encoding == BodyEncoding::Yaml;
  auto fits = yaml ? check_yaml_bytes(http.body) : check_body_values(http.body);
  if (!fits) return std::move(fits).error();
  return decode_body(type, http.body, yaml ? BodyFormat::Yaml : BodyFormat::Json);
}

// Findings become warnings or a refusal, as the request wants it.
Outcome<DecodedObject> decode(const ApiRequest& request, const WriteOptions& options) {
  const ResourceType& type = *request.path.type;
  auto decoded = decode_any(type, request.http);
  if (!decoded) return decoded;
  auto fits = check_object_size(decoded->object);
  if (!fits) return std::move(fits).error();
  if (options.validation == FieldValidation::Strict && !decoded->findings.empty()) {
    return bad_request(std::string(type.name) + " in version \"" + std::string(type.version) +
                       "\" cannot be handled as a " + std::string(type.name) + ": " +
                       joined(decoded->findings));
  }
  if (options.validation == FieldValidation::Ignore) decoded->findings.clear();
  return decoded;
}

Outcome<Unit> check_name(const ResourcePath& path, const json::object& object) {
  const std::string name(meta_text(object, "name"));
  if (name.empty()) {
    return bad_request("the name of the object (" + path.name +
                       " based on URL) was undeterminable: name must be provided");
  }
  if (name != path.name) {
    return bad_request("the name of the object (" + name +
                       ") does not match the name on the URL (" + path.name + ")");
  }
  const std::string_view ns = meta_text(object, "namespace");
  if (path.type->namespaced && !ns.empty() && ns != path.ns) {
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  return Unit{};
}

enum class PatchKind : std::uint8_t { Json, Merge, Strategic };

Outcome<PatchKind> patch_kind(const net::HttpHeaders& headers) {
  const std::string_view type = media_type(headers.find("Content-Type").value_or(""));
  if (type == "application/json-patch+json") return PatchKind::Json;
  if (type == "application/merge-patch+json") return PatchKind::Merge;
  if (type == "application/strategic-merge-patch+json") return PatchKind::Strategic;
  if (type == "application/apply-patch+yaml") {
    return unsupported_media_type(
        "this server does not keep field managers, so it cannot do server-side apply; use "
        "client-side apply (kubectl apply without --server-side)");
  }
  // Upstream's router answers this, in its own way.
  StatusError error = unsupported_media_type("415: Unsupported Media Type");
  error.empty_details = true;
  return error;
}

Outcome<json::object> apply(PatchKind kind, const ResourceType& type, const json::object& object,
                            const json::value& patch) {
  switch (kind) {
    case PatchKind::Json:
      return apply_json_patch(object, patch);
    case PatchKind::Merge:
      return apply_merge_patch(object, patch);
    case PatchKind::Strategic:
      break;
  }
  return apply_strategic_patch(type_of(type), object, patch);
}

Outcome<json::value> parse_patch(PatchKind kind, std::string_view body) {
  if (auto fits = check_body_values(body); !fits) return std::move(fits).error();
  json::error_code error;
  json::parse_options options;
  options.max_depth = kMaxPatchDepth;
  json::value patch = json::parse({body.data(), body.size()}, error, {}, options);
  if (!error) return patch;
  const std::string fault = rules::json_syntax_message(body);
  return bad_request(kind == PatchKind::Strategic ? fault : "error decoding patch: " + fault);
}

// What the decoder says, without the words that name the kind: they are not there in a patch.
std::string complaint_of(const StatusError& error) {
  constexpr std::string_view kMark = " cannot be handled as a ";
  const std::size_t mark = error.message.find(kMark);
  const std::size_t colon =
      mark == std::string::npos ? mark : error.message.find(": ", mark + kMark.size());
  return colon == std::string::npos ? error.message : error.message.substr(colon + 2);
}

// The patched object, decoded as if it had been sent.
Outcome<DecodedObject> patched(const ApiRequest& request, PatchKind kind,
                               const json::object& present, const json::value& patch) {
  const ResourceType& type = *request.path.type;
  auto changed = apply(kind, type, present, patch);
  if (!changed) return std::move(changed).error();
  const auto shown = [&] {
    return kind == PatchKind::Strategic ? json::serialize(patch) : json::serialize(*changed);
  };
  // Patches that each fit could make an object grow without end.
  auto fits = check_object_size(*changed);
  if (!fits) return std::move(fits).error();
  auto decoded = check_fields(type, *changed);
  if (!decoded) return refused_patch_result(shown(), complaint_of(decoded.error()));
  auto named = check_name(request.path, *changed);
  if (!named) return std::move(named).error();
  const bool strict = request.query.text("fieldValidation") == "Strict";
  if (strict && !decoded->findings.empty())
    return refused_patch_result(shown(), joined(decoded->findings));
  return decoded;
}

json::object success(const ResourceType& type, const StoredObject& object) {
  const json::object parsed = parse_stored(object.json);
  const auto text = [](std::string_view view) { return json::string(view.data(), view.size()); };
  json::object details = {{"name", text(meta_text(parsed, "name"))}};
  if (!type.group.empty()) details["group"] = text(type.group);
  details["kind"] = text(type.plural);
  details["uid"] = text(meta_text(parsed, "uid"));
  return {{"kind", "Status"},
          {"apiVersion", "v1"},
          {"metadata", json::object()},
          {"status", "Success"},
          {"details", std::move(details)}};
}

// Kinds whose deletion answers with the object; the others answer with a Status.
bool returns_deleted(Kind kind) {
  return kind == Kind::Pod || kind == Kind::Service || kind == Kind::Namespace;
}

}  // namespace

net::Reply create_object(const WriteContext& context, const ApiRequest& request) {
  auto options = write_options(request.query, "CreateOptions");
  if (!options) return refuse(request, options.error());
  auto decoded = decode(request, *options);
  if (!decoded) return refuse(request, decoded.error());
  const auto written = context.registry.create(*request.path.type, request.path.ns,
                                               std::move(decoded->object), *options);
  return answer(context, request, written, std::move(decoded->findings));
}

net::Reply update_object(const WriteContext& context, const ApiRequest& request) {
  auto options = write_options(request.query, "UpdateOptions");
  if (!options) return refuse(request, options.error());
  auto decoded = decode(request, *options);
  if (!decoded) return refuse(request, decoded.error());
  const auto named = check_name(request.path, decoded->object);
  if (!named) return refuse(request, named.error());
  const auto written = context.registry.update(
      request.path,
      [&](const json::object*) -> Outcome<json::object> { return std::move(decoded->object); },
      *options);
  return answer(context, request, written, std::move(decoded->findings));
}

net::Reply patch_object(const WriteContext& context, const ApiRequest& request) {
  auto kind = patch_kind(request.http.headers);
  if (!kind) return refuse(request, kind.error());
  auto options = write_options(request.query, "PatchOptions");
  if (!options) return refuse(request, options.error());
  auto patch = parse_patch(*kind, request.http.body);
  if (!patch) return refuse(request, patch.error());
  std::vector<std::string> findings;
  const auto change = [&](const json::object* present) -> Outcome<json::object> {
    if (present == nullptr) return not_found(*request.path.type, request.path.name);
    auto decoded = patched(request, *kind, *present, *patch);
    if (!decoded) return std::move(decoded).error();
    if (options->validation == FieldValidation::Warn) findings = std::move(decoded->findings);
    return std::move(decoded->object);
  };
  const auto written = context.registry.update(request.path, change, *options);
  return answer(context, request, written, std::move(findings));
}

Outcome<DeleteOptions> requested_deletion(const ApiRequest& request) {
  const std::string& body = request.http.body;
  if (body.size() > kMaxOptionsBytes)
    return request_too_large("limit for DeleteOptions is " + std::to_string(kMaxOptionsBytes) +
                             " bytes");
  if (body.empty()) return delete_options(request.query, {}, BodyFormat::Json);
  auto encoding = body_encoding(request.http.headers);
  if (!encoding) return std::move(encoding).error();
  if (*encoding != BodyEncoding::Protobuf) {
    return delete_options(request.query, body,
                          *encoding == BodyEncoding::Yaml ? BodyFormat::Yaml : BodyFormat::Json);
  }
  auto text = protobuf_delete_options_to_json(body);
  if (!text) return std::move(text).error();
  return delete_options(request.query, *text, BodyFormat::Json);
}

net::Reply delete_object(const WriteContext& context, const ApiRequest& request) {
  auto options = requested_deletion(request);
  if (!options) return refuse(request, options.error());
  const ResourcePath& path = request.path;
  const bool cascades = options->orphan && !*options->orphan;
  const auto deleted = context.registry.remove(
      *path.type, {path.type->stored_as, path.ns, path.name}, std::move(options).value());
  if (!deleted) {
    return when_durable(context.registry.store(), context.registry.store().revision(),
                        refuse(request, deleted.error()));
  }
  const int status = !deleted->gone && cascades ? 202 : 200;
  if (!deleted->gone || returns_deleted(path.type->kind))
    return answer(context, request, status, *deleted->object);
  return when_durable(
      context.registry.store(), deleted->object->revision,
      json_reply(status, json::serialize(success(*path.type, *deleted->object)) + "\n",
                 request.representation.pretty));
}

}  // namespace proxima::apiserver
