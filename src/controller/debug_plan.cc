// SPDX-License-Identifier: Apache-2.0
#include "controller/debug_plan.h"

#include "core/policy/reason.h"
#include "report/document.h"

namespace proxima::controller {
namespace {

using report::DocumentWriter;

void write(DocumentWriter& out, const slices::ZoneFigures& zone);
void write(DocumentWriter& out, const slices::FamilyDecision& family);
void write(DocumentWriter& out, const plan::ServiceCondition& condition);
void write(DocumentWriter& out, const ShadowWrite& shadow);

template <class All>
void write_all(DocumentWriter& out, std::string_view key, const All& all) {
  out.key(key);
  out.begin_array();
  for (const auto& one : all) write(out, one);
  out.end_array();
}

void write(DocumentWriter& out, const slices::ZoneFigures& zone) {
  out.begin_object();
  out.field("zone", zone.zone);
  out.field("endpoints", zone.endpoints);
  out.field("hinted", zone.hinted);
  out.field("demand", zone.demand);
  out.field("localShare", zone.local_share);
  out.field("predictedOverload", zone.predicted_overload);
  out.end_object();
}

void write(DocumentWriter& out, const slices::FamilyDecision& family) {
  out.begin_object();
  out.field("addressType", kube::to_text(family.family));
  out.field("policy", policy::to_text(family.policy));
  out.field("reason", policy::text_of(family.reason).code);
  out.field("sentence", family.sentence);
  out.field("hinted", family.hinted);
  out.field("localShare", family.local_share);
  if (!family.split.empty()) out.field("split", family.split);
  write_all(out, "zones", family.zones);
  out.end_object();
}

void write(DocumentWriter& out, const plan::ServiceCondition& condition) {
  out.begin_object();
  out.field("type", condition.type);
  out.field("status", plan::to_text(condition.status));
  out.field("reason", condition.reason);
  out.field("message", condition.message);
  out.end_object();
}

void write(DocumentWriter& out, const ShadowWrite& shadow) {
  out.begin_object();
  out.field("operation", to_text(shadow.operation));
  out.field("name", shadow.name);
  if (!shadow.body.empty()) {
    out.key("object");
    out.json(shadow.body);
  }
  out.end_object();
}

void write(DocumentWriter& out, const std::string& key, const DecisionEntry& entry) {
  const slices::ServiceDecision& decision = entry.decision;
  out.begin_object();
  out.field("service", key);
  out.field("accepted", decision.accepted);
  out.field("dependsOnNodes", decision.depends_on_nodes);
  out.field("endpoints", entry.endpoints);
  out.field("slices", entry.slices);
  write_all(out, "families", decision.families);
  write_all(out, "conditions", decision.conditions);
  if (!decision.client_workload.empty()) out.field("clients", decision.client_workload);
  if (!entry.error.empty()) out.field("error", entry.error);
  if (!entry.shadow.empty()) write_all(out, "wouldWrite", entry.shadow);
  out.end_object();
}

}  // namespace

std::string render_decisions(const DecisionBook::Entries& entries) {
  DocumentWriter out(report::DocumentFormat::Compact);
  out.begin_object();
  out.key("services");
  out.begin_array();
  for (const auto& [key, entry] : entries) write(out, key, *entry);
  out.end_array();
  out.end_object();
  return std::move(out).finish();
}

}  // namespace proxima::controller
