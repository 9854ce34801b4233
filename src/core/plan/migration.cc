// SPDX-License-Identifier: Apache-2.0
#include "core/plan/migration.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "core/plan/conditions.h"
#include "core/plan/decisions.h"
#include "core/plan/plan_failure.h"
#include "core/plan/what_if.h"
#include "core/policy/topology_keys.h"

namespace proxima::plan {
namespace {

using model::Snapshot;
using policy::Note;
using policy::PolicyKind;
using policy::Reason;
using policy::Severity;

using Keys = std::span<const std::string_view>;

bool lists(Keys keys, std::string_view key) { return std::ranges::find(keys, key) != keys.end(); }

// As the annotation takes it: "20%", "inf".
std::string overload_annotation(double overload) {
  if (std::isinf(overload)) return "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.12g%%", overload * 100);
  return text;
}

bool is_the_same(const Outcome& a, const Outcome& b) {
  return std::abs(a.local - b.local) <= kNoticeable &&
         std::abs(a.rejected - b.rejected) <= kNoticeable &&
         std::abs(a.worst_overload - b.worst_overload) <= kNoticeable;
}

bool hurts(const Note& note) { return policy::text_of(note.reason).severity >= Severity::Fallback; }

PolicyKind policy_of(const Move& move) {
  if (move.target == MoveTarget::Balanced) return PolicyKind::Balanced;
  if (move.target == MoveTarget::Auto) return PolicyKind::Auto;
  return move.value == kPreferSameNode ? PolicyKind::PreferSameNode : PolicyKind::PreferSameZone;
}

// Of what a plan says: what somebody should look at before moving.
bool stands_in_the_way(const Note& note) {
  const auto& text = policy::text_of(note.reason);
  return hurts(note) || (text.severity == Severity::Info && !text.remedy.empty());
}

// The name of the workload that all Pods behind the endpoints belong to.
std::string_view workload_of(const Snapshot& snapshot, const ServicePlan& service) {
  const model::NamespaceIndex ns = snapshot.services[service.service.value()].ns;
  const auto before = [&](const model::Pod& pod, std::string_view name) {
    return pod.ns != ns ? pod.ns < ns : snapshot.names[pod.name] < name;
  };
  NameId workload;
  for (const model::Endpoint& endpoint : Snapshot::part(snapshot.endpoints, service.endpoints)) {
    if (!is_ready_for_proxy(endpoint)) continue;
    const std::string_view name = snapshot.names[endpoint.pod];
    const auto pod = std::lower_bound(snapshot.pods.begin(), snapshot.pods.end(), name, before);
    const bool known =
        endpoint.pod && pod != snapshot.pods.end() && pod->ns == ns && pod->name == endpoint.pod;
    if (!known || !pod->owner || (workload && workload != pod->owner)) return {};
    workload = pod->owner;
  }
  return snapshot.names[workload];
}

class MigrationPlanner {
 public:
  MigrationPlanner(const ClusterPlan& plan, const TrafficVolume& volume)
      : plan_(plan),
        volume_(volume),
        default_overload_(overload_annotation(plan.options.defaults.overload)),
        rehearsal_(plan, words()) {}

  Migration migrate(const ServicePlan& service);
  model::SnapshotPtr names() const { return rehearsal_.names(); }

 private:
  std::vector<std::string_view> words() const {
    auto out = patch_words();
    out.push_back(default_overload_);
    return out;
  }
  const policy::FeatureGates& gates() const { return plan_.options.defaults.gates; }
  Keys keys_of(const ServicePlan& service) const {
    return Snapshot::part(plan_.topology_keys, service.keys);
  }
  bool prefers_node(const ServicePlan& service) const;
  bool is_there(const ServicePlan& service, MoveTarget target) const;
  PatchWish wish_for(const ServicePlan& service, MoveTarget target) const;
  Move move_of(const ServicePlan& service, MoveTarget target, const Outcome& now);
  std::vector<Note> losses(const ServicePlan& service, const Move& move, const Outcome& now) const;
  std::vector<Note> objections(const ClusterPlan& plan, const ServicePlan& moved) const;
  std::optional<MoveTarget> suggested(const ServicePlan& service, const Migration& migration) const;

  const ClusterPlan& plan_;
  const TrafficVolume& volume_;
  std::string default_overload_;
  ServiceRehearsal rehearsal_;
};

Migration MigrationPlanner::migrate(const ServicePlan& service) {
  const Snapshot& snapshot = *plan_.snapshot;
  PROXIMA_CHECK(!has_failed(service));
  Migration out{.service = service.service, .family = service.family, .overload = service.overload};
  out.now =
      outcome_of(service, predict_traffic(plan_, service), gigabytes_of(plan_, service, volume_));
  out.asked = policy_chain_of(plan_, service);
  out.decided = decisions_of(plan_, service);
  out.workload = workload_of(snapshot, service);
  if (service.ready == 0 || snapshot.services[service.service.value()].headless) return out;
  for (const MoveTarget target : kAllMoveTargets)
    out.moves.push_back(move_of(service, target, out.now));
  out.suggested = suggested(service, out);
  // Slices of somebody else are not planned, whatever the Pods are.
  if (service.planned < service.endpoints.size) return out;
  const ServiceWords as_auto =
      patched(rehearsal_.words_of(service.service), out.moves.back().patch, rehearsal_);
  out.pods =
      pods_for_auto(rehearsal_, as_auto, Snapshot::part(snapshot.endpoints, service.endpoints),
                    out.now, service.family);
  return out;
}

bool MigrationPlanner::prefers_node(const ServicePlan& service) const {
  const Keys keys = keys_of(service);
  return service.policy == PolicyKind::PreferSameNode ||
         (service.policy == PolicyKind::Balanced && service.node_first) ||
         (!keys.empty() && keys.front() == model::kHostnameLabel);
}

bool MigrationPlanner::is_there(const ServicePlan& service, MoveTarget target) const {
  if (target == MoveTarget::Balanced) return service.policy == PolicyKind::Balanced;
  if (target == MoveTarget::Auto) return service.policy == PolicyKind::Auto;
  const bool by_field =
      plan_.notes[service.policy_notes.begin].reason == Reason::PolicyFromTrafficDistribution;
  return by_field && (service.policy == PolicyKind::PreferSameZone ||
                      service.policy == PolicyKind::PreferSameNode);
}

PatchWish MigrationPlanner::wish_for(const ServicePlan& service, MoveTarget target) const {
  const model::Service& object = plan_.snapshot->services[service.service.value()];
  const model::Namespace& ns = plan_.snapshot->namespaces[object.ns.value()];
  PatchWish wish{.target = target};
  const bool node = prefers_node(service);
  const bool zones_by_name = gates().prefer_same_traffic_distribution;
  wish.distribution = node ? kPreferSameNode : (zones_by_name ? kPreferSameZone : kPreferClose);
  if (!object.routing.overload && !ns.routing.overload)
    wish.overload = rehearsal_.text(rehearsal_.word(default_overload_));
  wish.node_first = node && !object.routing.node_first;
  return wish;
}

Move MigrationPlanner::move_of(const ServicePlan& service, MoveTarget target, const Outcome& now) {
  const ServiceWords words = rehearsal_.words_of(service.service);
  const PatchWish wish = wish_for(service, target);
  Move move{.target = target, .is_there = is_there(service, target)};
  if (target != MoveTarget::TrafficDistribution) {
    move.value = policy::to_text(policy_of(move));
  } else {
    move.value =
        move.is_there ? rehearsal_.text(words.service.traffic_distribution) : wish.distribution;
  }
  if (!move.is_there) move.patch = patch_for(words, wish, rehearsal_);
  const ClusterPlan& plan =
      rehearsal_.plan_with(patched(words, move.patch, rehearsal_), service.service);
  const ServicePlan& moved = *family_of(plan, service.family);
  move.overload = moved.overload;
  move.outcome = outcome_of(moved, predict_traffic(plan, moved), now.gigabytes);
  if (!move.is_there) move.in_the_way = losses(service, move, now);
  move.loses = moved.policy != policy_of(move) || std::ranges::any_of(move.in_the_way, hurts);
  const auto more = objections(plan, moved);
  move.in_the_way.insert(move.in_the_way.end(), more.begin(), more.end());
  return move;
}

// What the Service has today and the target does not.
std::vector<Note> MigrationPlanner::losses(const ServicePlan& service, const Move& move,
                                           const Outcome& now) const {
  std::vector<Note> out;
  const Keys keys = keys_of(service);
  const bool by_field = move.target == MoveTarget::TrafficDistribution;
  if (!keys.empty() && keys.back() != policy::kAnyTopology)
    out.push_back({.reason = Reason::MoveNeverRejects});
  for (const std::string_view key : keys) {
    const bool kept = key == model::kZoneLabel || key == policy::kAnyTopology ||
                      (key == model::kHostnameLabel && move.target != MoveTarget::Auto);
    if (!kept) out.push_back({.reason = Reason::MoveLosesTopologyKey, .subject = key});
  }
  if (by_field && move.value == kPreferSameNode && !keys.empty() && !lists(keys, model::kZoneLabel))
    out.push_back({.reason = Reason::MoveAddsZoneTier});
  const double bound = service.policy == PolicyKind::Balanced
                           ? service.overload
                           : plan_.options.defaults.auto_options.start_below;
  const double overload = move.outcome.worst_overload;
  if (by_field && overload > bound + kNoticeable && overload > now.worst_overload + kNoticeable)
    out.push_back({.reason = Reason::MoveExceedsBound, .share = overload, .limit = bound});
  return out;
}

// What the plan of the moved Service says against it.
std::vector<Note> MigrationPlanner::objections(const ClusterPlan& plan,
                                               const ServicePlan& moved) const {
  std::vector<Note> out;
  if (const Note* refused = not_accepted(plan, moved)) out.push_back(*refused);
  const model::Service& object = plan.snapshot->services[moved.service.value()];
  if (moved.hinted && !policy::uses_hints(*plan.snapshot, object, gates()))
    out.push_back({.reason = Reason::HintsSwitchedOff});
  for (const Note& note : decisions_of(plan, moved)) {
    const bool said =
        note.reason == Reason::BalancedNoLocalEndpoints && note.subject == moved.why.subject;
    if (stands_in_the_way(note) && !said) out.push_back(note);
  }
  return out;
}

// Where everything stays as it is, what the plan says against it is true today as well.
std::optional<MoveTarget> MigrationPlanner::suggested(const ServicePlan& service,
                                                      const Migration& migration) const {
  if (service.policy != PolicyKind::TopologyKeys && service.policy != PolicyKind::Auto)
    return std::nullopt;
  for (const MoveTarget target : {MoveTarget::TrafficDistribution, MoveTarget::Balanced}) {
    const Move& move = *find_move(migration, target);
    const bool harmless = std::ranges::none_of(move.in_the_way, hurts);
    if (!move.loses && (harmless || is_the_same(move.outcome, migration.now))) return target;
  }
  return std::nullopt;
}

// Of a service whose moves cannot be worked out.
Migration unknown_migration(const ClusterPlan& plan, const ServicePlan& service) {
  const Note why = has_failed(service) ? service.why
                                       : Note{.reason = Reason::InternalError,
                                              .subject = "its moves could not be planned"};
  return {.service = service.service,
          .family = service.family,
          .now = {.policy = service.policy, .why = why},
          .asked = policy_chain_of(plan, service),
          .decided = {why}};
}

}  // namespace

void keep_target(Migrations& migrations, MoveTarget target) {
  for (Migration& one : migrations.services) {
    std::erase_if(one.moves, [&](const Move& move) { return move.target != target; });
    if (target != MoveTarget::Auto) one.pods.clear();
    const bool suggests = !one.moves.empty() && !one.moves.front().is_there;
    one.suggested = suggests ? std::optional(target) : std::nullopt;
  }
}

const Move* find_move(const Migration& migration, MoveTarget target) {
  const auto found = std::ranges::find(migration.moves, target, &Move::target);
  return found == migration.moves.end() ? nullptr : &*found;
}

Migrations plan_migrations(const ClusterPlan& plan, const TrafficVolume& volume,
                           const std::function<bool(const model::Service&)>& wanted,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  MigrationPlanner planner(plan, volume);
  Migrations out{.snapshot = plan.snapshot,
                 .names = planner.names(),
                 .services = {},
                 .breakdowns = plan.breakdowns};
  for (std::size_t i = 0; i < plan.services.size(); ++i) {
    const ServicePlan& service = plan.services[i];
    if (wanted(plan.snapshot->services[service.service.value()])) {
      Migration migration;
      const auto breakdown = run_guarded([&] { migration = planner.migrate(service); });
      out.services.push_back(breakdown ? unknown_migration(plan, service) : std::move(migration));
    }
    if (progress) progress(i + 1, plan.services.size());
  }
  return out;
}

}  // namespace proxima::plan
