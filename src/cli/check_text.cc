// SPDX-License-Identifier: Apache-2.0
#include "cli/check_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "checks/wanted_rights.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kNumberWidth = 4;
constexpr std::size_t kOutcomeWidth = 9;  // with the gap behind it
constexpr std::size_t kTextColumn = kNumberWidth + 2 + kOutcomeWidth;

Tone tone_of_outcome(checks::Outcome outcome) {
  switch (outcome) {
    case checks::Outcome::Passed:
      return Tone::Good;
    case checks::Outcome::Skipped:
      return Tone::Dim;
    case checks::Outcome::Warned:
      return Tone::Warning;
    case checks::Outcome::Failed:
      return Tone::Bad;
  }
  return Tone::Plain;
}

bool needs_remedy(checks::Outcome outcome) {
  return outcome == checks::Outcome::Warned || outcome == checks::Outcome::Failed;
}

// "  12  failed   ", and `text` behind it.
std::string outcome_line(const std::string& number, checks::Outcome outcome,
                         const std::string& text, const ProseLayout& layout) {
  const std::string_view word = checks::to_text(outcome);
  std::string out(kNumberWidth > number.size() ? kNumberWidth - number.size() : 0, ' ');
  out.append(number).append("  ");
  const std::size_t begun = std::max(number.size(), kNumberWidth) + 2 + word.size();
  return out + paint(word, tone_of_outcome(outcome), layout.coloring) +
         prose_text(text, kTextColumn, begun, layout);
}

std::string result_text(const checks::CheckResult& result, const ProseLayout& layout) {
  const checks::CheckText& text = checks::text_of(result.check);
  const auto& [outcome, detail] = result.verdict;
  std::string out =
      outcome_line(std::to_string(checks::number_of(result.check)), outcome,
                   std::string(text.title) + (detail.empty() ? "" : ": ") + detail, layout);
  if (!needs_remedy(outcome)) return out;
  out.append(kTextColumn, ' ').append(paint("try: ", Tone::Dim, layout.coloring));
  return out + prose_text(std::string(text.remedy) + " (" + std::string(text.page) + ")",
                          kTextColumn + 5, kTextColumn + 5, layout);
}

// Nothing of the group was looked at, for one reason.
bool is_skipped_as_one(std::span<const checks::CheckResult> group) {
  return group.size() > 1 && std::ranges::all_of(group, [&](const checks::CheckResult& result) {
           return result.verdict.outcome == checks::Outcome::Skipped &&
                  result.verdict.detail == group.front().verdict.detail;
         });
}

std::string group_text(std::span<const checks::CheckResult> group, const ProseLayout& layout) {
  const checks::CheckText& first = checks::text_of(group.front().check);
  std::string out = paint(checks::to_text(first.group), Tone::Strong, layout.coloring) + "\n";
  if (is_skipped_as_one(group))
    return out + outcome_line("", checks::Outcome::Skipped, group.front().verdict.detail, layout);
  for (const checks::CheckResult& result : group) out += result_text(result, layout);
  return out;
}

std::string tally_text(const std::vector<checks::CheckResult>& results) {
  const checks::Tally counts = checks::tally(results);
  return std::to_string(results.size()) + (results.size() == 1 ? " check: " : " checks: ") +
         std::to_string(counts.passed) + " ok, " + std::to_string(counts.skipped) + " skipped, " +
         std::to_string(counts.warned) + (counts.warned == 1 ? " warning, " : " warnings, ") +
         std::to_string(counts.failed) + " failed\n";
}

void write_check(report::DocumentWriter& writer, const checks::CheckText& text) {
  writer.field("number", checks::number_of(text.check));
  writer.field("id", text.id);
  writer.field("group", checks::to_text(text.group));
  writer.field("title", text.title);
}

void write_rights(report::DocumentWriter& writer) {
  writer.key("rights");
  writer.begin_array();
  for (const checks::RightRule& rule : checks::right_rules()) {
    writer.begin_object();
    writer.field("component", checks::to_text(rule.component));
    writer.field("group", rule.group);
    writer.field("resources", rule.resources);
    writer.field("paths", rule.paths);
    writer.field("verbs", rule.verbs);
    writer.field("name", rule.name);
    writer.field("namespaced", rule.of_namespace);
    writer.end_object();
  }
  writer.end_array();
}

// From docs/, where the page is.
std::string link_to(std::string_view page) {
  constexpr std::string_view kFolder = "docs/";
  const std::string target = page.starts_with(kFolder) ? std::string(page.substr(kFolder.size()))
                                                       : "../" + std::string(page);
  return "[" + std::string(page) + "](" + target + ")";
}

constexpr const char* kPage = R"(# Check a cluster

`proxima check` says whether a cluster and a node are ready for Proxima, and after the installation whether it works. It reads
and changes nothing. Each check that fails or warns says what to do and names the page that says more.

<!-- commands have: a cluster -->
```sh
proxima check --pre --api-only                 # before the installation, from where kubectl works
proxima check --pre --component controller     # only what the controller needs, without the proxy
proxima check --list                           # the checks, without running them
```

- **On a node**, as root: `proxima check --pre --node-only` before kube-proxy leaves it, and `proxima check` afterwards. Checks
  of the node need CAP_NET_ADMIN and are skipped without; `--node-only` runs them all the same.
- **After the installation**: `proxima check --wait 2m` checks again until nothing fails, for at most two minutes. Another
  namespace than `kube-system` is given by `-n`.
- **In a script**: `-o json` has the number, id, outcome, detail and remedy of each check. The exit code is 0 when nothing
  failed, 1 when a check failed, 2 when a flag is wrong.

| outcome | meaning |
|---|---|
| `ok` | it is as it should be |
| `skipped` | it does not apply here, these credentials may not see it, or the server does not serve it; the reason is told |
| `warning` | Proxima works, but less well than it could, or somebody has to do something before it starts |
| `failed` | Proxima does not work, or works against something else; the exit code is 1 |

The rights that are checked are those of the [manifests](security.md#rights). Whoever installs Proxima needs them, too: Kubernetes lets
nobody grant rights that they lack.

This page is made by `proxima check --list -o markdown`; a test compares it with the program.
)";

}  // namespace

std::string check_text(const std::vector<checks::CheckResult>& results, const ProseLayout& layout) {
  std::string out;
  for (const checks::Group group : checks::kGroups) {
    std::vector<checks::CheckResult> members;
    std::ranges::copy_if(results, std::back_inserter(members),
                         [&](const checks::CheckResult& result) {
                           return checks::text_of(result.check).group == group;
                         });
    if (!members.empty()) out += group_text(members, layout) + "\n";
  }
  return out + tally_text(results);
}

std::string check_document(const std::vector<checks::CheckResult>& results,
                           report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "CheckReport");
  writer.field("passed", checks::tally(results).failed == 0);
  writer.key("items");
  writer.begin_array();
  for (const checks::CheckResult& result : results) {
    const checks::CheckText& text = checks::text_of(result.check);
    writer.begin_object();
    write_check(writer, text);
    writer.field("outcome", checks::to_text(result.verdict.outcome));
    writer.field("detail", result.verdict.detail);
    const bool helps = needs_remedy(result.verdict.outcome);
    writer.field("remedy", helps ? text.remedy : std::string_view());
    writer.field("page", helps ? text.page : std::string_view());
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return std::move(writer).finish();
}

Table check_list_table(const checks::Scope& scope) {
  Table table({{.header = "NO", .align = Align::Right},
               {.header = "ID"},
               {.header = "GROUP", .spare_rank = 1},
               {.header = "CHECK", .shorten = Shorten::End, .width_min = 20}});
  for (const checks::Check check : checks::checks_in(scope)) {
    const checks::CheckText& text = checks::text_of(check);
    table.add({{std::to_string(checks::number_of(check))},
               {std::string(text.id), Tone::Strong},
               {std::string(checks::to_text(text.group))},
               {std::string(text.title)}});
  }
  return table;
}

std::string check_list_document(const checks::Scope& scope, report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "CheckList");
  writer.key("items");
  writer.begin_array();
  for (const checks::Check check : checks::checks_in(scope)) {
    const checks::CheckText& text = checks::text_of(check);
    writer.begin_object();
    write_check(writer, text);
    writer.field("component", checks::to_text(text.component));
    writer.field("before", text.stage == checks::Stage::Before);
    writer.field("remedy", text.remedy);
    writer.field("page", text.page);
    writer.end_object();
  }
  writer.end_array();
  write_rights(writer);
  writer.end_object();
  return std::move(writer).finish();
}

std::string check_list_markdown(const checks::Scope& scope) {
  std::string out = kPage;
  for (const checks::Group group : checks::kGroups) {
    std::string rows;
    for (const checks::Check check : checks::checks_in(scope)) {
      const checks::CheckText& text = checks::text_of(check);
      if (text.group != group) continue;
      rows.append("| ").append(std::to_string(checks::number_of(check)));
      rows.append(" | `").append(text.id).append("` | ").append(text.title);
      rows.append(" | ").append(text.remedy).append(" | ").append(link_to(text.page));
      rows.append(" |\n");
    }
    if (rows.empty()) continue;
    out.append("\n## ").append(checks::to_text(group)).append("\n\n");
    out.append("| No | Id | What is checked | What you can do | More |\n|--:|---|---|---|---|\n");
    out.append(rows);
  }
  return out;
}

}  // namespace proxima::cli
