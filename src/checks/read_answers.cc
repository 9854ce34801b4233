// SPDX-License-Identifier: Apache-2.0
#include "checks/read_answers.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/quantity.h"
#include "base/timestamp.h"
#include "checks/version_text.h"

namespace proxima::checks {
namespace {

namespace json = boost::json;

constexpr std::string_view kUpstreamManager = "kube-controller-manager";
// No cluster has more Pods of one workload.
constexpr std::int64_t kPodsMost = 1'000'000;

Result<json::value> parse_object(std::string_view text) {
  json::error_code error;
  json::value document = json::parse(text, error);
  if (error || !document.is_object()) return invalid_input("the answer is not a JSON object");
  return document;
}

// By a JSON pointer, in which "~1" is a slash. Null: there is no such member.
const json::value* member(const json::value& document, std::string_view pointer) {
  json::error_code error;
  return document.find_pointer(pointer, error);
}

std::string text_at(const json::value& document, std::string_view pointer) {
  const json::value* found = member(document, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool is_true_at(const json::value& document, std::string_view pointer) {
  const json::value* found = member(document, pointer);
  return found != nullptr && found->is_bool() && found->get_bool();
}

std::optional<std::int64_t> count_at(const json::value& document, std::string_view pointer) {
  const json::value* found = member(document, pointer);
  if (found == nullptr || !found->is_int64()) return std::nullopt;
  return std::clamp<std::int64_t>(found->get_int64(), 0, kPodsMost);
}

// Those of an array that are objects.
std::vector<const json::value*> objects_at(const json::value& document, std::string_view pointer) {
  std::vector<const json::value*> found;
  const json::value* list = member(document, pointer);
  if (list == nullptr || !list->is_array()) return found;
  for (const json::value& item : list->get_array())
    if (item.is_object()) found.push_back(&item);
  return found;
}

template <class Row>
Result<std::vector<Row>> rows_of(std::string_view list, Row (*read)(const json::value&)) {
  PROXIMA_TRY(const json::value document, parse_object(list), "list");
  std::vector<Row> rows;
  for (const json::value* item : objects_at(document, "/items")) rows.push_back(read(*item));
  return rows;
}

bool is_cpu(const json::value& node) {
  const auto cpu = Quantity::parse(text_at(node, "/status/allocatable/cpu"));
  return cpu && !cpu->is_zero();
}

NodeRow read_node(const json::value& node) {
  return {.name = text_at(node, "/metadata/name"),
          .zone = text_at(node, "/metadata/labels/topology.kubernetes.io~1zone"),
          .has_cpu = is_cpu(node)};
}

std::optional<Clock::WallTime> upstream_write(const json::value& slice) {
  std::optional<Clock::WallTime> last;
  for (const json::value* field : objects_at(slice, "/metadata/managedFields")) {
    if (text_at(*field, "/manager") != kUpstreamManager) continue;
    const auto time = parse_time(text_at(*field, "/time"));
    if (time) last = last ? std::max(*last, *time) : *time;
  }
  return last;
}

SliceRow read_slice(const json::value& slice) {
  return {.managed_by = text_at(slice, "/metadata/labels/endpointslice.kubernetes.io~1managed-by"),
          .is_of_api_server = text_at(slice, "/metadata/namespace") == "default" &&
                              text_at(slice, "/metadata/name") == "kubernetes",
          .upstream_wrote = upstream_write(slice)};
}

bool has_felix_ebpf(const json::value& workload) {
  for (const json::value* container : objects_at(workload, "/spec/template/spec/containers")) {
    for (const json::value* variable : objects_at(*container, "/env")) {
      if (text_at(*variable, "/name") == "FELIX_BPFENABLED" &&
          text_at(*variable, "/value") == "true")
        return true;
    }
  }
  return false;
}

// Whether the placement of its Pods knows the nodes that Proxima routes.
bool avoids_proxima(const json::value& workload) {
  for (const char* pointer :
       {"/spec/template/spec/affinity/nodeAffinity", "/spec/template/spec/nodeSelector"}) {
    const json::value* placement = member(workload, pointer);
    if (placement == nullptr) continue;
    if (json::serialize(*placement).find("\"proxima.io/node-proxy\"") != std::string::npos)
      return true;
  }
  return false;
}

Workload read_workload(const json::value& object) {
  Workload out;
  out.ns = text_at(object, "/metadata/namespace");
  out.name = text_at(object, "/metadata/name");
  if (text_at(object, "/metadata/labels/app.kubernetes.io~1name") == "proxima")
    out.component = text_at(object, "/metadata/labels/app.kubernetes.io~1component");
  const auto containers = objects_at(object, "/spec/template/spec/containers");
  if (!containers.empty()) out.image = text_at(*containers.front(), "/image");
  out.avoids_proxima = avoids_proxima(object);
  out.has_felix_ebpf = has_felix_ebpf(object);
  return out;
}

Workload read_daemon_set(const json::value& object) {
  Workload out = read_workload(object);
  out.wanted = count_at(object, "/status/desiredNumberScheduled").value_or(0);
  out.ready = count_at(object, "/status/numberReady").value_or(0);
  out.updated = count_at(object, "/status/updatedNumberScheduled").value_or(0);
  return out;
}

Workload read_deployment(const json::value& object) {
  Workload out = read_workload(object);
  out.wanted = count_at(object, "/spec/replicas").value_or(1);
  out.ready = count_at(object, "/status/availableReplicas").value_or(0);
  out.updated = count_at(object, "/status/updatedReplicas").value_or(0);
  return out;
}

// The value of --controllers; "*" when it is not given, as upstream.
std::string controllers_of(const json::value& pod) {
  constexpr std::string_view kFlag = "--controllers=";
  for (const json::value* container : objects_at(pod, "/spec/containers")) {
    for (const char* pointer : {"/command", "/args"}) {
      const json::value* words = member(*container, pointer);
      if (words == nullptr || !words->is_array()) continue;
      for (const json::value& word : words->get_array()) {
        const std::string_view text =
            word.is_string() ? std::string_view(word.get_string()) : std::string_view();
        if (text.starts_with(kFlag)) return std::string(text.substr(kFlag.size()));
      }
    }
  }
  return "*";
}

// Upstream knows the controller by two names. A name with a minus sign counts wherever it stands.
bool runs_slice_controller(std::string_view controllers) {
  const std::string list = "," + std::string(controllers) + ",";
  const auto has = [&](const std::string& word) {
    return list.find("," + word + ",") != std::string::npos;
  };
  constexpr std::array<const char*, 2> kNames = {"endpointslice-controller", "endpointslice"};
  for (const char* name : kNames)
    if (has("-" + std::string(name))) return false;
  return has("*") || has(kNames[0]) || has(kNames[1]);
}

ManagerPod read_manager_pod(const json::value& pod) {
  return {.name = text_at(pod, "/metadata/namespace") + "/" + text_at(pod, "/metadata/name"),
          .runs_slice_controller = runs_slice_controller(controllers_of(pod))};
}

}  // namespace

Result<ServerVersion> read_version(std::string_view object) {
  PROXIMA_TRY(const json::value document, parse_object(object), "version");
  const std::string text = text_at(document, "/gitVersion");
  const auto pair = parse_version_pair(text);
  if (!pair) return invalid_input("gitVersion \"" + text + "\" is not a version");
  return ServerVersion{text, pair->major, pair->minor};
}

std::optional<Clock::WallTime> read_http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonthNames = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = std::ranges::find(kMonthNames, text.substr(8, 3));
  if (month == kMonthNames.end()) return std::nullopt;
  const std::string number = std::to_string(100 + (month - kMonthNames.begin()) + 1).substr(1);
  const auto time =
      parse_time(std::string(text.substr(12, 4)) + "-" + number + "-" +
                 std::string(text.substr(5, 2)) + "T" + std::string(text.substr(17, 8)) + "Z");
  if (!time) return std::nullopt;
  return *time;
}

Result<std::vector<NodeRow>> read_nodes(std::string_view list) { return rows_of(list, read_node); }

Result<std::vector<SliceRow>> read_slices(std::string_view list) {
  return rows_of(list, read_slice);
}

Result<std::vector<Workload>> read_daemon_sets(std::string_view list) {
  return rows_of(list, read_daemon_set);
}

Result<std::vector<Workload>> read_deployments(std::string_view list) {
  return rows_of(list, read_deployment);
}

Result<std::vector<ManagerPod>> read_manager_pods(std::string_view list) {
  return rows_of(list, read_manager_pod);
}

Result<bool> read_allowed(std::string_view review) {
  PROXIMA_TRY(const json::value document, parse_object(review), "SelfSubjectAccessReview");
  if (member(document, "/status") == nullptr)
    return Error{ErrorCode::Retry, "the review has no status"};
  return is_true_at(document, "/status/allowed");
}

Result<std::string> read_cilium_setting(std::string_view config_map) {
  PROXIMA_TRY(const json::value document, parse_object(config_map), "ConfigMap");
  const std::string value = text_at(document, "/data/kube-proxy-replacement");
  if (value.empty() || value == "false" || value == "disabled") return std::string();
  return "kube-proxy-replacement=" + value + " in " + text_at(document, "/metadata/namespace") +
         "/" + text_at(document, "/metadata/name");
}

Result<std::string> read_felix_setting(std::string_view configuration) {
  PROXIMA_TRY(const json::value document, parse_object(configuration), "FelixConfiguration");
  if (!is_true_at(document, "/spec/bpfEnabled")) return std::string();
  return "bpfEnabled: true in the FelixConfiguration " + text_at(document, "/metadata/name");
}

}  // namespace proxima::checks
