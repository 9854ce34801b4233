// SPDX-License-Identifier: Apache-2.0
#include "checks/judge_api.h"

#include <algorithm>

#include "base/check.h"
#include "checks/name_list.h"
#include "checks/unread.h"
#include "checks/version_text.h"

namespace proxima::checks {
namespace {

using std::chrono::milliseconds;

// discovery.k8s.io/v1 is served since 1.21. The others are those that `make skew` runs.
constexpr VersionPair kOldestServer{1, 21};
constexpr VersionPair kOldestTested{1, 33};
constexpr VersionPair kNewestTested{1, 36};
constexpr milliseconds kSlow{250};
// A leader has ten seconds to renew its Lease, and needs more than one request for other work.
constexpr milliseconds kTooSlow{2'000};
constexpr milliseconds kSkewNoticed{5'000};
constexpr milliseconds kSkewTooLarge{60'000};

Verdict judge_version(const ServerFacts& server) {
  const VersionPair version{server.version.major, server.version.minor};
  const std::string& text = server.version.git_version;
  if (version < kOldestServer) return {Outcome::Failed, text + " has no discovery.k8s.io/v1"};
  if (version < kOldestTested || kNewestTested < version) return {Outcome::Warned, text};
  return {Outcome::Passed, text};
}

Verdict judge_latency(const ServerFacts& server) {
  std::vector<std::chrono::microseconds> sorted = server.latencies;
  if (sorted.empty()) return {Outcome::Skipped, "nothing was measured"};
  std::ranges::sort(sorted);
  const auto median = sorted[sorted.size() / 2];
  const std::string text = "half of " + std::to_string(sorted.size()) + " requests took at most " +
                           std::to_string((median.count() + 999) / 1000) + " ms";
  if (median >= kTooSlow) return {Outcome::Failed, text};
  return {median >= kSlow ? Outcome::Warned : Outcome::Passed, text};
}

Verdict judge_skew(const ServerFacts& server) {
  if (!server.clock_ahead) return {Outcome::Skipped, "the answers of the server have no date"};
  const auto ahead = *server.clock_ahead;
  const milliseconds apart = ahead < milliseconds(0) ? -ahead : ahead;
  if (apart <= kSkewNoticed)
    return {Outcome::Passed, "at most " + std::to_string(apart.count() / 1000 + 1) + " s apart"};
  const std::string text = "the server's is " + std::to_string(apart.count() / 1000) + " s " +
                           (ahead > milliseconds(0) ? "ahead" : "behind");
  return {apart > kSkewTooLarge ? Outcome::Failed : Outcome::Warned, text};
}

}  // namespace

Verdict judge_server(Check check, const ServerFacts& server) {
  switch (check) {
    case Check::ApiVersion:
      return judge_version(server);
    case Check::ApiLatency:
      return judge_latency(server);
    case Check::ClockSkew:
      return judge_skew(server);
    default:
      check_failed("a check of the API server", __FILE_NAME__, __LINE__);
  }
}

Verdict judge_rights(Component component, const Result<std::vector<Right>>& refused) {
  if (!refused) return unread("access is not reviewed", refused.error());
  std::vector<std::string> missing;
  for (const Right& right : *refused)
    if (right.component == component) missing.push_back(to_text(right));
  if (missing.empty()) return {};
  return {Outcome::Failed, "not allowed: " + name_list(missing)};
}

}  // namespace proxima::checks
