// SPDX-License-Identifier: Apache-2.0
#include "report/note_document.h"

#include <string>

namespace proxima::report {

std::string_view to_text(policy::Severity severity) {
  constexpr std::string_view kNames[] = {"good", "info", "fallback", "refused", "broken"};
  return kNames[static_cast<std::size_t>(severity)];
}

void write_note(DocumentWriter& writer, const policy::Note& note) {
  const auto& text = policy::text_of(note.reason);
  writer.begin_object();
  writer.field("code", text.code);
  writer.field("severity", to_text(text.severity));
  writer.field("sentence", policy::sentence(note));
  if (!text.remedy.empty()) writer.field("remedy", policy::remedy(note));
  writer.end_object();
}

void write_notes(DocumentWriter& writer, std::string_view key,
                 std::span<const policy::Note> notes) {
  writer.key(key);
  writer.begin_array();
  for (const policy::Note& note : notes) write_note(writer, note);
  writer.end_array();
}

}  // namespace proxima::report
