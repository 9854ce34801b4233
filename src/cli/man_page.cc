// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.h"

#include <string_view>

namespace proxima::cli {
namespace {

// Text that roff takes literally: no escapes, and no request at the start of a line. A "-" in roff
// is a hyphen; what people copy to a shell must be a minus.
std::string roff_literal(std::string_view text) {
  std::string out;
  if (text.starts_with(".") || text.starts_with("'")) out += "\\&";
  while (!text.empty()) {
    constexpr std::string_view kEllipsis = "…";
    if (text.starts_with(kEllipsis)) {
      out += "...";
      text.remove_prefix(kEllipsis.size());
      continue;
    }
    const char c = text.front();
    // A list of values may be broken between them.
    out += c == '\\'  ? std::string("\\e")
           : c == '-' ? std::string("\\-")
           : c == '|' ? std::string("|\\:")
                      : std::string(1, c);
    text.remove_prefix(1);
  }
  return out;
}

void append_man_paragraphs(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find("\n\n");
    out += ".PP\n" + roff_literal(text.substr(0, end)) + "\n";
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 2);
  }
}

void append_entry(std::string& out, const OptionSpec& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + ("\\fB" + roff_literal(name) + "\\fR");
  if (!option.value.empty())
    names += (names.empty() ? "" : " ") + ("\\fI" + roff_literal(option.value) + "\\fR");
  out += ".TP\n" + names + "\n" + roff_literal(option.description) + ".\n";
}

void append_man_command(std::string& out, const ProgramSpec& program, const CommandSpec& command) {
  out += ".SH \"" + roff_literal(program.name + " " + command.name) + "\"\n";
  out += roff_literal(command.summary) + ".\n";
  append_man_paragraphs(out, command.description);
  out += ".PP\n\\fB" + roff_literal(usage_line(program, command)) + "\\fR\n";
  for (const OptionSpec& argument : command.arguments) append_entry(out, argument);
  for (const OptionSpec& option : command.options) append_entry(out, option);
  for (const Example& example : command.examples) {
    out += ".PP\n" + roff_literal(example.purpose) + ":\n.PP\n.RS 4\n.nf\n";
    out += roff_literal(example.command) + "\n.fi\n.RE\n";
  }
}

}  // namespace

std::string render_man_page(const ProgramSpec& program) {
  std::string out = ".TH PROXIMA 1 \"\" \"" + roff_literal(program.name + " " + program.version) +
                    "\" \"User Commands\"\n.nh\n.ad l\n";
  out += ".SH NAME\n" + program.name + " \\- " + roff_literal(program.summary) + "\n";
  out += ".SH SYNOPSIS\n\\fB" + program.name + "\\fR \\fICOMMAND\\fR [\\fIflags\\fR]\n";
  out += ".SH DESCRIPTION\n" + roff_literal(program.description) + "\n";
  for (const CommandSpec& command : program.commands) append_man_command(out, program, command);
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitCodeSpec& code : exit_codes())
    out += ".TP\n\\fB" + std::to_string(code.code) + "\\fR\n" + roff_literal(code.meaning) + ".\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nWhen set and not empty, no colours unless "
      "\\fB\\-\\-color always\\fR asks for them.\n.TP\n\\fBCOLUMNS\\fR\nWidth that tables are "
      "fitted to on a terminal, instead of the terminal's own.\n";
  return out;
}

}  // namespace proxima::cli
