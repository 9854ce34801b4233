// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_objects.h"

#include <boost/json.hpp>

#include "agents/number_text.h"
#include "core/model/labels.h"

namespace proxima::agents {
namespace {

namespace json = boost::json;

// What is written as the version of a kubelet: the one whose API the lab speaks.
constexpr std::string_view kKubeletVersion = "v1.36.0+proxima";
constexpr std::string_view kBackendImage = "proxima.io/lab/backend";
constexpr std::string_view kClientImage = "proxima.io/lab/client";
constexpr int kGraceSeconds = 2;

json::string text(std::string_view value) { return json::string(value.data(), value.size()); }

json::object object(std::string_view kind, json::object metadata) {
  return {{"apiVersion", "v1"}, {"kind", text(kind)}, {"metadata", std::move(metadata)}};
}

json::object labels_of(const std::map<std::string, std::string>& labels) {
  json::object out;
  for (const auto& [key, value] : labels) out[key] = text(value);
  return out;
}

json::object pod_spec(std::string_view container, std::string_view image) {
  json::object first{{"name", text(container)}, {"image", text(image)}};
  return {{"terminationGracePeriodSeconds", kGraceSeconds},
          {"enableServiceLinks", false},
          {"containers", json::array{std::move(first)}}};
}

json::object condition(std::string_view type, std::string_view status, WallTime now) {
  return {{"type", text(type)}, {"status", text(status)}, {"lastTransitionTime", time_text(now)}};
}

json::array ip_list(const MachineAddresses& addresses) {
  return {json::object{{"ip", addresses.v4.text()}}, json::object{{"ip", addresses.v6.text()}}};
}

std::string status_patch(json::object status) {
  return json::serialize(json::object{{"status", std::move(status)}});
}

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

const json::object* object_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

// What kubectl counts in its READY column.
Result<json::array> container_statuses(std::string_view pod, WallTime now) {
  json::error_code error;
  const json::value parsed = json::parse({pod.data(), pod.size()}, error);
  const json::object* spec =
      error || !parsed.is_object() ? nullptr : object_at(parsed.get_object(), "spec");
  const json::value* containers = spec == nullptr ? nullptr : spec->if_contains("containers");
  if (containers == nullptr || !containers->is_array())
    return Error{ErrorCode::InvalidInput, "spec.containers: missing"};
  json::array statuses;
  for (const json::value& one : containers->get_array()) {
    if (!one.is_object()) continue;
    statuses.push_back(json::object{
        {"name", text_at(one.get_object(), "name")},
        {"image", text_at(one.get_object(), "image")},
        {"imageID", ""},
        {"ready", true},
        {"started", true},
        {"restartCount", 0},
        {"state", json::object{{"running", json::object{{"startedAt", time_text(now)}}}}}});
  }
  return statuses;
}

json::object lost_condition(std::string_view status, std::string_view reason,
                            std::string_view message, WallTime now) {
  json::object ready = condition("Ready", status, now);
  ready["reason"] = text(reason);
  ready["message"] = text(message);
  return {{"conditions", json::array{std::move(ready)}}};
}

}  // namespace

std::string render_namespace(std::string_view name) {
  const json::object annotations{{model::kDemandAnnotation, "measured"}};
  return json::serialize(object("Namespace", {{"name", text(name)}, {"annotations", annotations}}));
}

std::string render_traffic(double traffic) {
  const json::object annotations{{model::kTrafficAnnotation, number_text(traffic)}};
  return json::serialize(json::object{{"metadata", json::object{{"annotations", annotations}}}});
}

std::string render_marker() {
  return json::serialize(object("ConfigMap", {{"name", text(kMarkerName)}}));
}

std::string render_node(std::string_view name, std::string_view zone) {
  json::object labels;
  labels[model::kHostnameLabel] = text(name);
  labels["kubernetes.io/os"] = "linux";
  labels[model::kZoneLabel] = text(zone);
  return json::serialize(object("Node", {{"name", text(name)}, {"labels", std::move(labels)}}));
}

std::string render_service(const ServiceShape& service) {
  json::object metadata{{"name", service.name}, {"namespace", service.ns}};
  json::object annotations;
  if (!service.policy.empty()) annotations[model::kPolicyAnnotation] = service.policy;
  if (!service.overload.empty()) annotations[model::kOverloadAnnotation] = service.overload;
  if (!annotations.empty()) metadata["annotations"] = std::move(annotations);
  json::object out = object("Service", std::move(metadata));
  out["spec"] = {
      {"selector", json::object{{"app", service.name}}},
      {"ipFamilyPolicy", "PreferDualStack"},
      {"ports", json::array{json::object{
                    {"name", "http"}, {"port", service.port}, {"targetPort", kBackendPort}}}}};
  return json::serialize(out);
}

std::string render_pod(const NewPod& pod) {
  json::object out =
      object("Pod", {{"name", pod.name}, {"namespace", pod.ns}, {"labels", labels_of(pod.labels)}});
  json::object spec = pod_spec("web", kBackendImage);
  spec["containers"].get_array()[0].get_object()["ports"] = json::array{
      json::object{{"name", "http"}, {"containerPort", kBackendPort}, {"protocol", "TCP"}}};
  json::object selector;
  selector[model::kZoneLabel] = pod.zone;
  spec["nodeSelector"] = std::move(selector);
  out["spec"] = std::move(spec);
  return json::serialize(out);
}

std::string client_name(std::string_view node) { return "client-" + std::string(node); }

std::string render_client(std::string_view node) {
  json::object out = object("Pod", {{"name", client_name(node)},
                                    {"namespace", text(kClientNamespace)},
                                    {"labels", json::object{{"app", "lab-client"}}}});
  json::object spec = pod_spec("client", kClientImage);
  spec["nodeName"] = text(node);
  out["spec"] = std::move(spec);
  return json::serialize(out);
}

std::string render_binding(const kube::ObjectKey& pod, std::string_view uid,
                           std::string_view node) {
  json::object out = object(
      "Binding", {{"name", text(pod.name)}, {"namespace", text(pod.ns)}, {"uid", text(uid)}});
  out["target"] = {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", text(node)}};
  return json::serialize(out);
}

Result<std::string> render_running(std::string_view pod, const MachineAddresses& addresses,
                                   const MachineAddresses& host, WallTime now) {
  PROXIMA_TRY(json::array containers, container_statuses(pod, now), "status of a running Pod");
  json::array conditions;
  for (const char* type : {"PodScheduled", "Initialized", "ContainersReady", "Ready"})
    conditions.push_back(condition(type, "True", now));
  return status_patch({{"phase", "Running"},
                       {"startTime", time_text(now)},
                       {"hostIP", host.v4.text()},
                       {"hostIPs", ip_list(host)},
                       {"podIP", addresses.v4.text()},
                       {"podIPs", ip_list(addresses)},
                       {"conditions", std::move(conditions)},
                       {"containerStatuses", std::move(containers)}});
}

std::string render_node_well(std::string_view node, const MachineAddresses& addresses,
                             bool has_capacity, WallTime now) {
  const auto address = [](std::string_view type, std::string_view value) {
    return json::object{{"type", text(type)}, {"address", text(value)}};
  };
  json::object ready = condition("Ready", "True", now);
  ready["reason"] = "KubeletReady";
  ready["message"] = "the lab's agent reports that it is well";
  ready["lastHeartbeatTime"] = time_text(now);
  json::object status{{"addresses", json::array{address("InternalIP", addresses.v4.text()),
                                                address("InternalIP", addresses.v6.text()),
                                                address("Hostname", node)}},
                      {"conditions", json::array{std::move(ready)}}};
  status["nodeInfo"] = {{"kubeletVersion", text(kKubeletVersion)},
                        {"operatingSystem", "linux"},
                        {"osImage", "Proxima lab"},
                        {"containerRuntimeVersion", "proxima://lab"}};
  if (!has_capacity) {
    const json::object capacity{{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "90"}};
    status["capacity"] = capacity;
    status["allocatable"] = capacity;
  }
  return status_patch(std::move(status));
}

std::string render_pod_lost(WallTime now) {
  return status_patch(
      lost_condition("False", "NodeLost", "its node does not report any more", now));
}

// Upstream's node controller says it in these words.
std::string render_node_lost(WallTime now) {
  return status_patch(
      lost_condition("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", now));
}

std::string render_policy(const std::optional<std::string>& policy,
                          const std::optional<double>& overload) {
  json::object annotations;
  annotations[model::kPolicyAnnotation] = nullptr;
  annotations[model::kOverloadAnnotation] = nullptr;
  if (policy) annotations[model::kPolicyAnnotation] = *policy;
  if (policy && overload) annotations[model::kOverloadAnnotation] = number_text(*overload);
  return json::serialize(
      json::object{{"metadata", json::object{{"annotations", std::move(annotations)}}}});
}

}  // namespace proxima::agents
