// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_request.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::cli {
namespace {

const LabNames kNames = {.zones = {"zone-a", "zone-b"},
                         .nodes = {"node-1", "node-2"},
                         .services = {"shop/even", "shop/single", "test/single"}};

LabCommand command(LabAction action, std::vector<std::string> words,
                   std::optional<double> overload = std::nullopt) {
  return {.action = action, .words = std::move(words), .overload = overload};
}

Result<LabRequest> known(const LabCommand& command) {
  auto request = parse_lab_request(command);
  if (!request) return std::move(request).error();
  return with_known_names(std::move(*request), kNames);
}

struct LabRequestRow {
  LabCommand command;
  const char* path;
  const char* body;
  const char* said;
};

TEST(LabRequest, BecomesACallAndASentence) {
  const LabRequestRow rows[] = {
      {command(LabAction::AddNode, {"zone-b"}), "/api/lab/add-node", R"({"zone":"zone-b"})",
       "a node was added to zone-b"},
      {command(LabAction::KillNode, {"node-1"}), "/api/lab/kill-node", R"({"node":"node-1"})",
       "node-1 was killed; \"proxima lab heal node-1\" brings it back"},
      {command(LabAction::FailZone, {"zone-a"}), "/api/lab/fail-zone", R"({"zone":"zone-a"})",
       "zone-a has failed; \"proxima lab heal zone-a\" brings it back"},
      {command(LabAction::Heal, {"zone-a"}), "/api/lab/heal", R"({"zone":"zone-a"})",
       "zone-a was healed"},
      {command(LabAction::Heal, {"node-2"}), "/api/lab/heal", R"({"node":"node-2"})",
       "node-2 was healed"},
      {command(LabAction::Heal, {}), "/api/lab/heal", "{}", "everything was healed"},
      {command(LabAction::Scale, {"even", "zone-a=4", "zone-b=0"}), "/api/lab/scale",
       R"({"service":"shop/even","zones":{"zone-a":4,"zone-b":0}})",
       "shop/even was scaled: zone-a 4, zone-b 0"},
      {command(LabAction::Demand, {"zone-a=80%"}), "/api/lab/demand",
       R"({"zones":{"zone-a":8E-1}})", "demand was set: zone-a 80%"},
      {command(LabAction::Policy, {"svc/test/single", "balanced"}, 0.25),
       "/api/services/test/single/policy", R"({"policy":"balanced","overload":2.5E-1})",
       "test/single has policy balanced, overload 25%"},
      {command(LabAction::Policy, {"even", "balanced"}, std::numeric_limits<double>::infinity()),
       "/api/services/shop/even/policy", R"({"policy":"balanced","overload":"inf"})",
       "shop/even has policy balanced, overload inf"},
      {command(LabAction::Policy, {"even", "none"}), "/api/services/shop/even/policy",
       R"({"policy":null,"overload":null})", "shop/even has no policy of its own any more"},
  };
  for (const LabRequestRow& row : rows) {
    const auto request = known(row.command);
    ASSERT_TRUE(request) << row.path << ": " << request.error().message;
    const LabCall call = render_call(*request, kNames);
    EXPECT_EQ(call.path, row.path);
    EXPECT_EQ(call.body, row.body);
    EXPECT_EQ(done_text(*request), row.said);
  }
}

TEST(LabRequest, OffersNamesThatMayHaveBeenMeant) {
  const std::pair<LabCommand, const char*> rows[] = {
      {command(LabAction::FailZone, {"zone-d"}), "the lab has no zone \"zone-d\"; did you mean "},
      {command(LabAction::KillNode, {"zone-a"}), "the lab has no node \"zone-a\""},
      {command(LabAction::Heal, {"nod-1"}), "the lab has no zone or node \"nod-1\"; did you mean "},
      {command(LabAction::Demand, {"zone-x=1"}), "the lab has no zone \"zone-x\""},
      {command(LabAction::Scale, {"shop/eve", "zone-a=1"}),
       "the lab has no service \"shop/eve\"; did you mean shop/even?"},
      {command(LabAction::Policy, {"single", "auto"}),
       "\"single\" is in several namespaces: write shop/single or test/single"},
  };
  for (const auto& [asked, message] : rows) {
    const auto request = known(asked);
    ASSERT_FALSE(request) << message;
    EXPECT_TRUE(request.error().message.starts_with(message)) << request.error().message;
  }
}

}  // namespace
}  // namespace proxima::cli
