// SPDX-License-Identifier: Apache-2.0
#include "cli/idle_settings.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

using policy::Reason;

plan::Comparison services_with(std::vector<std::pair<Reason, double>> outcomes) {
  plan::Comparison comparison;
  for (const auto& [reason, gigabytes] : outcomes) {
    plan::Outcome outcome;
    outcome.why.reason = reason;
    outcome.gigabytes = gigabytes;
    comparison.services.push_back({.service = {}, .family = IpFamily::V4, .outcomes = {outcome}});
  }
  return comparison;
}

TEST(IdleSettings, GroupsByReasonMostServicesFirstAndMostTrafficFirstWithin) {
  const auto groups = idle_settings(services_with({{Reason::NoneInZone, 900},
                                                   {Reason::TooFewEndpoints, 5},
                                                   {Reason::HintsAssigned, 70},
                                                   {Reason::TooFewEndpoints, 8}}),
                                    0);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].reason, Reason::TooFewEndpoints);
  EXPECT_EQ(groups[0].services, (std::vector<std::size_t>{3, 1}));
  EXPECT_DOUBLE_EQ(groups[0].gigabytes, 13);
  EXPECT_EQ(groups[1].reason, Reason::NoneInZone);
}

TEST(IdleSettings, CountsWhatWasAskedForAndNotGivenOnly) {
  for (const policy::ReasonText& text : policy::reasons()) {
    const auto groups = idle_settings(services_with({{text.reason, 1}}), 0);
    const bool lost =
        text.severity != policy::Severity::Good && text.severity != policy::Severity::Info;
    EXPECT_EQ(groups.size(), lost ? 1U : 0U) << text.code;
  }
}

}  // namespace
}  // namespace proxima::cli
