// SPDX-License-Identifier: Apache-2.0
#include "apiserver/pod_binding.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/body_limits.h"
#include "apiserver/object_meta.h"
#include "apiserver/rules/json_syntax.h"
#include "base/timestamp.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

StatusError wrong_target(std::string_view name, FieldError fault) {
  ResourceType type = resource_of(Kind::Pod);
  type.name = "Binding";
  return invalid_object(type, name, {std::move(fault)});
}

Outcome<json::object> parse_body(const ApiRequest& request) {
  const auto type = media_type(request.http.headers.find("Content-Type").value_or(""));
  if (!type.empty() && type != "application/json")
    return unsupported_media_type("a Binding is taken as application/json only");
  if (auto fits = check_body_values(request.http.body); !fits) return std::move(fits).error();
  json::error_code error;
  json::value body = json::parse({request.http.body.data(), request.http.body.size()}, error);
  if (error) return bad_request(rules::json_syntax_message(request.http.body));
  if (!body.is_object()) return bad_request("a Binding must be a JSON object");
  return std::move(body.get_object());
}

// The name of the node that a binding asks for.
Outcome<std::string> target_of(const ApiRequest& request, const json::object& binding) {
  const std::string_view named = meta_text(binding, "name");
  if (!named.empty() && named != request.path.name) {
    return bad_request("the name of the object (" + std::string(named) +
                       ") does not match the name on the URL (" + request.path.name + ")");
  }
  const json::object& target = child_object(binding, "target");
  const std::string kind(text_field(target, "kind"));
  std::string name(text_field(target, "name"));
  if (!kind.empty() && kind != "Node") {
    return wrong_target(request.path.name, {FieldErrorType::NotSupported, "target.kind",
                                            json::value(json::string(kind)),
                                            "supported values: \"Node\", \"<empty>\""});
  }
  if (name.empty())
    return wrong_target(request.path.name,
                        {FieldErrorType::Required, "target.name", json::value(json::string()), ""});
  return name;
}

StatusError cannot_bind(const std::string& pod, const std::string& why) {
  ResourceType type = resource_of(Kind::Pod);
  type.plural = "pods/binding";
  return conflict(type, pod, why);
}

// The other conditions stay as they are.
void set_scheduled(json::object& pod, WallTime now) {
  json::array kept;
  const json::value* present = child_object(pod, "status").if_contains("conditions");
  if (present != nullptr && present->is_array()) {
    for (const json::value& one : present->get_array())
      if (!one.is_object() || text_field(one.get_object(), "type") != "PodScheduled")
        kept.push_back(one);
  }
  kept.push_back(json::object{{"type", "PodScheduled"},
                              {"status", "True"},
                              {"lastProbeTime", nullptr},
                              {"lastTransitionTime", time_text(now)}});
  json::value& status = pod["status"];
  if (!status.is_object()) status.emplace_object();
  status.get_object()["conditions"] = std::move(kept);
}

Outcome<json::object> bound(json::object pod, const std::string& node, WallTime now) {
  const std::string name(meta_text(pod, "name"));
  const json::object& spec = child_object(pod, "spec");
  const std::string present(text_field(spec, "nodeName"));
  const json::value* gates = spec.if_contains("schedulingGates");
  if (is_deleting(pod))
    return cannot_bind(name, "pod " + name + " is being deleted, cannot be assigned to a host");
  if (!present.empty())
    return cannot_bind(name, "pod " + name + " is already assigned to node \"" + present + "\"");
  if (gates != nullptr && gates->is_array() && !gates->get_array().empty())
    return cannot_bind(name, "pod " + name + " has non-empty .spec.schedulingGates");
  pod["spec"].get_object()["nodeName"] = node;
  set_scheduled(pod, now);
  return pod;
}

Outcome<Written> bind(const WriteContext& context, const ApiRequest& request) {
  auto options = write_options(request.query, "CreateOptions");
  if (!options) return std::move(options).error();
  auto binding = parse_body(request);
  if (!binding) return std::move(binding).error();
  const auto node = target_of(request, *binding);
  if (!node) return node.error();
  const std::string uid(meta_text(*binding, "uid"));
  const auto change = [&](const json::object* present) -> Outcome<json::object> {
    auto pod = bound(*present, *node, context.clock.wall_now());
    if (pod && !uid.empty()) metadata_of(*pod)["uid"] = uid;
    return pod;
  };
  return context.registry.update(request.path, change, *options);
}

}  // namespace

net::Reply bind_pod(const WriteContext& context, const ApiRequest& request) {
  const bool pretty = request.representation.pretty;
  const Store& store = context.registry.store();
  const auto written = bind(context, request);
  if (!written) return when_durable(store, store.revision(), error_reply(written.error(), pretty));
  const json::object success{{"kind", "Status"},
                             {"apiVersion", "v1"},
                             {"metadata", json::object()},
                             {"status", "Success"},
                             {"code", 201}};
  return when_durable(store, written->object->revision,
                      json_reply(201, json::serialize(success) + "\n", pretty));
}

}  // namespace proxima::apiserver
