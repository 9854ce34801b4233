// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace proxima::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kNarrowest = 20;

std::size_t width_of(int descriptor, const Environment& environment) {
  if (const auto columns = environment("COLUMNS")) {
    std::size_t width = 0;
    const char* end = columns->data() + columns->size();
    const auto parsed = std::from_chars(columns->data(), end, width);
    if (parsed.ec == std::errc() && parsed.ptr == end && width >= kNarrowest) return width;
  }
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest) return size.ws_col;
  return kUsualWidth;
}

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

Coloring choose_coloring(ColorMode mode, bool is_terminal, const Environment& environment) {
  if (mode == ColorMode::Always) return Coloring::On;
  if (mode == ColorMode::Never || !is_terminal) return Coloring::Off;
  const bool refused = !environment("NO_COLOR").value_or("").empty();
  return refused || environment("TERM") == "dumb" ? Coloring::Off : Coloring::On;
}

Terminal terminal_of(int descriptor, ColorMode mode, const Environment& environment) {
  const bool is_terminal = isatty(descriptor) == 1;
  Terminal terminal;
  if (is_terminal) terminal.width = width_of(descriptor, environment);
  terminal.coloring = choose_coloring(mode, is_terminal, environment);
  return terminal;
}

}  // namespace proxima::cli
