// SPDX-License-Identifier: Apache-2.0
#include "kube/warning_headers.h"

#include <algorithm>

namespace proxima::kube {
namespace {

constexpr std::size_t kMaxSeen = 1000;
constexpr std::size_t kMaxWarningBytes = 4096;

void skip_spaces(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
}

std::string_view take_word(std::string_view& rest) {
  skip_spaces(rest);
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

// Appends a quoted string with its escapes removed. False: there is none, or it does not end.
bool take_quoted(std::string_view& rest, std::string& text) {
  skip_spaces(rest);
  if (rest.empty() || rest.front() != '"') return false;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '"') {
      rest.remove_prefix(at + 1);
      return true;
    }
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    text += rest[at];
  }
  return false;
}

// Another warning follows after a comma; a date may stand between.
bool take_comma(std::string_view& rest) {
  skip_spaces(rest);
  std::string date;
  take_quoted(rest, date);
  skip_spaces(rest);
  if (rest.empty() || rest.front() != ',') return false;
  rest.remove_prefix(1);
  return true;
}

// It goes to a terminal or a log: one line, not endless.
std::string shown(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  if (text.size() > kMaxWarningBytes) text.resize(kMaxWarningBytes);
  return text;
}

}  // namespace

std::vector<std::string> parse_warning_header(std::string_view value) {
  std::vector<std::string> texts;
  do {
    const std::string_view code = take_word(value);
    const std::string_view agent = take_word(value);
    std::string text;
    if (agent.empty() || !take_quoted(value, text)) return texts;
    if (code == "299" && !text.empty()) texts.push_back(shown(std::move(text)));
  } while (take_comma(value));
  return texts;
}

void WarningFilter::take(const net::HttpHeaders& headers) {
  if (!show_) return;
  for (const net::HttpHeader& header : headers.all()) {
    if (!net::same_header_name(header.name, "Warning")) continue;
    for (const std::string& text : parse_warning_header(header.value))
      if (is_new(text)) show_(text);
  }
}

bool WarningFilter::is_new(const std::string& text) {
  const std::lock_guard guard(mutex_);
  // Forgetting all repeats a few; remembering all would grow for ever.
  if (seen_.size() >= kMaxSeen) seen_.clear();
  return seen_.insert(text).second;
}

}  // namespace proxima::kube
