// SPDX-License-Identifier: Apache-2.0
// Reasons in JSON and YAML, the same everywhere: code, severity, sentence, remedy.
#pragma once

#include <span>
#include <string_view>

#include "core/policy/reason.h"
#include "report/document.h"

namespace proxima::report {

std::string_view to_text(policy::Severity severity);

void write_note(DocumentWriter& writer, const policy::Note& note);
void write_notes(DocumentWriter& writer, std::string_view key, std::span<const policy::Note> notes);

}  // namespace proxima::report
