// SPDX-License-Identifier: Apache-2.0
#include "cli/reasons_text.h"

#include "core/policy/reason.h"
#include "report/note_document.h"

namespace proxima::cli {
namespace {

// "{subject}" stands for a fact of the case; Markdown readers would take "|" and "<" for their own.
std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Table reasons_table(Width width) {
  const bool wide = width == Width::Wide;
  std::vector<Column> columns = {{.header = "CODE"}};
  columns.push_back({.header = "SEVERITY", .spare_rank = 1});
  columns.push_back({.header = "SENTENCE", .shorten = Shorten::End, .width_min = 20});
  if (wide) columns.push_back({.header = "REMEDY"});
  Table table(columns);
  for (const policy::ReasonText& text : policy::reasons()) {
    std::vector<Cell> row = {{std::string(text.code), Tone::Strong},
                             {std::string(report::to_text(text.severity)), tone_of(text.severity)},
                             {std::string(text.sentence)}};
    if (wide) row.push_back({std::string(text.remedy.empty() ? "-" : text.remedy)});
    table.add(std::move(row));
  }
  return table;
}

std::string reasons_document(report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "ReasonList");
  writer.key("items");
  writer.begin_array();
  for (const policy::ReasonText& text : policy::reasons()) {
    writer.begin_object();
    writer.field("code", text.code);
    writer.field("severity", report::to_text(text.severity));
    writer.field("sentence", text.sentence);
    writer.field("remedy", text.remedy);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return std::move(writer).finish();
}

std::string reasons_markdown() {
  std::string out =
      "# Reasons\n\n"
      "Every decision carries one of these. The same code and sentence appear in `proxima plan`, "
      "`explain` and\n`compare`, in Events, conditions, metric labels and logs. Words in braces "
      "stand for the facts of a case.\n\n"
      "This page is made by `proxima reasons -o markdown`; a test compares it with the program.\n\n"
      "Severity: *good*, what was asked for happens; *info*, worth knowing; *fallback*, traffic "
      "flows, but not as\nasked for; *refused*, a setting was not understood and is not applied; "
      "*broken*, traffic is rejected or dropped.\n\n"
      "| Code | Severity | Sentence | What you can do |\n|---|---|---|---|\n";
  for (const policy::ReasonText& text : policy::reasons()) {
    out.append("| `").append(text.code).append("` | ").append(report::to_text(text.severity));
    out.append(" | ").append(markdown_text(text.sentence));
    out.append(" | ").append(markdown_text(text.remedy)).append(" |\n");
  }
  return out;
}

}  // namespace proxima::cli
