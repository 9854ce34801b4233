// SPDX-License-Identifier: Apache-2.0
#include "checks/ask_cluster.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/timestamp.h"
#include "checks/read_answers.h"
#include "kube/lease_record.h"
#include "kube/list_pages.h"

namespace proxima::checks {
namespace {

namespace json = boost::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kRequestTimeout{10};
constexpr int kMeasuredRequests = 5;
constexpr kube::Resource kDaemonSets = {"apps", "v1", "daemonsets", "DaemonSet", true};
constexpr kube::Resource kDeployments = {"apps", "v1", "deployments", "Deployment", true};
constexpr kube::Resource kSelfReviews = {"authorization.k8s.io", "v1", "selfsubjectaccessreviews",
                                         "SelfSubjectAccessReview", false};
constexpr kube::Resource kFelixConfigurations = {
    "crd.projectcalico.org", "v1", "felixconfigurations", "FelixConfiguration", false};
constexpr std::string_view kSystemNamespace = "kube-system";
constexpr std::string_view kLeaseName = "proxima-controller";

Result<kube::ApiResponse> answer_to(kube::KubeApi& api, kube::ApiRequest request) {
  request.timeout = kRequestTimeout;
  auto answer = api.send(request, {});
  if (!answer) return std::move(answer).error();
  if (!answer->ok()) return kube::to_error(kube::failure_of(*answer));
  return answer;
}

Result<std::string> body_of(kube::KubeApi& api, std::string path, std::string selector = {}) {
  kube::ApiRequest request;
  request.path = std::move(path);
  if (!selector.empty()) request.query.push_back({"labelSelector", std::move(selector)});
  auto answer = answer_to(api, std::move(request));
  if (!answer) return std::move(answer).error();
  return std::move(answer->body);
}

// The same where a missing object is an answer, too.
Result<std::optional<std::string>> body_if_there(kube::KubeApi& api, std::string path) {
  auto body = body_of(api, std::move(path));
  if (body) return std::optional(std::move(*body));
  if (body.error().code == ErrorCode::NotFound) return std::optional<std::string>();
  return std::move(body).error();
}

template <class Row>
Result<std::vector<Row>> every_row(kube::KubeApi& api, const kube::Resource& resource,
                                   Result<std::vector<Row>> (*read)(std::string_view)) {
  std::vector<Row> rows;
  kube::ListPages pages(api, resource);
  while (true) {
    auto page = pages.next({});
    if (!page) return std::move(page).error();
    if (!*page) return rows;
    auto more = read(**page);
    if (!more) return std::move(more).error();
    rows.insert(rows.end(), std::make_move_iterator(more->begin()),
                std::make_move_iterator(more->end()));
  }
}

// What one request for the version tells.
struct VersionAnswer {
  ServerVersion version;
  microseconds latency{0};
  std::optional<milliseconds> clock_ahead;
};

Result<VersionAnswer> ask_version(kube::KubeApi& api, const Clock& clock) {
  const auto before = clock.wall_now();
  const auto sent = clock.steady_now();
  kube::ApiRequest request;
  request.path = "/version";
  const auto answer = answer_to(api, std::move(request));
  if (!answer) return answer.error();
  const auto took = clock.steady_now() - sent;
  VersionAnswer out;
  out.latency = std::chrono::duration_cast<microseconds>(took);
  auto version = read_version(answer->body);
  if (!version) return std::move(version).error();
  out.version = std::move(*version);
  const auto date = read_http_date(answer->headers.find("Date").value_or(std::string_view()));
  // A date is cut to seconds, so it is half a second old on average, and it was written on the way.
  if (date)
    out.clock_ahead =
        std::chrono::duration_cast<milliseconds>(*date + milliseconds(500) - (before + took / 2));
  return out;
}

Result<ServerFacts> ask_server(kube::KubeApi& api, const std::string& url, const Clock& clock) {
  // The first one makes the connection, which is not what later requests wait for.
  PROXIMA_TRY(const VersionAnswer first, ask_version(api, clock), url);
  ServerFacts server{.url = url, .version = first.version, .clock_ahead = first.clock_ahead};
  for (int i = 0; i < kMeasuredRequests; ++i) {
    PROXIMA_TRY(const VersionAnswer next, ask_version(api, clock), url);
    server.latencies.push_back(next.latency);
    server.clock_ahead = next.clock_ahead;
  }
  server.now = clock.wall_now() + server.clock_ahead.value_or(milliseconds(0));
  return server;
}

std::string review_of_right(const Right& right) {
  json::object spec;
  if (!right.path.empty()) {
    spec["nonResourceAttributes"] = {{"path", right.path}, {"verb", right.verb}};
  } else {
    const std::size_t slash = right.resource.find('/');
    json::object attributes{{"verb", right.verb},
                            {"group", right.group},
                            {"resource", right.resource.substr(0, slash)}};
    if (slash != std::string::npos) attributes["subresource"] = right.resource.substr(slash + 1);
    if (!right.ns.empty()) attributes["namespace"] = right.ns;
    if (!right.name.empty()) attributes["name"] = right.name;
    spec["resourceAttributes"] = std::move(attributes);
  }
  return json::serialize(json::object{{"apiVersion", "authorization.k8s.io/v1"},
                                      {"kind", "SelfSubjectAccessReview"},
                                      {"spec", std::move(spec)}});
}

Result<bool> is_allowed(kube::KubeApi& api, const std::string& review) {
  kube::ApiRequest request;
  request.method = "POST";
  request.path = kube::resource_path(kSelfReviews);
  request.content_type = "application/json";
  request.body = review;
  auto answer = answer_to(api, std::move(request));
  if (!answer) return std::move(answer).error();
  return read_allowed(answer->body);
}

Result<std::vector<Right>> ask_rights(kube::KubeApi& api, const ClusterQuestion& question) {
  std::vector<Right> refused;
  std::map<std::string, bool> known;  // both components need many of them
  for (Right& right : wanted_rights(question.scope.component, question.ns)) {
    const std::string review = review_of_right(right);
    auto found = known.find(review);
    if (found == known.end()) {
      const auto allowed = is_allowed(api, review);
      if (!allowed) return allowed.error();
      found = known.emplace(review, *allowed).first;
    }
    if (!found->second) refused.push_back(std::move(right));
  }
  return refused;
}

Result<std::vector<std::string>> ask_bypasses(kube::KubeApi& api) {
  const struct {
    std::string path;
    Result<std::string> (*read)(std::string_view);
  } places[] = {
      {kube::resource_path(kube::kConfigMaps, kSystemNamespace, "cilium-config"),
       read_cilium_setting},
      {kube::resource_path(kFelixConfigurations, {}, "default"), read_felix_setting},
  };
  std::vector<std::string> found;
  std::optional<Error> failed;
  for (const auto& place : places) {
    const auto body = body_if_there(api, place.path);
    if (!body) {
      failed = body.error();
    } else if (*body) {
      auto setting = place.read(**body);
      if (setting && !setting->empty()) found.push_back(std::move(*setting));
    }
  }
  if (found.empty() && failed) return *std::move(failed);
  return found;
}

std::optional<Clock::WallTime> time_if_any(const std::string& text) {
  const auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}

Result<std::optional<LeaseFacts>> ask_lease(kube::KubeApi& api, const std::string& ns) {
  const auto body = body_if_there(api, kube::resource_path(kube::kLeases, ns, kLeaseName));
  if (!body) return body.error();
  if (!*body) return std::optional<LeaseFacts>();
  const auto record = kube::parse_lease(**body);
  if (!record) return record.error();
  LeaseFacts lease;
  lease.name = ns + "/" + std::string(kLeaseName);
  lease.holder = record->holder;
  lease.duration =
      std::chrono::seconds(std::clamp<std::int64_t>(record->duration_seconds, 0, 3600));
  lease.acquired = time_if_any(record->acquire_time);
  lease.renewed = time_if_any(record->renew_time);
  return std::optional(std::move(lease));
}

template <class Row>
Result<std::vector<Row>> ask_some(kube::KubeApi& api, std::string path, std::string selector,
                                  Result<std::vector<Row>> (*read)(std::string_view)) {
  const auto body = body_of(api, std::move(path), std::move(selector));
  if (!body) return body.error();
  return read(*body);
}

}  // namespace

Result<ClusterFacts> ask_cluster(kube::KubeApi& api, const ClusterQuestion& question,
                                 const Clock& clock) {
  auto server = ask_server(api, question.url, clock);
  if (!server) return std::move(server).error();
  ClusterFacts facts{.server = std::move(*server)};
  facts.refused_rights = ask_rights(api, question);
  facts.nodes = every_row(api, kube::kNodes, read_nodes);
  if (question.scope.component != Component::Proxy)
    facts.slices = every_row(api, kube::kEndpointSlices, read_slices);
  facts.daemon_sets = every_row(api, kDaemonSets, read_daemon_sets);
  facts.manager_pods = ask_some(api, kube::resource_path(kube::kPods, kSystemNamespace),
                                "component=kube-controller-manager", read_manager_pods);
  facts.bypasses = ask_bypasses(api);
  if (question.scope.stage == Stage::Before) return facts;
  facts.deployments = ask_some(api, kube::resource_path(kDeployments),
                               "app.kubernetes.io/name=proxima", read_deployments);
  facts.lease = ask_lease(api, question.ns);
  return facts;
}

}  // namespace proxima::checks
