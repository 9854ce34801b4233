// SPDX-License-Identifier: Apache-2.0
#include "cli/tone.h"

namespace proxima::cli {
namespace {

constexpr std::string_view kEndOfTone = "\x1b[0m";

// Only the colours every terminal theme keeps readable.
std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::Plain:
      return "";
    case Tone::Strong:
      return "\x1b[1m";
    case Tone::Dim:
      return "\x1b[2m";
    case Tone::Good:
      return "\x1b[32m";
    case Tone::Warning:
      return "\x1b[33m";
    case Tone::Bad:
      return "\x1b[31m";
    case Tone::Accent:
      return "\x1b[36m";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Tone tone, Coloring coloring) {
  if (coloring == Coloring::Off || tone == Tone::Plain || text.empty()) return std::string(text);
  return std::string(escape_of(tone)).append(text).append(kEndOfTone);
}

std::size_t tone_escape_bytes(std::string_view text) {
  if (text.starts_with(kEndOfTone)) return kEndOfTone.size();
  for (const Tone tone :
       {Tone::Strong, Tone::Dim, Tone::Good, Tone::Warning, Tone::Bad, Tone::Accent}) {
    if (text.starts_with(escape_of(tone))) return escape_of(tone).size();
  }
  return 0;
}

Tone tone_of(policy::Severity severity) {
  switch (severity) {
    case policy::Severity::Good:
      return Tone::Good;
    case policy::Severity::Info:
      return Tone::Plain;
    case policy::Severity::Fallback:
      return Tone::Warning;
    case policy::Severity::Refused:
    case policy::Severity::Broken:
      return Tone::Bad;
  }
  return Tone::Plain;
}

}  // namespace proxima::cli
