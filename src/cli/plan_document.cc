// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_document.h"

#include "core/plan/conditions.h"
#include "report/hint_names.h"
#include "report/note_document.h"
#include "report/plan_fields.h"
#include "report/zone_split.h"

namespace proxima::cli {
namespace {

using model::Snapshot;

void write_names(report::DocumentWriter& writer, std::string_view key,
                 const std::vector<std::string>& names) {
  writer.key(key);
  writer.begin_array();
  for (const std::string& name : names) writer.text(name);
  writer.end_array();
}

void write_endpoints(report::DocumentWriter& writer, const plan::ClusterPlan& plan,
                     const PlannedService& service) {
  const Snapshot& snapshot = *plan.snapshot;
  writer.key("endpoints");
  writer.begin_array();
  for (std::size_t i = 0; i < service.plan.endpoints.size; ++i) {
    const std::size_t index = service.plan.endpoints.begin + i;
    const model::Endpoint& endpoint = snapshot.endpoints[index];
    writer.begin_object();
    write_endpoint(writer, snapshot, endpoint);
    const report::HintNames hints = report::planned_hints(plan, static_cast<std::uint32_t>(index));
    write_names(writer, "forZones", hints.zones);
    write_names(writer, "forNodes", hints.nodes);
    if (i < service.traffic.endpoint_load.size())
      writer.field("load", service.traffic.endpoint_load[i]);
    writer.end_object();
  }
  writer.end_array();
}

void write_demand(report::DocumentWriter& writer, const plan::ClusterPlan& plan,
                  const plan::ServicePlan& service) {
  writer.key("demand");
  writer.begin_object();
  const auto& by_place = plan.demands[service.demand].by_place;
  for (std::size_t place = 0; place < by_place.size(); ++place) {
    if (by_place[place] > 0)
      writer.field(report::place_name(*plan.snapshot, place), by_place[place]);
  }
  writer.end_object();
}

void write_conditions(report::DocumentWriter& writer, const plan::ClusterPlan& plan,
                      const plan::ServicePlan& service) {
  writer.key("conditions");
  writer.begin_array();
  for (const auto& condition : plan::service_conditions(plan, service)) {
    writer.begin_object();
    writer.field("type", condition.type);
    writer.field("status", plan::to_text(condition.status));
    writer.field("reason", condition.reason);
    writer.field("message", condition.message);
    writer.end_object();
  }
  writer.end_array();
}

void write_published(report::DocumentWriter& writer, const plan::ServicePlan& service) {
  writer.key("published");
  writer.begin_object();
  writer.field("hints", service.hinted);
  writer.field("split", service.split >= 0);
  writer.end_object();
}

void write_service(report::DocumentWriter& writer, const plan::ClusterPlan& plan,
                   const PlannedService& service) {
  writer.begin_object();
  write_service_name(writer, *plan.snapshot, service.plan.service, service.plan.family);
  write_policy(writer, plan, service.plan);
  writer.key("reason");
  write_note(writer, service.plan.why);
  write_notes(writer, "policyChain", Snapshot::part(plan.notes, service.plan.policy_notes));
  write_notes(writer, "notes", Snapshot::part(plan.notes, service.plan.planner_notes));
  writer.field("readyEndpoints", service.plan.ready);
  write_published(writer, service.plan);
  write_traffic(writer, service.traffic);
  write_demand(writer, plan, service.plan);
  write_split(writer, plan, service.plan);
  write_conditions(writer, plan, service.plan);
  write_endpoints(writer, plan, service);
  writer.end_object();
}

}  // namespace

std::string plan_document(const plan::ClusterPlan& plan,
                          const std::vector<PlannedService>& services,
                          report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "ServicePlanList");
  writer.key("items");
  writer.begin_array();
  for (const PlannedService& service : services) write_service(writer, plan, service);
  writer.end_array();
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::cli
