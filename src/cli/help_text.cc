// SPDX-License-Identifier: Apache-2.0
#include "cli/help_text.h"

#include <algorithm>

#include "cli/text_width.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kWidest = 100;  // longer lines are hard to read on any screen
constexpr std::size_t kHeadingWidest = 30;

std::size_t text_width(const HelpLayout& layout) { return std::min(layout.width, kWidest); }

void append_heading(std::string& out, std::string_view heading, const HelpLayout& layout) {
  out.append("\n").append(paint(std::string(heading) + ":", Tone::Strong, layout.coloring));
  out.append("\n");
}

void append_wrapped(std::string& out, std::string_view text, std::size_t indent,
                    std::size_t width) {
  for (const std::string& line : wrap(text, width > indent ? width - indent : 1))
    out.append(indent, ' ').append(line).append("\n");
}

void append_paragraphs(std::string& out, std::string_view text, std::size_t width) {
  while (!text.empty()) {
    const auto end = text.find("\n\n");
    out += '\n';
    append_wrapped(out, text.substr(0, end), 0, width);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 2);
  }
}

// "  heading    description", with a heading that is too long on a line of its own.
void append_entry(std::string& out, const std::string& heading, std::string_view description,
                  std::size_t column, std::size_t width) {
  std::string text = "  " + heading;
  std::size_t used = display_width(text);
  if (used + 2 > column) {
    out.append(text).append("\n");
    text.clear();
    used = 0;
  }
  bool first = true;
  for (const std::string& line : wrap(description, width > column ? width - column : 20)) {
    out.append(first ? text : "")
        .append(column - (first ? used : 0), ' ')
        .append(line)
        .append("\n");
    first = false;
  }
}

std::size_t description_column(const std::vector<OptionSpec>& options) {
  std::size_t widest = 0;
  for (const OptionSpec& option : options) {
    const std::size_t width = display_width(option_heading(option));
    if (width <= kHeadingWidest) widest = std::max(widest, width);
  }
  return widest + 5;
}

// Groups in the order in which they first appear.
std::vector<std::string> groups_of(const std::vector<OptionSpec>& options) {
  std::vector<std::string> groups;
  for (const OptionSpec& option : options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  }
  return groups;
}

void append_options(std::string& out, const CommandSpec& command, const HelpLayout& layout) {
  const std::size_t column = description_column(command.options);
  for (const std::string& group : groups_of(command.options)) {
    append_heading(out, group, layout);
    for (const OptionSpec& option : command.options) {
      if (option.group == group)
        append_entry(out, option_heading(option), option.description, column, text_width(layout));
    }
  }
}

void append_examples(std::string& out, const CommandSpec& command, const HelpLayout& layout) {
  append_heading(out, "Examples", layout);
  for (const Example& example : command.examples) {
    out.append(paint("  # " + example.purpose, Tone::Dim, layout.coloring)).append("\n");
    out.append("  ").append(example.command).append("\n");
  }
}

}  // namespace

std::string render_help(const ProgramSpec& program, const HelpLayout& layout) {
  std::string out;
  append_wrapped(out, program.name + ": " + program.summary, 0, text_width(layout));
  append_paragraphs(out, program.description, text_width(layout));
  append_heading(out, "Usage", layout);
  out += "  " + program.name + " COMMAND [flags]\n";
  append_heading(out, "Commands", layout);
  for (const CommandSpec& command : program.commands)
    append_entry(out, command.name, command.summary, 16, text_width(layout));
  append_heading(out, "Exit codes", layout);
  for (const ExitCodeSpec& code : exit_codes())
    append_entry(out, std::to_string(code.code), code.meaning, 8, text_width(layout));
  out += '\n';
  append_wrapped(out, "Use \"" + program.name + " COMMAND --help\" for its flags and examples.", 0,
                 text_width(layout));
  return out;
}

std::string render_help(const ProgramSpec& program, const CommandSpec& command,
                        const HelpLayout& layout) {
  std::string out = command.summary + ".\n";
  append_paragraphs(out, command.description, text_width(layout));
  append_heading(out, "Usage", layout);
  out += "  " + usage_line(program, command) + "\n";
  append_examples(out, command, layout);
  if (!command.arguments.empty()) {
    append_heading(out, "Arguments", layout);
    for (const OptionSpec& argument : command.arguments)
      append_entry(out, argument.value, argument.description, description_column(command.arguments),
                   text_width(layout));
  }
  append_options(out, command, layout);
  return out;
}

}  // namespace proxima::cli
