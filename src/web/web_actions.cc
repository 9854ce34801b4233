// SPDX-License-Identifier: Apache-2.0
#include "web/web_actions.h"

#include <array>

#include "base/json_text.h"
#include "core/model/labels.h"
#include "net/http_client.h"
#include "web/request_body.h"

namespace proxima::web {
namespace {

constexpr std::chrono::milliseconds kWriteTimeout{10'000};
constexpr net::Deadlines kRoutesDeadlines = {.connect = std::chrono::seconds(2),
                                             .answer = std::chrono::seconds(5),
                                             .idle = std::chrono::seconds(5)};
constexpr std::string_view kProxyPort = ":10249";  // where node proxies serve their status

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

struct Row {
  std::string_view name;
  Act act;
};
constexpr std::array kActions = {Row{"fail-zone", fail_zone}, Row{"heal", heal},
                                 Row{"kill-node", kill_node}, Row{"add-node", add_node},
                                 Row{"scale", scale},         Row{"demand", set_demand}};

std::string annotation(std::string_view key, const std::optional<std::string>& value) {
  return json_text(key) + ":" + (value ? json_text(*value) : "null");
}

std::string policy_patch(const PolicyWish& wish) {
  std::optional<std::string> overload;
  if (wish.overload) overload = overload_annotation(*wish.overload);
  return "{\"metadata\":{\"annotations\":{" + annotation(model::kPolicyAnnotation, wish.policy) +
         "," + annotation(model::kOverloadAnnotation, overload) + "}}}";
}

// Where the node's proxy answers: as the lab says, or else where node proxies usually listen.
Result<std::string> proxy_origin(const ClusterPicture& picture, const LiveSource* live,
                                 const std::string& node) {
  for (const NodePicture& one : picture.nodes) {
    if (one.name != node) continue;
    if (live == nullptr && !one.address.empty()) {
      const bool is_v6 = one.address.find(':') != std::string::npos;
      return "http://" + (is_v6 ? "[" + one.address + "]" : one.address) + std::string(kProxyPort);
    }
    break;
  }
  if (live != nullptr)
    for (const NodeFacts& fact : live->facts().nodes)
      if (fact.name == node && !fact.status_url.empty()) return fact.status_url;
  return Error{ErrorCode::NotFound, "no proxy of a node \"" + node + "\" is known"};
}

}  // namespace

bool WebActions::is_action(std::string_view action) {
  for (const Row& row : kActions)
    if (row.name == action) return true;
  return false;
}

Result<std::string> WebActions::act(std::string_view action, std::string_view body) {
  if (ports_.lab == nullptr) return Error{ErrorCode::NotFound, "there is no lab here"};
  for (const Row& row : kActions)
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

Result<std::string> WebActions::fetch_routes(const ClusterPicture& picture,
                                             const std::string& node) {
  const auto origin = proxy_origin(picture, ports_.live, node);
  if (!origin) return origin.error();
  net::HttpClientOptions options;
  options.origin = *origin;
  PROXIMA_TRY(const auto client, net::HttpClient::create(std::move(options)), *origin);
  net::HttpRequest request;
  request.target = "/debug/routes";
  auto answer = net::fetch(*client, request, kRoutesDeadlines, stop_);
  const std::string who = "the proxy of " + node + " at " + *origin;
  if (!answer) return std::move(answer).error().in(who);
  if (answer->status == 200) return std::move(answer->body);
  return Error{ErrorCode::Retry, who + " answered " + std::to_string(answer->status)};
}

}  // namespace proxima::web
