// SPDX-License-Identifier: Apache-2.0
// What could come next on a half-typed command line, for callers that ask the program itself:
// kubectl asks plug-ins so. Shells have scripts of their own (completion.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command_spec.h"

namespace proxima::cli {

struct Candidate {
  std::string word;
  std::string description;  // "" for a value that explains itself
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Completions {
  std::vector<Candidate> candidates;  // those that begin with what was typed
  bool files = false;                 // the shell may offer names of files
};

// `words` without the program's name; the last is what is being typed, perhaps "".
Completions complete_words(const ProgramSpec& program, std::span<const std::string> words);

// One candidate a line, its description behind a tab, and last what the shell may add: the protocol
// of `kubectl_complete-NAME`, which is that of cobra.
std::string render_for_kubectl(const Completions& completions);

}  // namespace proxima::cli
