// SPDX-License-Identifier: Apache-2.0
#include "web/web_actions.h"

#include <array>

#include "base/json_text.h"
#include "core/model/labels.h"
#include "web/proxy_page.h"
#include "web/request_body.h"

namespace proxima::web {
namespace {

constexpr std::chrono::milliseconds kWriteTimeout{10'000};

using Act = Result<std::string> (*)(LabActions& lab, std::string_view body);

Result<std::string> done(const Status& status) {
  if (!status) return status.error();
  return std::string("{}");
}

Result<std::string> fail_zone(LabActions& lab, std::string_view body) {
  const auto zone = read_name(body, "zone");
  return zone ? done(lab.fail_zone(*zone)) : zone.error();
}

Result<std::string> kill_node(LabActions& lab, std::string_view body) {
  const auto node = read_name(body, "node");
  return node ? done(lab.kill_node(*node)) : node.error();
}

Result<std::string> heal(LabActions& lab, std::string_view body) {
  const auto target = read_heal(body);
  return target ? done(lab.heal(*target)) : target.error();
}

Result<std::string> add_node(LabActions& lab, std::string_view body) {
  const auto zone = read_name(body, "zone");
  if (!zone) return zone.error();
  const auto node = lab.add_node(*zone);
  if (!node) return node.error();
  return "{\"node\":" + json_text(*node) + "}";
}

Result<std::string> scale(LabActions& lab, std::string_view body) {
  const auto wanted = read_scale(body);
  return wanted ? done(lab.scale(wanted->service, wanted->zones)) : wanted.error();
}

Result<std::string> set_demand(LabActions& lab, std::string_view body) {
  const auto shares = read_demand(body);
  return shares ? done(lab.set_demand(*shares)) : shares.error();
}

struct ActionRow {
  std::string_view name;
  Act act;
};
constexpr std::array kActions = {
    ActionRow{"fail-zone", fail_zone}, ActionRow{"heal", heal},   ActionRow{"kill-node", kill_node},
    ActionRow{"add-node", add_node},   ActionRow{"scale", scale}, ActionRow{"demand", set_demand}};

std::string annotation(std::string_view key, const std::optional<std::string>& value) {
  return json_text(key) + ":" + (value ? json_text(*value) : "null");
}

std::string policy_patch(const PolicyWish& wish) {
  std::optional<std::string> overload;
  if (wish.overload) overload = overload_annotation(*wish.overload);
  return "{\"metadata\":{\"annotations\":{" + annotation(model::kPolicyAnnotation, wish.policy) +
         "," + annotation(model::kOverloadAnnotation, overload) + "}}}";
}

}  // namespace

bool WebActions::is_action(std::string_view action) {
  for (const ActionRow& row : kActions)
    if (row.name == action) return true;
  return false;
}

Result<std::string> WebActions::act(std::string_view action, std::string_view body) {
  if (ports_.lab == nullptr) return Error{ErrorCode::NotFound, "there is no lab here"};
  for (const ActionRow& row : kActions)
    if (row.name == action) return row.act(*ports_.lab, body);
  return Error{ErrorCode::NotFound, "a lab cannot do that"};
}

Status WebActions::set_policy(const std::string& ns, const std::string& name,
                              const PolicyWish& wish) {
  kube::ApiRequest request;
  request.method = "PATCH";
  request.path = kube::resource_path(kube::kServices, ns, name);
  request.content_type = "application/merge-patch+json";
  request.body = policy_patch(wish);
  request.timeout = kWriteTimeout;
  const auto answer = ports_.api.send(request, stop_);
  if (!answer) return answer.error();
  if (answer->ok()) return Unit{};
  return kube::to_error(kube::failure_of(*answer));
}

// As the lab says, or else where node proxies usually listen.
Result<std::string> WebActions::origin_of(const ClusterPicture& picture,
                                          const std::string& node) const {
  if (ports_.live != nullptr) {
    for (const NodeFacts& fact : ports_.live->facts().nodes)
      if (fact.name == node && !fact.status_url.empty()) return fact.status_url;
  } else if (ports_.proxy_port != 0) {
    for (const NodePicture& one : picture.nodes)
      if (one.name == node && !one.address.empty())
        return proxy_origin(one.address, ports_.proxy_port);
  }
  return Error{ErrorCode::NotFound, "no proxy of a node \"" + node + "\" is known"};
}

Result<std::string> WebActions::fetch_routes(const ClusterPicture& picture,
                                             const std::string& node) {
  const auto origin = origin_of(picture, node);
  if (!origin) return origin.error();
  return fetch({.node = node,
                .origin = *origin,
                .path = "/debug/routes",
                .token_file = ports_.proxy_token_file,
                .bytes_max = kRoutesBytesMax},
               stop_);
}

}  // namespace proxima::web
