// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "cli/text_width.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kGap = 2;

struct Fitted {
  std::vector<std::size_t> columns;  // those shown, in order
  std::vector<std::size_t> widths;   // by column of the table
};

std::size_t total_width(const Fitted& fitted, std::size_t indent) {
  std::size_t total = indent;
  for (const std::size_t column : fitted.columns) total += fitted.widths[column];
  return fitted.columns.empty() ? total : total + kGap * (fitted.columns.size() - 1);
}

std::size_t floor_of(const Column& column) {
  return std::max(column.width_min, display_width(column.header));
}

// The widest shown column that may still give a cell away; nullopt: none may.
std::optional<std::size_t> next_to_shorten(const std::vector<Column>& columns,
                                           const Fitted& fitted) {
  std::optional<std::size_t> widest;
  for (const std::size_t i : fitted.columns) {
    if (columns[i].shorten == Shorten::Never || fitted.widths[i] <= floor_of(columns[i])) continue;
    if (!widest || fitted.widths[i] > fitted.widths[*widest]) widest = i;
  }
  return widest;
}

Fitted shortened(const std::vector<Column>& columns, Fitted fitted, const TableLayout& layout) {
  while (total_width(fitted, layout.indent) > *layout.width) {
    const auto column = next_to_shorten(columns, fitted);
    if (!column) break;
    --fitted.widths[*column];
  }
  return fitted;
}

// Without the shown column of the highest rank; unchanged when all must stay.
bool spare_one(const std::vector<Column>& columns, Fitted& fitted) {
  const auto spared = std::max_element(
      fitted.columns.begin(), fitted.columns.end(),
      [&](std::size_t a, std::size_t b) { return columns[a].spare_rank < columns[b].spare_rank; });
  if (spared == fitted.columns.end() || columns[*spared].spare_rank == 0) return false;
  fitted.columns.erase(spared);
  return true;
}

Fitted fit(const std::vector<Column>& columns, std::vector<std::size_t> natural,
           const TableLayout& layout) {
  Fitted all{std::vector<std::size_t>(columns.size()), std::move(natural)};
  std::iota(all.columns.begin(), all.columns.end(), std::size_t{0});
  if (!layout.width) return all;
  while (true) {
    Fitted fitted = shortened(columns, all, layout);
    if (total_width(fitted, layout.indent) <= *layout.width || !spare_one(columns, all))
      return fitted;
  }
}

std::string shortened_text(const std::string& text, Shorten how, std::size_t width) {
  switch (how) {
    case Shorten::Never:
      return text;
    case Shorten::Middle:
      return shorten_middle(text, width);
    case Shorten::End:
      return shorten_end(text, width);
  }
  return text;
}

void append_row(std::string& out, const std::vector<Column>& columns, const std::vector<Cell>& row,
                const Fitted& fitted, const TableLayout& layout) {
  std::string line(layout.indent, ' ');
  std::size_t pending = 0;  // spaces owed, written only when something follows
  for (const std::size_t i : fitted.columns) {
    const std::string text = shortened_text(row[i].text, columns[i].shorten, fitted.widths[i]);
    const std::size_t width = display_width(text);
    const std::size_t padding = fitted.widths[i] > width ? fitted.widths[i] - width : 0;
    const bool right = columns[i].align == Align::Right;
    if (right) pending += padding;
    if (!text.empty()) {
      line.append(pending, ' ').append(paint(text, row[i].tone, layout.coloring));
      pending = 0;
    }
    pending += kGap + (right ? 0 : padding);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  out.append(line).append("\n");
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> row) {
  PROXIMA_CHECK(row.size() == columns_.size());
  for (Cell& cell : row) cell.text = printable(cell.text);
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> Table::natural_widths(bool headers) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (headers) widths[i] = display_width(columns_[i].header);
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i].text));
  }
  return widths;
}

std::size_t Table::natural_width() const {
  const auto widths = natural_widths(true);
  const std::size_t gaps = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

std::string Table::render(const TableLayout& layout) const {
  std::vector<Cell> header;
  for (const Column& column : columns_) header.push_back({column.header, Tone::Strong});
  const Fitted fitted = fit(columns_, natural_widths(layout.headers), layout);
  std::string out;
  if (layout.headers) append_row(out, columns_, header, fitted, layout);
  for (const auto& row : rows_) append_row(out, columns_, row, fitted, layout);
  return out;
}

}  // namespace proxima::cli
