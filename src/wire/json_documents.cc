// SPDX-License-Identifier: Apache-2.0
#include "wire/json_documents.h"

#include <algorithm>

#include "wire/json_scanner.h"

namespace proxima::wire {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

std::string_view without_quotes(std::string_view text) { return text.substr(1, text.size() - 2); }

}  // namespace

// Called with ever larger positions.
std::string JsonDocuments::place(std::size_t at) {
  at = std::min(at, text_.size());
  for (; counted_to_ < at; ++counted_to_) line_ += text_[counted_to_] == '\n' ? 1 : 0;
  return "line " + std::to_string(line_);
}

std::optional<JsonDocument> JsonDocuments::next() {
  at_ = skip_space(text_, at_);
  while (text_.substr(at_).starts_with("---")) at_ = skip_space(text_, at_ + 3);
  if (at_ >= text_.size()) return std::nullopt;
  JsonDocument document;
  document.whole.begin = at_;
  if (text_[at_] == '{') {
    read_object(document);
  } else if (text_[at_] == '[') {
    document.is_list = true;
    const std::size_t end = read_items(document, at_);
    at_ = end == kNowhere ? resume_after(at_) : end;
  } else {
    document.problems.push_back("neither an object nor an array at " + place(at_));
    at_ = resume_after(at_);
  }
  document.whole.end = at_;
  if (document.problems.empty()) {
    if (!document.is_list) document.items = {document.whole};
  } else if (++broken_ == kMaxBrokenDocuments) {
    document.problems.push_back("too many broken documents; the rest is not read");
    at_ = text_.size();
  }
  return document;
}

void JsonDocuments::read_object(JsonDocument& document) {
  const std::size_t begin = at_;
  std::size_t at = skip_space(text_, at_ + 1);
  while (at != kNowhere && !has(at, '}')) {
    at = read_member(document, at);
    if (at == kNowhere) break;
    at = skip_space(text_, at);
    if (has(at, ',')) {
      at = skip_space(text_, at + 1);
    } else if (!has(at, '}')) {
      document.problems.push_back(at >= text_.size() ? "the text ends inside the document"
                                                     : "expected ',' or '}' at " + place(at));
      at = kNowhere;
    }
  }
  document.is_list =
      document.kind.ends_with("List") || (document.kind.empty() && !document.items.empty());
  if (!document.is_list) document.items.clear();
  at_ = at == kNowhere ? resume_after(begin) : at + 1;
}

// One "key": value from `at`; returns the end of the value, or kNowhere with a problem noted.
std::size_t JsonDocuments::read_member(JsonDocument& document, std::size_t at) {
  const std::size_t key_end = has(at, '"') ? end_of_string(text_, at) : kNowhere;
  const std::size_t colon = key_end == kNowhere ? kNowhere : skip_space(text_, key_end);
  if (colon == kNowhere || !has(colon, ':')) {
    document.problems.push_back("expected \"key\": value at " + place(at));
    return kNowhere;
  }
  const std::string_view key = without_quotes(text_.substr(at, key_end - at));
  const std::size_t value = skip_space(text_, colon + 1);
  if (key == "items" && has(value, '[')) return read_items(document, value);
  const std::size_t end = end_of_value(text_, value);
  if (end == kNowhere) {
    document.problems.push_back("the text ends inside \"" + std::string(key) + "\"");
    return kNowhere;
  }
  if (has(value, '"')) {
    const std::string_view text = without_quotes(text_.substr(value, end - value));
    if (key == "kind") document.kind = text;
    if (key == "apiVersion") document.api_version = text;
  }
  return end;
}

std::size_t JsonDocuments::read_items(JsonDocument& document, std::size_t at) {
  document.is_list = true;
  at = skip_space(text_, at + 1);
  while (!has(at, ']')) {
    const std::string number = "item " + std::to_string(document.items.size() + 1);
    const std::size_t end = end_of_value(text_, at);
    if (end == kNowhere || end == at) {
      document.problems.push_back(end == kNowhere ? "the text ends inside " + number
                                                  : "expected " + number + " at " + place(at));
      return kNowhere;
    }
    document.items.push_back({at, end});
    at = skip_space(text_, end);
    if (has(at, ',')) {
      at = skip_space(text_, at + 1);
    } else if (!has(at, ']')) {
      document.problems.push_back("expected ',' or ']' after " + number + " at " + place(at));
      if (!has(at, '{')) return kNowhere;
    }
  }
  return at + 1;
}

// Documents start at the beginning of a line, so the next such line is a good guess. A document
// whose brackets balance is left behind as a whole.
std::size_t JsonDocuments::resume_after(std::size_t broken) const {
  if (has(broken, '{') || has(broken, '[')) {
    const std::size_t end = end_of_container(text_, broken);
    if (end != kNowhere) return end;
  }
  const std::size_t next = text_.find("\n{", broken + 1);
  return next == kNowhere ? text_.size() : next + 1;
}

std::vector<TextSpan> split_broken_item(std::string_view text, TextSpan item) {
  const std::size_t line = text.substr(0, item.begin).rfind('\n');
  if (line == kNowhere) return {item};
  const std::string first_line(text.substr(line, item.begin + 1 - line));
  if (skip_space(first_line, 0) + 1 != first_line.size() || first_line.back() != '{') return {item};
  const std::size_t next = item.of(text).find(first_line, 1);
  if (next == kNowhere) return {item};
  std::size_t at = item.begin + next + first_line.size() - 1;
  std::vector<TextSpan> parts = {{item.begin, at}};
  while (at < item.end && text[at] == '{') {
    const std::size_t end = std::min(end_of_container(text, at), item.end);
    parts.push_back({at, end});
    at = skip_space(text, end);
    if (at < item.end && text[at] == ',') at = skip_space(text, at + 1);
  }
  return parts;
}

}  // namespace proxima::wire
