// SPDX-License-Identifier: Apache-2.0
#include "cli/up_flags.h"

#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "support/parsed_command.h"
#include "support/words.h"

namespace proxima::cli {
namespace {

using test::parsed;
using testing::words;

TEST(UpFlags, AreAllOptional) {
  const auto command = parsed<UpCommand>("up");
  EXPECT_TRUE(command.traffic);
  EXPECT_FALSE(command.simulator);
  EXPECT_EQ(command.web.address, "127.0.0.1");
  EXPECT_EQ(command.web.port, 0);
  EXPECT_FALSE(command.for_time);
}

TEST(UpFlags, FillTheCommand) {
  const auto command = parsed<UpCommand>(
      "up --data-dir d --zones 4 --nodes-per-zone 1 --rate 12.5 --web [::1]:81 --secure-port 6443 "
      "--for 1m30s --seed 7 -v 2 --simulator --open");
  EXPECT_EQ(command.data_directory, "d");
  EXPECT_EQ(command.zones, 4U);
  EXPECT_EQ(command.nodes_per_zone, 1U);
  EXPECT_EQ(command.rate, 12.5);
  EXPECT_EQ(command.web.address, "::1");
  EXPECT_EQ(command.web.port, 81);
  EXPECT_EQ(command.api_port, 6443);
  EXPECT_EQ(command.for_time, std::chrono::seconds(90));
  EXPECT_EQ(command.seed, 7U);
  EXPECT_EQ(command.verbosity, 2);
  EXPECT_TRUE(command.simulator);
  EXPECT_TRUE(command.open);
}

struct Refusal {
  const char* line;
  const char* part;  // of the message
};

TEST(UpFlags, RefuseWhatCannotBe) {
  const Refusal refusals[] = {
      {"up --web 0.0.0.0:80", "not on this machine's loopback"},
      {"up --web 0", "not on this machine's loopback"},
      {"up --web 10.0.0.1:80", "not on this machine's loopback"},
      {"up --zones 0", "from 1 to 10"},
      {"up --zone 2", "did you mean --zones?"},
      {"up --rate 5001", "above 5000"},
      {"up --rate 5 --without-traffic", "that there are none"},
      {"up --scenario s.yaml --zones 2", "describes its own"},
      {"up --for soon", "--for"},
      {"up now", "unexpected argument: now"},
  };
  for (const Refusal& refusal : refusals) {
    const auto command = parse_command_line(words(refusal.line));
    ASSERT_FALSE(command) << refusal.line;
    EXPECT_NE(command.error().message.find(refusal.part), std::string::npos)
        << command.error().message;
  }
}

TEST(LabFlags, TakeAnActionAndItsWords) {
  const auto scale = parsed<LabCommand>("lab scale shop/even zone-a=4 zone-b=0 --data-dir d");
  EXPECT_EQ(scale.action, LabAction::Scale);
  EXPECT_EQ(scale.words, (std::vector<std::string>{"shop/even", "zone-a=4", "zone-b=0"}));
  EXPECT_EQ(scale.data_directory, "d");
  const auto policy = parsed<LabCommand>("lab policy even balanced --overload 20%");
  EXPECT_EQ(policy.overload, 0.2);
  EXPECT_TRUE(parsed<LabCommand>("lab status -o json").json);
}

TEST(LabFlags, RefuseWhatCannotBe) {
  const Refusal refusals[] = {
      {"lab", "ACTION is required"},
      {"lab stauts", "unknown action: stauts; did you mean status?"},
      {"lab status now", "it is: proxima lab status"},
      {"lab scale even", "it is: proxima lab scale SERVICE ZONE=PODS..."},
      {"lab scale even zone-a", "\"zone-a\" is not ZONE=PODS"},
      {"lab scale even zone-a=-1", "from 0 to 50"},
      {"lab scale even zone-a=1 zone-a=2", "zone-a is given twice"},
      {"lab demand zone-a=120%", "is not a share"},
      {"lab demand =50%", "is not ZONE=SHARE"},
      {"lab policy even balancd", "did you mean balanced?"},
      {"lab policy even auto --overload 20%", "--overload is for policy balanced"},
      {"lab heal a b", "it is: proxima lab heal [ZONE|NODE]"},
      {"lab fail-zone zone-a -o json", "--output is for: proxima lab status"},
      {"lab kill-node n --overload 1", "--overload is for: proxima lab policy"},
  };
  for (const Refusal& refusal : refusals) {
    const auto command = parse_command_line(words(refusal.line));
    ASSERT_FALSE(command) << refusal.line;
    EXPECT_TRUE(command.error().message.starts_with(refusal.part) ||
                command.error().message.find(refusal.part) != std::string::npos)
        << command.error().message;
    EXPECT_FALSE(command.error().message.starts_with(":")) << command.error().message;
  }
}

}  // namespace
}  // namespace proxima::cli
