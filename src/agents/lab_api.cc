// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_api.h"

#include "agents/lab_objects.h"

namespace proxima::agents {
namespace {

Status status_of(const kube::ObjectResult& answer) {
  if (answer) return Unit{};
  return kube::to_error(answer.error());
}

// What is to be said of an object that is gone need not be said.
Status unless_gone(const kube::ObjectResult& answer) {
  if (!answer && kube::is_not_found(answer.error())) return Unit{};
  return status_of(answer);
}

kube::ObjectRef pod_ref(const kube::ObjectKey& key) {
  return {kube::kPods, std::string(key.ns), std::string(key.name)};
}

kube::ObjectRef node_ref(const kube::NodeRecord& node) {
  return {kube::kNodes, "", std::string(node.meta.name.view())};
}

}  // namespace

Status LabApi::create_new(const kube::Resource& resource, const std::string& ns,
                          std::string object) {
  return status_of(client_.create({resource, ns, ""}, std::move(object), stop_));
}

Status LabApi::create(const kube::Resource& resource, const std::string& ns, std::string object) {
  const auto answer = client_.create({resource, ns, ""}, std::move(object), stop_);
  if (!answer && kube::is_already_exists(answer.error())) return Unit{};
  return status_of(answer);
}

Result<bool> LabApi::has(const kube::ObjectRef& ref) {
  const auto answer = client_.get(ref, stop_);
  if (answer) return true;
  if (kube::is_not_found(answer.error())) return false;
  return kube::to_error(answer.error());
}

Status LabApi::merge(const kube::ObjectRef& ref, std::string patch) {
  return status_of(client_.patch(ref, kube::PatchKind::Merge, std::move(patch), stop_));
}

Status LabApi::remove_pod(const kube::ObjectKey& pod, std::string_view uid, Grace grace) {
  kube::DeleteOptions options;
  options.uid = uid;
  if (grace == Grace::None) options.grace_period_seconds = 0;
  return unless_gone(client_.remove(pod_ref(pod), options, stop_));
}

Status LabApi::bind(const kube::PodRecord& pod, std::string_view node) {
  kube::ApiRequest request;
  request.method = "POST";
  request.path = kube::resource_path(kube::kPods, pod.ns.view(), pod.name.view(), "binding");
  request.content_type = "application/json";
  request.body = render_binding(pod.key(), pod.uid.view(), node);
  request.timeout = timeout_;
  const auto answer = api_.send(request, stop_);
  if (!answer) return answer.error();
  if (answer->ok()) return Unit{};
  return kube::to_error(kube::failure_of(*answer));
}

Status LabApi::report_running(const kube::PodRecord& pod, const MachineAddresses& addresses,
                              const MachineAddresses& host, WallTime now) {
  const kube::ObjectRef ref = pod_ref(pod.key());
  const auto object = client_.get(ref, stop_);
  if (!object) return unless_gone(object);
  PROXIMA_TRY(std::string patch, render_running(*object, addresses, host, now),
              "Pod " + kube::to_text(pod.key()));
  return unless_gone(client_.patch_status(ref, kube::PatchKind::Merge, std::move(patch), stop_));
}

Status LabApi::report_lost(const kube::PodRecord& pod, WallTime now) {
  return unless_gone(client_.patch_status(pod_ref(pod.key()), kube::PatchKind::Strategic,
                                          render_pod_lost(now), stop_));
}

Status LabApi::report_well(const kube::NodeRecord& node, const MachineAddresses& addresses,
                           WallTime now) {
  const bool has_capacity = !node.cpu.is_zero();
  return unless_gone(client_.patch_status(
      node_ref(node), kube::PatchKind::Merge,
      render_node_well(node.meta.name.view(), addresses, has_capacity, now), stop_));
}

Status LabApi::report_lost(const kube::NodeRecord& node, WallTime now) {
  return unless_gone(client_.patch_status(node_ref(node), kube::PatchKind::Strategic,
                                          render_node_lost(now), stop_));
}

Status LabApi::report_traffic(const kube::NodeRecord& node, double traffic) {
  return unless_gone(
      client_.patch(node_ref(node), kube::PatchKind::Merge, render_traffic(traffic), stop_));
}

}  // namespace proxima::agents
