// SPDX-License-Identifier: Apache-2.0
// Results of checks as people and as programs read them.
#include <gtest/gtest.h>

#include "checks/wanted_rights.h"
#include "cli/check_text.h"
#include "cli/text_width.h"
#include "support/golden.h"
#include "support/parsed_command.h"

namespace proxima::cli {
namespace {

constexpr const char* kNoRights = "this process lacks CAP_NET_ADMIN";

std::vector<checks::CheckResult> results() {
  std::vector<checks::CheckResult> all;
  for (const checks::CheckText& text : checks::all_checks()) {
    if (text.group == checks::Group::Node)
      all.push_back({text.check, {checks::Outcome::Skipped, kNoRights}});
  }
  all.push_back({checks::Check::ApiReachable, {checks::Outcome::Passed, "https://10.0.0.1:6443"}});
  all.push_back({checks::Check::ApiVersion, {checks::Outcome::Warned, "v1.37.0"}});
  all.push_back({checks::Check::ControllerRights, {checks::Outcome::Passed, ""}});
  all.push_back({checks::Check::ProxyRights,
                 {checks::Outcome::Skipped, "access is not reviewed: not found"}});
  all.push_back({checks::Check::NodeZones,
                 {checks::Outcome::Failed, "2 of 12 Nodes without: worker-7 and \x1b[2Jworker-9"}});
  return all;
}

TEST(CheckRendering, TellsWhatToDoAboutWhatIsWrong) {
  test::expect_golden("cli/golden/check.txt",
                      check_text(results(), ProseLayout(80, Coloring::Off)));
}

TEST(CheckRendering, IsADocumentForPrograms) {
  test::expect_golden("cli/golden/check.json",
                      check_document(results(), report::DocumentFormat::Json));
}

TEST(CheckRendering, FitsItsWidth) {
  for (const std::size_t width : {60U, 80U, 100U}) {
    const std::string text = check_text(results(), ProseLayout(width, Coloring::Off));
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(display_width(text.substr(begin, end - begin)), width);
      begin = end + 1;
    }
  }
}

TEST(CheckRendering, OneSkippedCheckKeepsItsName) {
  const std::string text =
      check_text({{checks::Check::OomScore, {checks::Outcome::Skipped, "why"}}},
                 ProseLayout(80, Coloring::Off));
  EXPECT_NE(text.find("   6  skipped  oom_score_adj can be lowered: why\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("1 check: 0 ok, 1 skipped, 0 warnings, 0 failed\n"), std::string::npos);
}

TEST(CheckRendering, EveryCheckIsInEveryList) {
  const std::string table = check_list_table({}).render({});
  const std::string page = check_list_markdown({});
  const std::string json = check_list_document({}, report::DocumentFormat::Json);
  for (const checks::CheckText& text : checks::all_checks()) {
    const std::string id(text.id);
    EXPECT_NE(table.find("  " + id + " "), std::string::npos) << id;
    EXPECT_NE(page.find(" | `" + id + "` | "), std::string::npos) << id;
    EXPECT_NE(json.find("\"id\": \"" + id + "\""), std::string::npos) << id;
  }
  EXPECT_NE(json.find("\"paths\": \"/node-reports\""), std::string::npos);
}

TEST(CheckFlags, ChooseWhatIsChecked) {
  const auto usual = test::parsed<CheckCommand>("check");
  EXPECT_FALSE(usual.before || usual.node_only || usual.api_only || usual.list);
  EXPECT_EQ(usual.ns, "kube-system");
  EXPECT_EQ(usual.wait.count(), 0);
  const auto chosen = test::parsed<CheckCommand>(
      "check --pre --api-only --component controller -n px --wait 2m -o json --kubeconfig k");
  EXPECT_TRUE(chosen.before && chosen.api_only);
  EXPECT_EQ(chosen.component, checks::Component::Controller);
  EXPECT_EQ(chosen.ns, "px");
  EXPECT_EQ(chosen.wait, std::chrono::minutes(2));
  EXPECT_EQ(chosen.output.format, OutputFormat::Json);
  EXPECT_EQ(chosen.kube.kubeconfig, "k");
}

TEST(CheckFlags, RefuseWhatMakesNoSense) {
  const struct {
    const char* line;
    const char* problem;
  } cases[] = {
      {"check --node-only --api-only", "--node-only"},
      {"check -o markdown", "--output markdown needs --list"},
      {"check --list --wait 2m", "--list has nothing to --wait for"},
      {"check --component kubelet", "both, controller, proxy"},
      {"check --wait soon", "--wait"},
      {"check everything", "unexpected argument: everything"},
  };
  for (const auto& row : cases) {
    const auto command = parse_command_line(testing::words(row.line));
    ASSERT_FALSE(command) << row.line;
    EXPECT_NE(command.error().message.find(row.problem), std::string::npos)
        << command.error().message;
  }
  const auto nowhere = parse_command_line({"check", "--namespace", ""});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("--namespace"), std::string::npos)
      << nowhere.error().message;
}

}  // namespace
}  // namespace proxima::cli
