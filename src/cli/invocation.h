// SPDX-License-Identifier: Apache-2.0
// By which name the program was called. kubectl runs `kubectl-proxima` for `kubectl proxima …`, and
// asks `kubectl_complete-proxima` what could come next; both are links to the one program.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_spec.h"

namespace proxima::cli {

enum class Invocation { Program, KubectlPlugin, KubectlCompletion };

// From the first word of the process, with or without folders before it.
Invocation invocation_of(std::string_view first_word);

// Text that speaks of commands as whoever called the program has to type them: "proxima plan"
// becomes "kubectl proxima plan" for the plug-in. Paths and words that only hold the name stay.
std::string in_words_of(Invocation invocation, std::string_view text);

// The same for everything that help shows of the program.
ProgramSpec in_words_of(Invocation invocation, ProgramSpec program);

}  // namespace proxima::cli
