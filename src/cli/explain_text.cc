// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_text.h"

#include <algorithm>
#include <cmath>

#include "cli/figures.h"
#include "cli/note_text.h"
#include "cli/service_choice.h"
#include "cli/text_width.h"
#include "report/hint_names.h"
#include "report/zone_split.h"

namespace proxima::cli {
namespace {

using policy::Note;

constexpr std::size_t kEndpointsShown = 20;
constexpr std::size_t kBarWidth = 10;
constexpr std::size_t kExplainIndent = 2;

class ExplanationText {
 public:
  ExplanationText(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                  plan::From from, const ExplainLayout& layout)
      : plan_(plan),
        snapshot_(*plan.snapshot),
        explanation_(explanation),
        from_(from),
        layout_(layout),
        prose_layout_(layout.width, layout.coloring) {}

  std::string render() &&;

 private:
  void title();
  void answer();
  std::string destinations(double plan::ExplainedEndpoint::*share) const;
  void policy();
  void decisions();
  void published();
  void differences(const std::vector<std::uint32_t>& different);
  void endpoints_used();
  void endpoints_not_used();
  void changes();

  void heading(std::string_view text);
  void notes(const std::vector<Note>& notes);
  void prose(std::string_view text) { out_ += prose_text(text, kExplainIndent, 0, prose_layout_); }
  Table endpoint_table(const std::vector<plan::ExplainedEndpoint>& endpoints, bool used) const;
  void limited(const std::vector<plan::ExplainedEndpoint>& endpoints, bool used);
  std::vector<plan::ExplainedEndpoint> endpoints(bool used) const;

  const plan::ClusterPlan& plan_;
  const model::Snapshot& snapshot_;
  const plan::Explanation& explanation_;
  plan::From from_;
  ExplainLayout layout_;
  ProseLayout prose_layout_;
  std::string out_;
};

std::string place_text(const model::Snapshot& snapshot, plan::From from) {
  std::string zone(from.zone ? snapshot.zone_name(from.zone) : "no zone");
  if (!from.node) return zone;
  return std::string(snapshot.node_name(from.node)) + " in " + zone;
}

std::vector<Cell> change_row(std::string change, const plan::Traffic& traffic, const Note& why,
                             bool rejected) {
  const auto& reason = policy::text_of(why.reason);
  std::vector<Cell> row = {
      {std::move(change)}, {percent_text(traffic.local)}, {overload_text(traffic.worst_overload)}};
  if (rejected) row.push_back({percent_text(traffic.rejected)});
  row.push_back({std::string(reason.code), tone_of(reason.severity)});
  return row;
}

void ExplanationText::heading(std::string_view text) {
  out_.append("\n").append(paint(text, Tone::Strong, layout_.coloring)).append("\n");
}

void ExplanationText::notes(const std::vector<Note>& notes) {
  for (const Note& one : notes) out_ += note_text(one, kExplainIndent, prose_layout_);
}

void ExplanationText::title() {
  out_ += paint(printable(full_name(snapshot_, explanation_.plan.service)), Tone::Strong,
                layout_.coloring);
  out_.append(" over ").append(to_text(explanation_.plan.family));
  out_.append(", from ").append(printable(place_text(snapshot_, from_))).append("\n");
}

void ExplanationText::answer() {
  const std::string planned = destinations(&plan::ExplainedEndpoint::share);
  if (!explanation_.on_node_now) return prose(planned);
  prose("Now: " + destinations(&plan::ExplainedEndpoint::share_now));
  prose("Once the plan is published: " + planned);
}

// Most first: "83.3% stays in zone-b, 16.7% goes to zone-a."
std::string ExplanationText::destinations(double plan::ExplainedEndpoint::*share) const {
  std::vector<double> to(plan_.places, 0);
  double sent = 0;
  for (const auto& endpoint : explanation_.endpoints) {
    const auto zone = snapshot_.endpoints[endpoint.endpoint].zone;
    to[zone ? zone.value() : plan_.places - 1] += endpoint.*share;
    sent += endpoint.*share;
  }
  // What starts outside of every zone cannot stay in one.
  const std::size_t home = from_.zone ? from_.zone.value() : plan_.places;
  std::vector<std::size_t> order;
  for (std::size_t place = 0; place < to.size(); ++place) {
    if (to[place] > 1e-9) order.push_back(place);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return to[a] > to[b]; });
  std::string text;
  for (const std::size_t place : order) {
    text += (text.empty() ? "" : ", ") + percent_text(to[place]);
    text += place == home ? " stays in " : " goes to ";
    text += report::place_name(snapshot_, place);
  }
  if (sent < 1 - 1e-9) text += (text.empty() ? "" : ", ") + percent_text(1 - sent) + " is rejected";
  return text + ".";
}

void ExplanationText::policy() {
  heading("Policy: " + policy_label(explanation_.plan));
  notes(explanation_.policy_chain);
}

void ExplanationText::decisions() {
  heading("What the plan says");
  notes(explanation_.decisions);
  const double overload = explanation_.traffic.worst_overload;
  std::string sum =
      snapshot_.zones.empty()
          ? "No node has a zone, so no traffic can be kept in one; "
          : "All zones together: " + percent_text(explanation_.traffic.local) + " stays local, ";
  sum += overload > 0 ? "the busiest endpoint carries " + percent_text(overload) +
                            " more than its fair share"
                      : "no endpoint carries more than its fair share";
  if (explanation_.traffic.rejected > 1e-9)
    sum += ", " + percent_text(explanation_.traffic.rejected) + " is rejected";
  prose(sum + ".");
  const std::string who = from_.node ? "this node" : "a node there";
  if (explanation_.on_node_now) {
    heading("What " + who + " does now, by the published slices");
    notes(*explanation_.on_node_now);
    heading("What " + who + " does once the plan is published");
  } else {
    heading("What " + who + " does with it");
  }
  notes(explanation_.on_node);
}

// What the slices say today, beside what they would say.
void ExplanationText::published() {
  const plan::Published& published = explanation_.published;
  if (!published.known) return;
  const std::string ready = counted(published.compared, "ready endpoint");
  if (published.equals_plan()) {
    heading(explanation_.on_node_now ? "Published: hints equal the plan, annotations do not"
                                     : "Published: equals the plan");
    out_ += "  " + ready + (published.hinted == 0 ? ", no hints\n" : ", each with its hints\n");
    return;
  }
  const std::size_t count = published.different.size();
  heading("Published: " + std::to_string(count) + " of " + ready +
          (count == 1 ? " differs from the plan" : " differ from the plan"));
  if (published.equally_good)
    out_ += "  Every zone has as many endpoints of each zone as the plan gives it.\n";
  differences(published.different);
}

void ExplanationText::differences(const std::vector<std::uint32_t>& different) {
  const std::size_t count = different.size();
  Table table({{.header = "ADDRESS"},
               {.header = "POD", .shorten = Shorten::Middle, .width_min = 8, .spare_rank = 1},
               {.header = "PUBLISHED FOR", .shorten = Shorten::End, .width_min = 8},
               {.header = "PLANNED FOR", .shorten = Shorten::End, .width_min = 8}});
  const bool all = layout_.endpoints == Width::Wide;
  const std::size_t shown = all ? count : std::min(count, kEndpointsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::uint32_t index = different[i];
    const model::Endpoint& endpoint = snapshot_.endpoints[index];
    table.add({{endpoint.address.text()},
               {endpoint.pod ? std::string(snapshot_.names[endpoint.pod]) : "-"},
               {report::hint_text(report::published_hints(plan_, index)), Tone::Warning},
               {report::hint_text(report::planned_hints(plan_, index))}});
  }
  out_ += table.render(
      {.width = all ? std::nullopt : layout_.width, .coloring = layout_.coloring, .indent = 2});
  if (shown < count)
    out_ += "  … and " + std::to_string(count - shown) + " more (-o wide shows all)\n";
}

std::vector<plan::ExplainedEndpoint> ExplanationText::endpoints(bool used) const {
  std::vector<plan::ExplainedEndpoint> out;
  std::copy_if(explanation_.endpoints.begin(), explanation_.endpoints.end(),
               std::back_inserter(out),
               [&](const auto& e) { return (e.share > 0 || e.share_now > 0) == used; });
  return out;
}

// Never empty for a share that is not.
std::string bar(double share) {
  const auto cells = static_cast<std::size_t>(std::lround(share * static_cast<double>(kBarWidth)));
  std::string out;
  const std::size_t least = share > 0 ? 1 : 0;
  for (std::size_t i = 0; i < std::clamp(cells, least, kBarWidth); ++i) out += "█";
  return out;
}

Table ExplanationText::endpoint_table(const std::vector<plan::ExplainedEndpoint>& endpoints,
                                      bool used) const {
  std::vector<Column> columns;
  if (used) {
    if (explanation_.on_node_now) columns.push_back({.header = "NOW", .align = Align::Right});
    columns.push_back({.header = "SHARE", .align = Align::Right});
    columns.push_back({.header = "", .spare_rank = 2});
    columns.push_back({.header = "LOAD", .align = Align::Right});
  }
  columns.push_back({.header = "ADDRESS"});
  columns.push_back({.header = "ZONE", .shorten = Shorten::Middle, .width_min = 8});
  columns.push_back({.header = "NODE", .shorten = Shorten::Middle, .width_min = 8});
  columns.push_back({.header = "POD", .shorten = Shorten::Middle, .width_min = 8, .spare_rank = 1});
  if (!used) columns.push_back({.header = "WHY", .shorten = Shorten::End, .width_min = 16});
  Table table(columns);
  for (const plan::ExplainedEndpoint& one : endpoints) {
    const model::Endpoint& endpoint = snapshot_.endpoints[one.endpoint];
    std::vector<Cell> row;
    if (used) {
      if (explanation_.on_node_now) row.push_back({percent_text(one.share_now), Tone::Warning});
      row.push_back({percent_text(one.share), Tone::Strong});
      row.push_back({bar(one.share), Tone::Accent});
      row.push_back({percent_text(one.load), one.load > 1.2 + 1e-6 ? Tone::Warning : Tone::Plain});
    }
    const auto zone = endpoint.zone ? endpoint.zone.value() : plan_.places - 1;
    row.push_back({endpoint.address.text()});
    row.push_back({std::string(report::place_name(snapshot_, zone))});
    row.push_back({endpoint.node ? std::string(snapshot_.node_name(endpoint.node)) : "-"});
    row.push_back({endpoint.pod ? std::string(snapshot_.names[endpoint.pod]) : "-"});
    if (!used) row.push_back({policy::sentence(one.why)});
    table.add(std::move(row));
  }
  return table;
}

void ExplanationText::limited(const std::vector<plan::ExplainedEndpoint>& endpoints, bool used) {
  const bool all = layout_.endpoints == Width::Wide;
  const std::size_t shown = all ? endpoints.size() : std::min(endpoints.size(), kEndpointsShown);
  const Table table = endpoint_table(
      {endpoints.begin(), endpoints.begin() + static_cast<std::ptrdiff_t>(shown)}, used);
  out_ += table.render(
      {.width = all ? std::nullopt : layout_.width, .coloring = layout_.coloring, .indent = 2});
  if (shown < endpoints.size())
    out_ += "  … and " + std::to_string(endpoints.size() - shown) + " more (-o wide shows all)\n";
}

void ExplanationText::endpoints_used() {
  const auto used = endpoints(true);
  heading("Endpoints used: " + std::to_string(used.size()) + " of " +
          std::to_string(explanation_.endpoints.size()));
  if (used.empty()) {
    out_ += "  none\n";
    return;
  }
  limited(used, true);
  out_ += paint("  LOAD: from all places together, 100% is the fair share\n", Tone::Dim,
                layout_.coloring);
}

void ExplanationText::endpoints_not_used() {
  const auto unused = endpoints(false);
  if (unused.empty()) return;
  heading("Not used from here");
  limited(unused, false);
}

void ExplanationText::changes() {
  heading("What would change it");
  const auto& changes = explanation_.what_if;
  if (changes.empty()) {
    out_ += "  nothing that was tried: more endpoints, other policies\n";
    return;
  }
  const bool rejected =
      explanation_.traffic.rejected > 1e-9 ||
      std::any_of(changes.begin(), changes.end(), [](const auto& c) { return c.rejected > 1e-9; });
  std::vector<Column> columns = {{.header = "CHANGE", .shorten = Shorten::Middle, .width_min = 24},
                                 {.header = "LOCAL", .align = Align::Right},
                                 {.header = "OVERLOAD", .align = Align::Right}};
  if (rejected) columns.push_back({.header = "REJECTED", .align = Align::Right});
  columns.push_back(
      {.header = "REASON", .shorten = Shorten::End, .width_min = 16, .spare_rank = 1});
  Table table(columns);
  table.add(change_row("as it is now", explanation_.traffic, explanation_.plan.why, rejected));
  for (const plan::WhatIf& change : changes) {
    plan::Traffic traffic;
    traffic.local = change.local;
    traffic.worst_overload = change.worst_overload;
    traffic.rejected = change.rejected;
    table.add(change_row(change.change, traffic, change.why, rejected));
  }
  out_ += table.render({.width = layout_.width, .coloring = layout_.coloring, .indent = 2});
}

std::string ExplanationText::render() && {
  title();
  answer();
  policy();
  decisions();
  published();
  endpoints_used();
  endpoints_not_used();
  changes();
  return std::move(out_);
}

}  // namespace

std::string explain_text(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                         plan::From from, const ExplainLayout& layout) {
  return ExplanationText(plan, explanation, from, layout).render();
}

}  // namespace proxima::cli
