// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_table.h"

#include <algorithm>

#include "cli/figures.h"
#include "core/plan/conditions.h"
#include "report/zone_split.h"

namespace proxima::cli {
namespace {

std::string published(const plan::ServicePlan& service) {
  const bool split = service.split >= 0;
  if (service.hinted && split) return "hints+split";
  if (service.hinted) return "hints";
  if (split) return "split";
  return service.keys.size > 0 ? "keys" : "-";
}

std::string zone_counts(const model::Snapshot& snapshot, const plan::ServicePlan& service) {
  std::string out;
  for (const report::PlaceCount& place : report::ready_by_place(snapshot, service.endpoints)) {
    if (!out.empty()) out += ' ';
    out.append(place.zone).append(":").append(std::to_string(place.ready));
  }
  return out.empty() ? "-" : out;
}

// "a>a:833,b:167 b>b:1000": from each zone to zones, in thousandths.
std::string split_text(const plan::ClusterPlan& plan, const plan::ServicePlan& service) {
  std::string out;
  for (const report::SplitRow& row : report::split_rows(plan, service)) {
    if (!out.empty()) out += ' ';
    out.append(row.zone).append(row.to.empty() ? ">none" : ">");
    for (const report::SplitShare& share : row.to) {
      if (out.back() != '>') out += ',';
      out.append(share.zone).append(":").append(std::to_string(share.permille));
    }
  }
  return out.empty() ? "-" : out;
}

Tone tone_of_overload(const PlannedService& service) {
  const double tolerated = service.plan.policy == policy::PolicyKind::Balanced
                               ? std::max(service.plan.overload, 0.2)
                               : 0.2;
  return service.traffic.worst_overload > tolerated + 1e-6 ? Tone::Warning : Tone::Plain;
}

std::vector<Column> columns(bool family, Width width) {
  const bool wide = width == Width::Wide;
  std::vector<Column> out = {
      {.header = "NAMESPACE", .shorten = Shorten::Middle},
      {.header = "NAME", .shorten = Shorten::Middle, .width_min = 10},
  };
  if (family) out.push_back({.header = "FAMILY", .spare_rank = 2});
  out.push_back({.header = "POLICY", .shorten = Shorten::Middle, .width_min = 12});
  out.push_back({.header = "READY", .align = Align::Right});
  out.push_back({.header = "LOCAL", .align = Align::Right});
  out.push_back({.header = "OVERLOAD", .align = Align::Right});
  out.push_back({.header = "PUBLISHED", .spare_rank = 1});
  if (wide) out.push_back({.header = "ZONES"});
  if (wide) out.push_back({.header = "SPLIT"});
  out.push_back({.header = "REASON", .shorten = Shorten::End, .width_min = 14});
  if (wide) out.push_back({.header = "MESSAGE"});
  return out;
}

std::vector<Cell> row_of(const plan::ClusterPlan& plan, const PlannedService& service, bool family,
                         Width width, ReasonForm reason) {
  const model::Snapshot& snapshot = *plan.snapshot;
  const model::Service& object = snapshot.services[service.plan.service.value()];
  const policy::Note* refused = plan::not_accepted(plan, service.plan);
  const policy::Note& decided = refused != nullptr ? *refused : service.plan.why;
  const auto& why = policy::text_of(decided.reason);
  const bool serves = service.plan.ready > 0;
  const bool has_zones = !snapshot.zones.empty();
  std::vector<Cell> row = {{std::string(snapshot.namespace_name(object.ns)), Tone::Dim},
                           {std::string(snapshot.names[object.name]), Tone::Strong}};
  if (family) row.push_back({std::string(to_text(service.plan.family))});
  row.push_back({policy_label(service.plan)});
  row.push_back(
      {std::to_string(service.plan.ready) + "/" + std::to_string(service.plan.endpoints.size)});
  row.push_back({serves && has_zones ? percent_text(service.traffic.local) : "-"});
  row.push_back(
      {serves ? overload_text(service.traffic.worst_overload) : "-", tone_of_overload(service)});
  row.push_back({published(service.plan)});
  if (width == Width::Wide) {
    row.push_back({zone_counts(snapshot, service.plan)});
    row.push_back({split_text(plan, service.plan)});
    row.push_back({std::string(why.code), tone_of(why.severity)});
    row.push_back({policy::sentence(decided)});
    return row;
  }
  const bool code = reason == ReasonForm::Code;
  row.push_back({code ? std::string(why.code) : policy::sentence(decided), tone_of(why.severity)});
  return row;
}

}  // namespace

std::string policy_label(const plan::ServicePlan& service) {
  std::string out(policy::to_text(service.policy));
  if (service.policy == policy::PolicyKind::Balanced) out += " " + bound_text(service.overload);
  return out;
}

Table plan_table(const plan::ClusterPlan& plan, const std::vector<PlannedService>& services,
                 Width width, ReasonForm reason) {
  const bool family = width == Width::Wide ||
                      std::any_of(services.begin(), services.end(), [](const PlannedService& s) {
                        return s.plan.family != IpFamily::V4;
                      });
  Table table(columns(family, width));
  for (const PlannedService& service : services)
    table.add(row_of(plan, service, family, width, reason));
  return table;
}

std::string render_plan_table(const plan::ClusterPlan& plan,
                              const std::vector<PlannedService>& services,
                              const TableLayout& layout) {
  const Table sentences = plan_table(plan, services, Width::Usual, ReasonForm::Sentence);
  if (!layout.width || sentences.natural_width() <= *layout.width) return sentences.render(layout);
  return plan_table(plan, services, Width::Usual, ReasonForm::Code).render(layout);
}

}  // namespace proxima::cli
