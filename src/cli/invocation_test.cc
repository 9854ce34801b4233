// SPDX-License-Identifier: Apache-2.0
#include "cli/invocation.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

TEST(Invocation, IsTheNameAtTheEndOfThePath) {
  const struct {
    const char* word;
    Invocation meant;
  } rows[] = {
      {"proxima", Invocation::Program},
      {"/usr/bin/proxima", Invocation::Program},
      {"", Invocation::Program},
      {"kubectl-proxima", Invocation::KubectlPlugin},
      {"/usr/bin/kubectl-proxima", Invocation::KubectlPlugin},
      {"/kubectl-proxima/proxima", Invocation::Program},
      {"./kubectl_complete-proxima", Invocation::KubectlCompletion},
      {"kubectl-proxima-more", Invocation::Program},
  };
  for (const auto& row : rows) EXPECT_EQ(invocation_of(row.word), row.meant) << row.word;
}

TEST(Invocation, ThePluginSpeaksOfKubectl) {
  const struct {
    const char* text;
    const char* said;
  } rows[] = {
      {"proxima plan", "kubectl proxima plan"},
      {"See 'proxima plan --help'.", "See 'kubectl proxima plan --help'."},
      {"See 'proxima --help'.", "See 'kubectl proxima --help'."},
      {"kubectl get pods | proxima plan -f -", "kubectl get pods | kubectl proxima plan -f -"},
      {"source <(proxima completion bash)", "source <(kubectl proxima completion bash)"},
      {"proxima generate | proxima compare -f -",
       "kubectl proxima generate | kubectl proxima compare -f -"},
      {"~/.config/fish/completions/proxima.fish", "~/.config/fish/completions/proxima.fish"},
      {"/usr/bin/proxima plan", "/usr/bin/proxima plan"},
      {"proxima", "proxima"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(in_words_of(Invocation::KubectlPlugin, row.text), row.said);
    EXPECT_EQ(in_words_of(Invocation::Program, row.text), row.text);
  }
}

TEST(Invocation, ThePluginsHelpIsOfKubectl) {
  ProgramSpec program{
      "proxima", "does it", "", "1", {{"plan", "", "", {{"Try", "proxima plan"}}, {}, {}}}};
  const ProgramSpec said = in_words_of(Invocation::KubectlPlugin, program);
  EXPECT_EQ(usage_line(said, said.commands[0]), "kubectl proxima plan [flags]");
  EXPECT_EQ(said.commands[0].examples[0].command, "kubectl proxima plan");
}

}  // namespace
}  // namespace proxima::cli
