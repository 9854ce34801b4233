// SPDX-License-Identifier: Apache-2.0
#include "cli/failed_services.h"

#include <algorithm>

#include "cli/figures.h"

namespace proxima::cli {
namespace {

bool is_failure(const plan::Outcome& outcome) {
  return outcome.why.reason == policy::Reason::InternalError;
}

}  // namespace

std::vector<FailedService> failed_services(const plan::Comparison& comparison) {
  std::vector<FailedService> failed;
  for (const plan::ComparedService& service : comparison.services) {
    const auto found = std::find_if(service.outcomes.begin(), service.outcomes.end(), is_failure);
    if (found != service.outcomes.end()) failed.push_back({service.service, found->why});
  }
  return failed;
}

std::vector<FailedService> failed_services(const plan::Migrations& migrations) {
  std::vector<FailedService> failed;
  for (const plan::Migration& migration : migrations.services)
    if (is_failure(migration.now)) failed.push_back({migration.service, migration.now.why});
  return failed;
}

Status planning_status(const model::Snapshot& snapshot, const std::vector<FailedService>& failed) {
  if (failed.empty()) return Unit{};
  const model::Service& first = snapshot.services[failed.front().service.value()];
  std::string message = "service \"" + std::string(snapshot.namespace_name(first.ns)) + "/" +
                        std::string(snapshot.names[first.name]) +
                        "\": " + policy::sentence(failed.front().why);
  if (failed.size() > 1)
    message += "; the same holds of " + counted(failed.size() - 1, "other plan");
  return Error{ErrorCode::Unsupported, std::move(message)};
}

}  // namespace proxima::cli
