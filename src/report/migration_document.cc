// SPDX-License-Identifier: Apache-2.0
#include "report/migration_document.h"

#include "report/note_document.h"
#include "report/plan_fields.h"
#include "report/service_patch.h"

namespace proxima::report {
namespace {

using plan::Migration;
using plan::Migrations;
using plan::Move;
using plan::MoveTarget;
using plan::PodAdvice;

class MigrationWriter {
 public:
  MigrationWriter(const Migrations& migrations, const MigrationFacts& facts, DocumentFormat format)
      : migrations_(migrations), facts_(facts), writer_(format) {}

  std::string write() &&;

 private:
  void assumptions();
  void service(const Migration& migration);
  void move(const Migration& migration, const Move& move);
  void pods(const Migration& migration, const PodAdvice& advice);
  void outcome(const plan::Outcome& outcome);

  const Migrations& migrations_;
  const MigrationFacts& facts_;
  DocumentWriter writer_;
};

std::string MigrationWriter::write() && {
  writer_.begin_object();
  writer_.field("apiVersion", "cli.proxima.io/v1");
  writer_.field("kind", "MigrationList");
  assumptions();
  writer_.key("items");
  writer_.begin_array();
  for (const Migration& one : migrations_.services) service(one);
  writer_.end_array();
  writer_.end_object();
  return std::move(writer_).finish();
}

void MigrationWriter::assumptions() {
  writer_.key("assumptions");
  writer_.begin_object();
  writer_.field("traffic", facts_.traffic);
  writer_.field("demand", facts_.demand);
  writer_.field("price", facts_.price);
  writer_.end_object();
}

void MigrationWriter::service(const Migration& migration) {
  writer_.begin_object();
  write_service_name(writer_, *migrations_.snapshot, migration.service, migration.family);
  write_notes(writer_, "asksFor", migration.asked);
  writer_.key("now");
  writer_.begin_object();
  outcome(migration.now);
  write_notes(writer_, "decisions", migration.decided);
  writer_.end_object();
  writer_.key("moves");
  writer_.begin_array();
  for (const Move& one : migration.moves) move(migration, one);
  writer_.end_array();
  writer_.key("podsForAuto");
  writer_.begin_array();
  for (const PodAdvice& advice : migration.pods) pods(migration, advice);
  writer_.end_array();
  writer_.key("suggested");
  if (migration.suggested)
    writer_.text(to_text(*migration.suggested));
  else
    writer_.null();
  writer_.end_object();
}

void MigrationWriter::move(const Migration& migration, const Move& move) {
  writer_.begin_object();
  writer_.field("to", to_text(move.target));
  writer_.field("value", move.value);
  if (move.target == MoveTarget::Balanced) {
    writer_.key("overload");
    write_bound(writer_, move.overload);
  }
  writer_.field("isThere", move.is_there);
  outcome(move.outcome);
  write_notes(writer_, "inTheWay", move.in_the_way);
  writer_.key("patch");
  if (move.is_there)
    writer_.null();
  else
    write_service_patch(writer_, *migrations_.snapshot, migration.service, move.patch);
  writer_.end_object();
}

void MigrationWriter::pods(const Migration& migration, const PodAdvice& advice) {
  const model::Snapshot& snapshot = *migrations_.snapshot;
  const bool spread = advice.placement == plan::PodPlacement::Spread;
  writer_.begin_object();
  writer_.field("placement", spread ? "spread" : "by-zone");
  writer_.field("pods", advice.pods);
  writer_.field("more", advice.more);
  writer_.key("zones");
  writer_.begin_object();
  for (const plan::ZonePods& zone : advice.zones)
    writer_.field(snapshot.zone_name(zone.zone), zone.pods);
  writer_.end_object();
  outcome(advice.outcome);
  writer_.key("patch");
  if (has_workload_patch(snapshot, migration, advice))
    write_workload_patch(writer_, snapshot, migration, advice);
  else
    writer_.null();
  writer_.end_object();
}

void MigrationWriter::outcome(const plan::Outcome& outcome) {
  writer_.field("policy", policy::to_text(outcome.policy));
  writer_.field("local", outcome.local);
  writer_.field("crossZone", outcome.cross);
  writer_.field("rejected", outcome.rejected);
  writer_.field("worstOverload", outcome.worst_overload);
  writer_.field("cost", outcome.cost * outcome.gigabytes * facts_.money_per_unit);
  writer_.key("reason");
  write_note(writer_, outcome.why);
}

}  // namespace

std::string_view to_text(MoveTarget target) {
  constexpr std::string_view kNames[] = {"trafficDistribution", "balanced", "auto"};
  return kNames[static_cast<std::size_t>(target)];
}

std::string migration_document(const Migrations& migrations, const MigrationFacts& facts,
                               DocumentFormat format) {
  return MigrationWriter(migrations, facts, format).write();
}

}  // namespace proxima::report
