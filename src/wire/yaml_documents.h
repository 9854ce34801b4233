// SPDX-License-Identifier: Apache-2.0
// YAML text → the JSON text of each of its documents, so that one decoder reads both. Anchors and
// merge keys are resolved; what an anchor may expand to is bounded.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::wire {

inline constexpr std::size_t kMaxYamlDepth = 256;
// What all aliases of one document together may add to it.
inline constexpr std::size_t kMaxYamlAliasBytes = 16 * 1024 * 1024;

// The next part of `text` up to a line that begins with "---", as kubectl cuts it: a mistake in one
// part then cannot spoil the next. Removes it, and the separator, from `text`.
std::string_view take_yaml_part(std::string_view& text);

class YamlDocuments {
 public:
  // Borrows `part`; `first_line` is the number of its first line in the file.
  YamlDocuments(std::string_view part, std::size_t first_line);
  ~YamlDocuments();

  // The next document as JSON, or nullopt at the end. After an error there is no next. The error
  // says line and column.
  Result<std::optional<std::string>> next();

 private:
  struct Parser;  // libyaml's, kept out of the header

  std::unique_ptr<Parser> parser_;
};

}  // namespace proxima::wire
