// SPDX-License-Identifier: Apache-2.0
// A table of text. On a terminal it fits the width: columns that may be shortened are, and columns
// that can be spared are left out when even that is not enough. Anywhere else nothing is cut, so
// that what a script reads is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/tone.h"

namespace proxima::cli {

enum class Align : std::uint8_t { Left, Right };
enum class Shorten : std::uint8_t { Never, Middle, End };

struct Column {
  std::string header;
  Align align = Align::Left;
  Shorten shorten = Shorten::Never;
  std::size_t width_min = 0;  // never shortened below this; also at least the header
  int spare_rank = 0;         // 0: always shown; the highest rank is left out first
};

struct Cell {
  std::string text;  // made printable() by the table
  Tone tone = Tone::Plain;
};

struct TableLayout {
  std::optional<std::size_t> width;  // none: not a terminal, as wide as it gets
  Coloring coloring = Coloring::Off;
  bool headers = true;
  std::size_t indent = 0;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  // One cell a column.
  void add(std::vector<Cell> row);
  // Columns that the whole table takes when nothing is cut.
  std::size_t natural_width() const;
  // Lines without trailing spaces.
  std::string render(const TableLayout& layout) const;

 private:
  // By column, the header included when asked for.
  std::vector<std::size_t> natural_widths(bool headers) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace proxima::cli
