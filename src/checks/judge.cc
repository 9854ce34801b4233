// SPDX-License-Identifier: Apache-2.0
#include "checks/judge.h"

#include "checks/judge_api.h"
#include "checks/judge_cluster.h"
#include "checks/judge_node.h"
#include "checks/judge_proxima.h"

namespace proxima::checks {
namespace {

Verdict judge_by_cluster(const CheckText& text, const ClusterFacts& cluster, const Facts& facts,
                         Stage stage) {
  switch (text.group) {
    case Group::Api:
      return judge_server(text.check, cluster.server);
    case Group::Rights:
      return judge_rights(text.component, cluster.refused_rights);
    case Group::Proxima:
      return judge_proxima(text.check, cluster, facts.version);
    default:
      return judge_cluster(text.check, cluster, stage);
  }
}

Verdict verdict_of(const CheckText& text, const Facts& facts, Stage stage) {
  if (text.group == Group::Node) {
    if (!facts.node) return {Outcome::Skipped, facts.node.error().message};
    return judge_node(text.check, *facts.node);
  }
  if (text.check == Check::ApiReachable) {
    if (!facts.cluster) return {Outcome::Failed, facts.cluster.error().message};
    return {Outcome::Passed, facts.cluster->server.url};
  }
  if (!facts.cluster) return {Outcome::Skipped, "the API server does not answer"};
  return judge_by_cluster(text, *facts.cluster, facts, stage);
}

}  // namespace

std::vector<CheckResult> judge(const Facts& facts, const Scope& scope) {
  std::vector<CheckResult> results;
  for (const Check check : checks_in(scope))
    results.push_back({check, verdict_of(text_of(check), facts, scope.stage)});
  return results;
}

Tally tally(const std::vector<CheckResult>& results) {
  Tally counts;
  for (const CheckResult& result : results) {
    switch (result.verdict.outcome) {
      case Outcome::Passed:
        ++counts.passed;
        break;
      case Outcome::Skipped:
        ++counts.skipped;
        break;
      case Outcome::Warned:
        ++counts.warned;
        break;
      case Outcome::Failed:
        ++counts.failed;
        break;
    }
  }
  return counts;
}

}  // namespace proxima::checks
