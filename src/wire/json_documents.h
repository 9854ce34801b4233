// SPDX-License-Identifier: Apache-2.0
// The documents of a JSON text, one after another or a line each, and the items of those that are
// lists. Objects are only located here; see json_object.h for what is in them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::wire {

struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

struct JsonDocument {
  TextSpan whole;
  // As written at the top of the document; views into the text. Empty when missing, which in a list
  // is only known at its end: kubectl writes `kind` after `items`.
  std::string_view kind;
  std::string_view api_version;
  bool is_list = false;               // kind "…List" with items, or a bare array
  std::vector<TextSpan> items;        // of a list; otherwise the document itself
  std::vector<std::string> problems;  // of its structure; items found nevertheless are good
};

// After so many documents that are broken in their structure, the rest of a text is left: finding
// the next one may take a look at everything that follows.
inline constexpr std::size_t kMaxBrokenDocuments = 100;

class JsonDocuments {
 public:
  // `text` must be padded as json_scanner.h says.
  explicit JsonDocuments(std::string_view text) : text_(text) {}

  // nullopt at the end of the text.
  std::optional<JsonDocument> next();

 private:
  void read_object(JsonDocument& document);
  // Reads items from `at`, the opening bracket; returns one past the closing one, or npos.
  std::size_t read_items(JsonDocument& document, std::size_t at);
  std::size_t read_member(JsonDocument& document, std::size_t at);
  std::size_t resume_after(std::size_t broken) const;
  bool has(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }
  std::string place(std::size_t at);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t broken_ = 0;
  std::size_t line_ = 1;  // of counted_to_
  std::size_t counted_to_ = 0;
};

// An item that does not parse may have swallowed those after it, because a bracket is missing. When
// items stand on lines of their own, the next one begins at a line like the first line of this one:
// the parts of `item`, the broken one first.
std::vector<TextSpan> split_broken_item(std::string_view text, TextSpan item);

}  // namespace proxima::wire
