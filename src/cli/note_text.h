// SPDX-License-Identifier: Apache-2.0
// Sentences and reasons for people, as lines that fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/tone.h"
#include "core/policy/reason.h"

namespace proxima::cli {

struct ProseLayout {
  // `terminal`: its width, none when it is no terminal; prose is broken at 80 columns then, and at
  // 100 at most.
  ProseLayout(std::optional<std::size_t> terminal, Coloring tint);

  std::size_t width;
  Coloring coloring;
};

// Lines that begin at column `indent`. The first is meant to stand behind `first_indent` columns
// that are there already.
std::string prose_text(std::string_view text, std::size_t indent, std::size_t first_indent,
                       const ProseLayout& layout);

// "  ok        the Service's annotation … chooses balanced", and below it what can be done; from
// column `indent` on.
std::string note_text(const policy::Note& note, std::size_t indent, const ProseLayout& layout);

// "Cluster:  3 nodes in 3 zones", one beneath the other.
using Fact = std::pair<std::string, std::string>;
std::string facts_text(const std::vector<Fact>& facts, const ProseLayout& layout);

}  // namespace proxima::cli
