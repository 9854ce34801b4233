// SPDX-License-Identifier: Apache-2.0
#include "report/service_patch.h"

#include "core/model/labels.h"

namespace proxima::report {
namespace {

using model::Snapshot;
using plan::AnnotationChange;

void write_metadata_names(DocumentWriter& writer, std::string_view ns, std::string_view name) {
  writer.field("name", name);
  writer.field("namespace", ns);
}

void write_annotations(DocumentWriter& writer, const std::vector<AnnotationChange>& changes) {
  writer.key("annotations");
  writer.begin_object();
  for (const AnnotationChange& change : changes) {
    writer.key(change.key);
    if (change.value)
      writer.text(*change.value);
    else
      writer.null();
  }
  writer.end_object();
}

void write_spec(DocumentWriter& writer, const plan::ServicePatch& patch) {
  writer.key("spec");
  writer.begin_object();
  if (patch.traffic_distribution) writer.field("trafficDistribution", *patch.traffic_distribution);
  if (patch.removes_topology_keys) writer.key("topologyKeys"), writer.null();
  if (patch.removes_traffic_policy) writer.key("trafficPolicy"), writer.null();
  writer.end_object();
}

void write_constraint(DocumentWriter& writer, const Snapshot& snapshot,
                      const model::Service& service) {
  writer.begin_object();
  writer.field("maxSkew", 1);
  writer.field("topologyKey", model::kZoneLabel);
  writer.field("whenUnsatisfiable", "DoNotSchedule");
  writer.key("labelSelector");
  writer.begin_object();
  writer.key("matchLabels");
  writer.begin_object();
  for (const model::Label& label : Snapshot::part(snapshot.labels, service.selector))
    writer.field(snapshot.names[label.key], snapshot.names[label.value]);
  writer.end_object();
  writer.end_object();
  writer.end_object();
}

}  // namespace

void write_service_patch(DocumentWriter& writer, const Snapshot& snapshot,
                         model::ServiceIndex service, const plan::ServicePatch& patch) {
  const model::Service& object = snapshot.services[service.value()];
  writer.begin_object();
  writer.field("apiVersion", "v1");
  writer.field("kind", "Service");
  writer.key("metadata");
  writer.begin_object();
  write_metadata_names(writer, snapshot.namespace_name(object.ns), snapshot.names[object.name]);
  if (!patch.annotations.empty()) write_annotations(writer, patch.annotations);
  writer.end_object();
  const bool has_spec =
      patch.traffic_distribution || patch.removes_topology_keys || patch.removes_traffic_policy;
  if (has_spec) write_spec(writer, patch);
  writer.end_object();
}

WorkloadName workload_name(std::string_view workload) {
  const auto slash = workload.find('/');
  if (slash == std::string_view::npos) return {};
  return {workload.substr(0, slash), workload.substr(slash + 1)};
}

bool has_workload_patch(const Snapshot& snapshot, const plan::Migration& migration,
                        const plan::PodAdvice& advice) {
  const std::string_view kind = workload_name(migration.workload).kind;
  return advice.placement == plan::PodPlacement::Spread &&
         (kind == "Deployment" || kind == "StatefulSet") &&
         snapshot.services[migration.service.value()].selector.size > 0;
}

void write_workload_patch(DocumentWriter& writer, const Snapshot& snapshot,
                          const plan::Migration& migration, const plan::PodAdvice& advice) {
  const model::Service& service = snapshot.services[migration.service.value()];
  const WorkloadName workload = workload_name(migration.workload);
  writer.begin_object();
  writer.field("apiVersion", "apps/v1");
  writer.field("kind", workload.kind);
  writer.key("metadata");
  writer.begin_object();
  write_metadata_names(writer, snapshot.namespace_name(service.ns), workload.name);
  writer.end_object();
  writer.key("spec");
  writer.begin_object();
  if (advice.more > 0) writer.field("replicas", advice.pods);
  writer.key("template");
  writer.begin_object();
  writer.key("spec");
  writer.begin_object();
  writer.key("topologySpreadConstraints");
  writer.begin_array();
  write_constraint(writer, snapshot, service);
  writer.end_array();
  writer.end_object();
  writer.end_object();
  writer.end_object();
  writer.end_object();
}

}  // namespace proxima::report
