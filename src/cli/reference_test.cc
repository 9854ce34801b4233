// SPDX-License-Identifier: Apache-2.0
// What the program says about itself: help, manual page, completions, reasons.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/help_text.h"
#include "cli/limits_text.h"
#include "cli/man_page.h"
#include "cli/markdown_reference.h"
#include "cli/reasons_text.h"
#include "cli/text_width.h"
#include "core/model/limits.h"
#include "core/policy/reason.h"
#include "support/golden.h"

namespace proxima::cli {
namespace {

ProgramSpec reference_program() {
  OptionSpec output{{"-o", "--output"}, "", "Format", "Output", false, false, {}};
  set_value(output, "table|json");
  OptionSpec policy{{"--policy"}, "", "Policies", "Policy", false, true, {}};
  set_value(policy, "POLICY:auto|balanced");
  OptionSpec file{{"-f"}, "FILE", "Read it", "Input", true, true, {}};
  OptionSpec service{{}, "SERVICE", "Services", "", false, true, {}};
  return {"proxima",
          "does it",
          "It does.",
          "1.2",
          {{"plan",
            "Plan it",
            "First.\n\nSecond.",
            {{"Try", "proxima plan -f 'a b'"}},
            {service},
            {file, output, policy}}}};
}

TEST(Reference, HelpOfACommand) {
  const ProgramSpec program = reference_program();
  test::expect_golden("cli/golden/help.txt", render_help(program, program.commands[0], {}));
}

TEST(Reference, HelpFitsItsWidth) {
  const ProgramSpec program = describe_program();
  for (const std::size_t width : {60U, 80U, 100U}) {
    const std::string text = render_help(program, {.width = width});
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(display_width(text.substr(begin, end - begin)), width);
      begin = end + 1;
    }
  }
}

TEST(Reference, ManualPage) {
  test::expect_golden("cli/golden/manual.1", render_man_page(reference_program()));
}

TEST(Reference, MarkdownPage) {
  test::expect_golden("cli/golden/reference.md", render_markdown_reference(reference_program()));
}

TEST(Reference, Completions) {
  EXPECT_NE(render_bash_completion(reference_program())
                .find("    plan:-o|plan:--output)\n"
                      "      _proxima_words \"table json\"\n"),
            std::string::npos);
  EXPECT_NE(render_zsh_completion(reference_program())
                .find("'*--policy[Policies\\: auto, balanced]"
                      ":value:(auto balanced)'"),
            std::string::npos)
      << render_zsh_completion(reference_program());
  EXPECT_NE(
      render_fish_completion(reference_program())
          .find(
              "complete -c proxima -n '__fish_seen_subcommand_from plan' -s f -r -F -d 'Read it'"),
      std::string::npos)
      << render_fish_completion(reference_program());
}

TEST(Reference, EveryLimitIsInEveryForm) {
  const std::string table = limits_table(Width::Wide).render({});
  const std::string page = limits_markdown();
  const std::string json = limits_document(report::DocumentFormat::Json);
  for (const model::Limit& limit : model::kLimits) {
    const std::string what(limit.what);
    EXPECT_NE(page.find("| " + what + " | "), std::string::npos) << what;
    EXPECT_NE(page.find(" | " + model::limit_text(limit.most) + " | "), std::string::npos) << what;
    if (what.find('`') != std::string::npos) continue;
    EXPECT_NE(table.find("\n" + what + " "), std::string::npos) << what;
    EXPECT_NE(json.find("\"number\": \"" + what + "\""), std::string::npos) << what;
  }
}

TEST(Reference, EveryReasonIsInEveryForm) {
  const std::string table = reasons_table(Width::Wide).render({});
  const std::string page = reasons_markdown();
  const std::string json = reasons_document(report::DocumentFormat::Json);
  for (const auto& reason : policy::reasons()) {
    const std::string code(reason.code);
    EXPECT_NE(table.find("\n" + code + " "), std::string::npos) << code;
    EXPECT_NE(page.find("| `" + code + "` |"), std::string::npos) << code;
    EXPECT_NE(json.find("\"code\": \"" + code + "\""), std::string::npos) << code;
  }
}

}  // namespace
}  // namespace proxima::cli
