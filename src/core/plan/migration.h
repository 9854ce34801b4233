// SPDX-License-Identifier: Apache-2.0
// What moving a Service to another policy would change, what is in the way, and the patch that does
// it. Every figure comes from planning the patched Service again. Pure.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/compare.h"
#include "core/plan/pods_for_auto.h"
#include "core/plan/service_patch.h"

namespace proxima::plan {

struct Move {
  MoveTarget target = MoveTarget::TrafficDistribution;
  bool is_there = false;   // the Service asks for it already, and that decides
  bool loses = false;      // something that the Service has today, or all: it is refused
  std::string_view value;  // "PreferSameZone", "balanced", "auto"
  double overload = 0;     // bound of `balanced`
  Outcome outcome;
  std::vector<policy::Note> in_the_way;  // what is lost first, then what the plan says against it
  ServicePatch patch;                    // empty when it is there already
};

// One address family of one service. Texts borrow from Migrations.
struct Migration {
  model::ServiceIndex service;
  IpFamily family = IpFamily::V4;
  double overload = 0;  // bound of `balanced`, where that is the policy of now
  Outcome now;
  std::vector<policy::Note> asked;      // where the policy of now comes from, and what was refused
  std::vector<policy::Note> decided;    // what the planner says about it
  std::vector<Move> moves;              // one a target; none when there is nothing to route to
  std::optional<MoveTarget> suggested;  // for topology keys and `auto`, which Kubernetes replaced
  std::vector<PodAdvice> pods;          // that would make `auto` work
  std::string_view workload;  // "Deployment/web" that all its Pods belong to; "" when unknown
};

struct Migrations {
  model::SnapshotPtr snapshot;
  model::SnapshotPtr names;         // holds texts that notes and patches borrow
  std::vector<Migration> services;  // by namespace, name, family
  // As in ClusterPlan.
  std::vector<std::shared_ptr<const std::string>> breakdowns;
};

// Leaves one target, suggested wherever it is not there already.
void keep_target(Migrations& migrations, MoveTarget target);

const Move* find_move(const Migration& migration, MoveTarget target);

// `wanted` chooses services; `progress` (may be empty) is called with (done, total).
Migrations plan_migrations(const ClusterPlan& plan, const TrafficVolume& volume,
                           const std::function<bool(const model::Service&)>& wanted,
                           const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace proxima::plan
