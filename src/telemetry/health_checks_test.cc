// SPDX-License-Identifier: Apache-2.0
#include "telemetry/health_checks.h"

#include <gtest/gtest.h>

namespace proxima::telemetry {
namespace {

HealthCheck passing(const char* name) {
  return {name, [] { return Status(Unit{}); }};
}
HealthCheck failing(const char* name, const char* why) {
  return {name, [why] { return Status(Error{ErrorCode::Retry, why}); }};
}

struct HealthRow {
  const char* name;
  std::string rest;
  std::vector<net::QueryParameter> query;
  int status;
  std::string body;
};

TEST(HealthChecks, AreAnsweredAsComponentsDo) {
  const std::vector<HealthCheck> good = {passing("ping"), passing("caches")};
  const std::vector<HealthCheck> bad = {passing("ping"), failing("caches", "Pods: no list yet")};
  struct Case {
    const std::vector<HealthCheck>& checks;
    HealthRow row;
  };
  const Case cases[] = {
      {good, {"all is well", "", {}, 200, "ok"}},
      {good, {"with a slash", "/", {}, 200, "ok"}},
      {good,
       {"every check by name",
        "",
        {{"verbose", ""}},
        200,
        "[+]ping ok\n[+]caches ok\nreadyz check passed\n"}},
      {good, {"one check", "/caches", {}, 200, "ok"}},
      {good, {"no such check", "/nonsense", {}, 404, "404 page not found\n"}},
      {bad,
       {"a failure is told without asking, its reason is not",
        "",
        {},
        500,
        "[+]ping ok\n[-]caches failed: reason withheld\nreadyz check failed\n"}},
      {bad,
       {"the reason, to whoever asks for it",
        "/caches",
        {},
        500,
        "internal server error: Pods: no list yet\n"}},
      {bad, {"the others are well", "/ping", {}, 200, "ok"}},
      {bad, {"left out", "", {{"exclude", "caches"}}, 200, "ok"}},
      {bad,
       {"left out, and said so",
        "",
        {{"exclude", "caches"}, {"verbose", "true"}},
        200,
        "[+]ping ok\n[+]caches excluded: ok\nreadyz check passed\n"}},
      {good,
       {"what is not there cannot be left out",
        "",
        {{"exclude", "b"}, {"exclude", "a\n"}, {"verbose", ""}},
        200,
        "[+]ping ok\n[+]caches ok\n"
        "warn: some health checks cannot be excluded: no matches for \"a\\n\",\"b\"\n"
        "readyz check passed\n"}},
  };
  for (const auto& [checks, row] : cases) {
    const auto answer = answer_health({.endpoint = "readyz", .rest = row.rest, .query = row.query},
                                      checks, [](const HealthCheck&, bool) {});
    EXPECT_EQ(answer.status, row.status) << row.name;
    EXPECT_EQ(answer.body, row.body) << row.name;
  }
}

TEST(AnswerHealth, TellsWhatItAskedOfTheWholeEndpointAndNothingElse) {
  const std::vector<HealthCheck> checks = {{"ping", [] { return Status(Unit{}); }},
                                           {"slow", [] { return Status(Unit{}); }},
                                           {"routes", [] {
                                              return Status(Error{ErrorCode::Retry, "none yet"});
                                            }}};
  const std::vector<net::QueryParameter> query = {{"exclude", "slow"}};
  std::string told;
  const auto observe = [&](const HealthCheck& check, bool healthy) {
    told += check.name + (healthy ? "+" : "-");
  };
  answer_health({.endpoint = "readyz", .rest = "", .query = query}, checks, observe);
  EXPECT_EQ(told, "ping+routes-");
  answer_health({.endpoint = "readyz", .rest = "/routes", .query = {}}, checks, observe);
  EXPECT_EQ(told, "ping+routes-") << "whoever asks for one by name looks for a reason";
}

}  // namespace
}  // namespace proxima::telemetry
