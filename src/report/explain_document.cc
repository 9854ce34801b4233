// SPDX-License-Identifier: Apache-2.0
#include "report/explain_document.h"

#include "report/hint_names.h"
#include "report/note_document.h"
#include "report/plan_fields.h"

namespace proxima::report {
namespace {

void write_from(DocumentWriter& writer, const model::Snapshot& snapshot, plan::From from) {
  writer.key("from");
  writer.begin_object();
  if (from.node) writer.field("node", snapshot.node_name(from.node));
  if (from.zone) writer.field("zone", snapshot.zone_name(from.zone));
  writer.end_object();
}

void write_endpoints(DocumentWriter& writer, const model::Snapshot& snapshot,
                     const plan::Explanation& explanation) {
  writer.key("endpoints");
  writer.begin_array();
  for (const plan::ExplainedEndpoint& endpoint : explanation.endpoints) {
    writer.begin_object();
    write_endpoint(writer, snapshot, snapshot.endpoints[endpoint.endpoint]);
    writer.field("share", endpoint.share);
    if (explanation.on_node_now) writer.field("shareNow", endpoint.share_now);
    writer.field("load", endpoint.load);
    writer.key("reason");
    write_note(writer, endpoint.why);
    writer.end_object();
  }
  writer.end_array();
}

void write_hints(DocumentWriter& writer, std::string_view key, const HintNames& hints) {
  writer.key(key);
  writer.begin_object();
  const auto write_names = [&](std::string_view name, const std::vector<std::string>& names) {
    writer.key(name);
    writer.begin_array();
    for (const std::string& each : names) writer.text(each);
    writer.end_array();
  };
  write_names("forZones", hints.zones);
  write_names("forNodes", hints.nodes);
  writer.end_object();
}

// null: there is nothing to compare with.
void write_published(DocumentWriter& writer, const plan::ClusterPlan& plan,
                     const plan::Published& published) {
  writer.key("published");
  if (!published.known) return writer.null();
  writer.begin_object();
  writer.field("equalsPlan", published.equals_plan());
  writer.field("equallyGood", published.equals_plan() || published.equally_good);
  writer.field("compared", published.compared);
  writer.field("hinted", published.hinted);
  writer.key("different");
  writer.begin_array();
  for (const std::uint32_t endpoint : published.different) {
    writer.begin_object();
    write_endpoint(writer, *plan.snapshot, plan.snapshot->endpoints[endpoint]);
    write_hints(writer, "published", published_hints(plan, endpoint));
    write_hints(writer, "planned", planned_hints(plan, endpoint));
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
}

void write_changes(DocumentWriter& writer, const plan::Explanation& explanation) {
  writer.key("whatWouldChangeIt");
  writer.begin_array();
  for (const plan::WhatIf& change : explanation.what_if) {
    writer.begin_object();
    writer.field("change", change.change);
    writer.field("policy", policy::to_text(change.policy));
    writer.field("local", change.local);
    writer.field("rejected", change.rejected);
    writer.field("worstOverload", change.worst_overload);
    writer.key("reason");
    write_note(writer, change.why);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string explain_document(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                             plan::From from, DocumentFormat format) {
  DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "Explanation");
  write_service_name(writer, *plan.snapshot, explanation.plan.service, explanation.plan.family);
  write_from(writer, *plan.snapshot, from);
  write_policy(writer, plan, explanation.plan);
  write_notes(writer, "policyChain", explanation.policy_chain);
  write_notes(writer, "decisions", explanation.decisions);
  write_notes(writer, "onNode", explanation.on_node);
  if (explanation.on_node_now) write_notes(writer, "onNodeNow", *explanation.on_node_now);
  write_traffic(writer, explanation.traffic);
  write_split(writer, plan, explanation.plan);
  write_endpoints(writer, *plan.snapshot, explanation);
  write_published(writer, plan, explanation.published);
  write_changes(writer, explanation);
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::report
