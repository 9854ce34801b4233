// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_document.h"

#include <algorithm>
#include <span>

#include "report/note_document.h"
#include "report/plan_fields.h"
#include "report/zone_split.h"

namespace proxima::cli {
namespace {

using plan::Comparison;
using plan::Outcome;
using plan::VariantTotal;

void write_assumptions(report::DocumentWriter& writer, const CompareFacts& facts) {
  writer.key("assumptions");
  writer.begin_object();
  writer.field("traffic", facts.traffic);
  writer.field("demand", facts.demand);
  writer.field("price", facts.price);
  writer.end_object();
}

// {"zone-a": {"zone-b": 1.5}}, in gigabytes; without the pairs that exchange nothing.
void write_gigabytes(report::DocumentWriter& writer, const Comparison& comparison,
                     const VariantTotal& total) {
  writer.key("gigabytesFromTo");
  writer.begin_object();
  for (std::size_t from = 0; from < comparison.places; ++from) {
    const auto row =
        std::span(total.place_to_place).subspan(from * comparison.places, comparison.places);
    if (std::all_of(row.begin(), row.end(), [](double share) { return share <= 0; })) continue;
    writer.key(report::place_name(*comparison.snapshot, from));
    writer.begin_object();
    for (std::size_t to = 0; to < comparison.places; ++to) {
      if (row[to] > 0) writer.field(report::place_name(*comparison.snapshot, to), row[to]);
    }
    writer.end_object();
  }
  writer.end_object();
}

void write_variant(report::DocumentWriter& writer, const plan::Variant& variant) {
  writer.field("variant", variant.name);
  if (!variant.overload) return;
  writer.key("overload");
  report::write_bound(writer, *variant.overload);
}

void write_totals(report::DocumentWriter& writer, const Comparison& comparison,
                  const CompareFacts& facts) {
  writer.key("totals");
  writer.begin_array();
  for (std::size_t v = 0; v < facts.variants_shown; ++v) {
    const VariantTotal& total = comparison.totals[v];
    writer.begin_object();
    write_variant(writer, comparison.variants[v]);
    writer.field("local", total.local);
    writer.field("crossZone", total.cross);
    writer.field("rejected", total.rejected);
    writer.field("worstOverload", total.worst_overload);
    writer.field("meanWorstOverload", total.mean_worst_overload);
    writer.field("gigabytes", total.gigabytes);
    writer.field("cost", total.cost * facts.money_per_unit);
    write_gigabytes(writer, comparison, total);
    writer.end_object();
  }
  writer.end_array();
}

void write_outcome(report::DocumentWriter& writer, const plan::Variant& variant,
                   const Outcome& outcome, double money_per_unit) {
  writer.begin_object();
  write_variant(writer, variant);
  writer.field("policy", policy::to_text(outcome.policy));
  writer.field("local", outcome.local);
  writer.field("crossZone", outcome.cross);
  writer.field("rejected", outcome.rejected);
  writer.field("worstOverload", outcome.worst_overload);
  writer.field("crossZoneGigabytes", outcome.cross_gigabytes);
  writer.field("cost", outcome.cost * outcome.gigabytes * money_per_unit);
  writer.key("reason");
  write_note(writer, outcome.why);
  writer.end_object();
}

void write_services(report::DocumentWriter& writer, const Comparison& comparison,
                    const CompareFacts& facts) {
  writer.key("services");
  writer.begin_array();
  for (const plan::ComparedService& service : comparison.services) {
    writer.begin_object();
    write_service_name(writer, *comparison.snapshot, service.service, service.family);
    if (!service.outcomes.empty()) writer.field("gigabytes", service.outcomes.front().gigabytes);
    writer.key("outcomes");
    writer.begin_array();
    for (std::size_t v = 0; v < facts.variants_shown; ++v) {
      write_outcome(writer, comparison.variants[v], service.outcomes[v], facts.money_per_unit);
    }
    writer.end_array();
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string compare_document(const Comparison& comparison, const CompareFacts& facts,
                             report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "Comparison");
  write_assumptions(writer, facts);
  write_totals(writer, comparison, facts);
  write_services(writer, comparison, facts);
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::cli
