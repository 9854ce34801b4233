// SPDX-License-Identifier: Apache-2.0
#include "cli/note_text.h"

#include <algorithm>
#include <array>

#include "cli/text_width.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kProseWidth = 80;
constexpr std::size_t kProseWidest = 100;
constexpr std::size_t kLineRoomMin = 20;
constexpr std::size_t kMarkWidth = 8;
constexpr std::size_t kFactColumn = 10;

}  // namespace

ProseLayout::ProseLayout(std::optional<std::size_t> terminal, Coloring tint)
    : width(std::min(terminal.value_or(kProseWidth), kProseWidest)), coloring(tint) {}

std::string prose_text(std::string_view text, std::size_t indent, std::size_t first_indent,
                       const ProseLayout& layout) {
  std::string out;
  bool first = true;
  const std::size_t room =
      layout.width > indent + kLineRoomMin ? layout.width - indent : kLineRoomMin;
  for (const std::string& line : wrap(printable(text), room)) {
    out.append(first ? indent - first_indent : indent, ' ').append(line).append("\n");
    first = false;
  }
  return out;
}

std::string note_text(const policy::Note& note, std::size_t indent, const ProseLayout& layout) {
  constexpr std::array<std::string_view, 5> kMarks = {"ok", "note", "fallback", "refused",
                                                      "broken"};
  const auto& text = policy::text_of(note.reason);
  const std::string_view mark = kMarks[static_cast<std::size_t>(text.severity)];
  const std::size_t column = indent + kMarkWidth + 2;
  std::string out(indent, ' ');
  out += paint(mark, tone_of(text.severity), layout.coloring);
  out += prose_text(policy::sentence(note), column, indent + mark.size(), layout);
  if (text.severity == policy::Severity::Good || text.remedy.empty()) return out;
  out.append(column, ' ');
  out += paint("try: ", Tone::Dim, layout.coloring);
  return out + prose_text(policy::remedy(note), column + 5, column + 5, layout);
}

std::string facts_text(const std::vector<Fact>& facts, const ProseLayout& layout) {
  std::string out;
  for (const auto& [name, text] : facts) {
    out += paint(name + ":", Tone::Dim, layout.coloring);
    out += prose_text(text, kFactColumn, name.size() + 1, layout);
  }
  return out;
}

}  // namespace proxima::cli
