// SPDX-License-Identifier: Apache-2.0
#include "cli/migrate_text.h"

#include <algorithm>
#include <set>

#include "cli/figures.h"
#include "cli/note_text.h"
#include "cli/service_choice.h"
#include "cli/text_width.h"

namespace proxima::cli {
namespace {

using plan::Migration;
using plan::Migrations;
using plan::Move;
using plan::Outcome;
using plan::PodAdvice;
using policy::PolicyKind;

constexpr std::size_t kMigrateIndent = 2;

// What Kubernetes has replaced by spec.trafficDistribution.
bool is_old(const Migration& migration) {
  return migration.now.policy == PolicyKind::TopologyKeys ||
         migration.now.policy == PolicyKind::Auto;
}

std::string today_label(const Migration& migration) {
  std::string out(policy::to_text(migration.now.policy));
  if (migration.now.policy == PolicyKind::Balanced) out += " " + bound_text(migration.overload);
  return out;
}

// "auto, 1 more Pod in zone-b, 1 in zone-c".
std::string pods_label(const model::Snapshot& snapshot, const PodAdvice& advice) {
  if (advice.placement == plan::PodPlacement::Spread)
    return "auto, " + counted(advice.pods, "Pod") + " spread over the zones";
  const bool added = advice.more > 0;
  std::string out = added ? "" : "auto, Pods placed ";
  for (const plan::ZonePods& zone : advice.zones) {
    const std::size_t pods = added ? zone.more : zone.pods;
    if (pods == 0) continue;
    if (out.empty()) {
      out = "auto, " + std::to_string(pods) + " more in ";
    } else {
      out += (out.ends_with(' ') ? "" : ", ") + std::to_string(pods) + " in ";
    }
    out += snapshot.zone_name(zone.zone);
  }
  return out;
}

bool is_good(const policy::Note& note) {
  return policy::text_of(note.reason).severity == policy::Severity::Good;
}

struct Obstacle {
  policy::Note note;
  std::string moves;  // "trafficDistribution: PreferSameZone and balanced 20%"
};

void add_obstacle(const policy::Note& note, const std::string& move, std::vector<Obstacle>& found) {
  const auto known = std::ranges::find_if(found, [&](const Obstacle& one) {
    return one.note.reason == note.reason && one.note.subject == note.subject;
  });
  if (known == found.end()) {
    found.push_back({note, move});
  } else {
    known->moves += " and " + move;
  }
}

class MigrationText {
 public:
  MigrationText(const Migrations& migrations, const report::MigrationFacts& facts,
                const TableLayout& layout)
      : migrations_(migrations),
        snapshot_(*migrations.snapshot),
        facts_(facts),
        layout_(layout),
        prose_(layout.width, layout.coloring) {}

  std::string render() &&;

 private:
  void assumptions();
  void service(const Migration& migration);
  void figures(const Migration& migration);
  void obstacles(const Migration& migration);
  void suggestion(const Migration& migration);

  void notes(const std::vector<policy::Note>& notes) {
    for (const policy::Note& note : notes) out_ += note_text(note, kMigrateIndent, prose_);
  }
  std::string strong(std::string_view text) const {
    return paint(printable(text), Tone::Strong, layout_.coloring);
  }

  const Migrations& migrations_;
  const model::Snapshot& snapshot_;
  const report::MigrationFacts& facts_;
  TableLayout layout_;
  ProseLayout prose_;
  std::string out_;
};

void MigrationText::assumptions() {
  std::set<model::ServiceIndex> services, old;  // a dual-stack service is there twice
  for (const Migration& one : migrations_.services) {
    services.insert(one.service);
    if (is_old(one)) old.insert(one.service);
  }
  const std::string cluster =
      counted(snapshot_.nodes.size(), "node") + " in " + counted(snapshot_.zones.size(), "zone") +
      ", " + counted(services.size(), "service") + "; " + std::to_string(old.size()) +
      " by topology keys or auto, which trafficDistribution replaces";
  out_ += facts_text({{"Cluster", cluster},
                      {"Traffic", facts_.traffic},
                      {"Demand", facts_.demand},
                      {"Price", facts_.price}},
                     prose_);
}

void MigrationText::figures(const Migration& migration) {
  struct Row {
    std::string change;
    const Outcome* outcome;
  };
  std::vector<Row> rows = {{"as it is now", &migration.now}};
  for (const Move& move : migration.moves) {
    if (!move.is_there) rows.push_back({move_label(move), &move.outcome});
  }
  for (const PodAdvice& advice : migration.pods)
    rows.push_back({pods_label(snapshot_, advice), &advice.outcome});
  const bool rejected =
      std::ranges::any_of(rows, [](const Row& row) { return row.outcome->rejected > 1e-9; });
  std::vector<Column> columns = {{.header = "CHANGE", .shorten = Shorten::Middle, .width_min = 24},
                                 {.header = "LOCAL", .align = Align::Right},
                                 {.header = "OVERLOAD", .align = Align::Right}};
  if (rejected) columns.push_back({.header = "REJECTED", .align = Align::Right});
  columns.push_back({.header = "COST", .align = Align::Right});
  columns.push_back(
      {.header = "REASON", .shorten = Shorten::End, .width_min = 12, .spare_rank = 1});
  std::vector<double> money;
  for (const Row& row : rows)
    money.push_back(row.outcome->cost * row.outcome->gigabytes * facts_.money_per_unit);
  const auto costs = money_texts(money);
  Table table(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Outcome& outcome = *rows[i].outcome;
    const auto& why = policy::text_of(outcome.why.reason);
    std::vector<Cell> cells = {
        {rows[i].change}, {percent_text(outcome.local)}, {overload_text(outcome.worst_overload)}};
    if (rejected) cells.push_back({percent_text(outcome.rejected)});
    cells.push_back({costs[i]});
    cells.push_back({std::string(why.code), tone_of(why.severity)});
    table.add(std::move(cells));
  }
  TableLayout layout = layout_;
  layout.indent = kMigrateIndent;
  out_ += table.render(layout);
}

// What stands in the way of several moves is said once. `auto` is asked about where it is the only
// target; its row has the reason anyway.
void MigrationText::obstacles(const Migration& migration) {
  std::vector<Obstacle> found;
  for (const Move& move : migration.moves) {
    const bool hidden = move.target == plan::MoveTarget::Auto && migration.moves.size() > 1;
    if (move.is_there || hidden) continue;
    for (const policy::Note& note : move.in_the_way) add_obstacle(note, move_label(move), found);
  }
  std::string_view of;
  for (const Obstacle& one : found) {
    if (one.moves != of) out_ += "  In the way of " + one.moves + ":\n";
    of = one.moves;
    notes({one.note});
  }
}

void MigrationText::suggestion(const Migration& migration) {
  if (!migration.suggested && !is_old(migration)) return;
  if (!migration.suggested) {
    out_ += prose_text("Suggested: stay as it is; something is lost with every move.",
                       kMigrateIndent, 0, prose_);
    return;
  }
  const Move& move = *find_move(migration, *migration.suggested);
  out_ += "  Suggested: " + strong(move_label(move)) + "\n";
}

void MigrationText::service(const Migration& migration) {
  std::string name = full_name(snapshot_, migration.service);
  if (migration.family != IpFamily::V4) name += " " + std::string(to_text(migration.family));
  if (!out_.empty()) out_ += "\n";
  out_ += strong(name) + ": " + today_label(migration) + "\n";
  notes(migration.asked);
  // Where there is no move, all that was decided says why; otherwise the moves say the rest.
  std::vector<policy::Note> decided = migration.decided;
  if (!migration.moves.empty()) decided.resize(1);
  std::erase_if(decided, is_good);
  notes(decided);
  if (migration.moves.empty()) return;
  figures(migration);
  obstacles(migration);
  suggestion(migration);
}

std::string MigrationText::render() && {
  if (layout_.headers) assumptions();
  for (const Migration& one : migrations_.services) service(one);
  return std::move(out_);
}

}  // namespace

std::string move_label(const Move& move) {
  if (move.target == plan::MoveTarget::TrafficDistribution)
    return "trafficDistribution: " + std::string(move.value);
  std::string out(move.value);
  if (move.target == plan::MoveTarget::Balanced) out += " " + bound_text(move.overload);
  return out;
}

std::string migrate_text(const Migrations& migrations, const report::MigrationFacts& facts,
                         const TableLayout& layout) {
  return MigrationText(migrations, facts, layout).render();
}

}  // namespace proxima::cli
