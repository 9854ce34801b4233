// SPDX-License-Identifier: Apache-2.0
#include "cli/limits_text.h"

#include "core/model/limits.h"

namespace proxima::cli {
namespace {

// Sources are written as Markdown.
std::string plain_text(std::string_view markdown) {
  std::string out;
  for (const char c : markdown)
    if (c != '`') out += c;
  return out;
}

}  // namespace

Table limits_table(Width width) {
  const bool wide = width == Width::Wide;
  std::vector<Column> columns = {{.header = "NUMBER", .shorten = Shorten::End, .width_min = 20},
                                 {.header = "LEAST", .align = Align::Right},
                                 {.header = "MOST", .align = Align::Right}};
  if (wide) {
    columns.push_back({.header = "FROM"});
    columns.push_back({.header = "BEYOND"});
  }
  Table table(columns);
  for (const model::Limit& limit : model::kLimits) {
    std::vector<Cell> row = {{plain_text(limit.what), Tone::Strong},
                             {model::limit_text(limit.least)},
                             {model::limit_text(limit.most)}};
    if (wide) {
      row.push_back({plain_text(limit.source)});
      row.push_back({plain_text(limit.beyond)});
    }
    table.add(std::move(row));
  }
  return table;
}

std::string limits_document(report::DocumentFormat format) {
  report::DocumentWriter writer(format);
  writer.begin_object();
  writer.field("apiVersion", "cli.proxima.io/v1");
  writer.field("kind", "LimitList");
  writer.key("items");
  writer.begin_array();
  for (const model::Limit& limit : model::kLimits) {
    writer.begin_object();
    writer.field("number", plain_text(limit.what));
    writer.field("from", plain_text(limit.source));
    writer.field("least", limit.least);
    writer.field("most", limit.most);
    writer.field("beyond", plain_text(limit.beyond));
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return std::move(writer).finish();
}

std::string limits_markdown() {
  std::string out =
      "# Limits\n\n"
      "Numbers from outside that something is calculated with are bounded where they are read. "
      "Within these bounds no sum overflows\nand nothing is divided by zero. A number outside "
      "never "
      "stops the program: what it belongs to goes on as the last column says,\nand everything else "
      "as if nothing had happened.\n\n"
      "This page is made by `proxima limits -o markdown`; a test compares it with the program.\n\n"
      "| Number | From | Least | Most | Beyond that |\n|---|---|--:|--:|---|\n";
  for (const model::Limit& limit : model::kLimits) {
    out.append("| ").append(limit.what).append(" | ").append(limit.source);
    out.append(" | ").append(model::limit_text(limit.least));
    out.append(" | ").append(model::limit_text(limit.most));
    out.append(" | ").append(limit.beyond).append(" |\n");
  }
  return out;
}

}  // namespace proxima::cli
