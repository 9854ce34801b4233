// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/json_syntax.h"

#include <vector>

#include "apiserver/rules/go_text.h"
#include "base/ascii.h"

namespace proxima::apiserver::rules {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// As Go prints a byte in an error: 'x', '\'' and '"' specially.
std::string quoted_char(char c) {
  if (c == '\'') return "'\\''";
  if (c == '"') return "'\"'";
  std::string quoted = go_quote(std::string_view(&c, 1));
  // The scanner looks at bytes, so that one above 127 is a code point of its own.
  if (static_cast<unsigned char>(c) >= 0x80) {
    const auto code = static_cast<unsigned char>(c);
    const char two[] = {static_cast<char>(0xC0U | code >> 6U),
                        static_cast<char>(0x80U | (code & 0x3FU))};
    quoted = go_quote(std::string_view(two, 2));
  }
  quoted.front() = '\'';
  quoted.back() = '\'';
  return quoted;
}

// Reads JSON and keeps nothing; stops at the first byte that does not fit, and says why. Values
// nest in `open_`, not on the stack.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string message() {
    while (step()) {
    }
    return message_.empty() ? "exceeded max depth" : message_;
  }

 private:
  enum class Next { Value, ValueOrEnd, Key, KeyOrEnd, Colon, AfterValue, End };

  bool fail(const std::string& why) {
    message_ = at_ < text_.size() ? "invalid character " + quoted_char(text_[at_]) + " " + why
                                  : "unexpected end of JSON input";
    return false;
  }

  bool step() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    if (at_ == text_.size()) return next_ == Next::End ? false : fail("");
    switch (next_) {
      case Next::Value:
        return value();
      case Next::ValueOrEnd:
        return text_[at_] == ']' ? close() : value();
      case Next::Key:
        return key();
      case Next::KeyOrEnd:
        return text_[at_] == '}' ? close() : key();
      case Next::Colon:
        return colon();
      case Next::AfterValue:
        return after_value();
      case Next::End:
        return fail("after top-level value");
    }
    return false;
  }

  void value_done() { next_ = open_.empty() ? Next::End : Next::AfterValue; }

  bool close() {
    ++at_;
    open_.pop_back();
    value_done();
    return true;
  }

  bool open(char bracket) {
    ++at_;
    open_.push_back(bracket);
    next_ = bracket == '{' ? Next::KeyOrEnd : Next::ValueOrEnd;
    return true;
  }

  bool value() {
    const char c = text_[at_];
    if (c == '{' || c == '[') return open(c);
    bool good = false;
    if (c == '"') {
      good = string();
    } else if (c == '-' || is_digit(c)) {
      good = number();
    } else if (c == 't' || c == 'f' || c == 'n') {
      good = literal(c == 't' ? "true" : c == 'f' ? "false" : "null");
    } else {
      return fail("looking for beginning of value");
    }
    if (good) value_done();
    return good;
  }

  bool key() {
    if (text_[at_] != '"') return fail("looking for beginning of object key string");
    next_ = Next::Colon;
    return string();
  }

  bool colon() {
    if (text_[at_] != ':') return fail("after object key");
    ++at_;
    next_ = Next::Value;
    return true;
  }

  bool after_value() {
    const bool object = open_.back() == '{';
    if (text_[at_] == ',') {
      ++at_;
      next_ = object ? Next::Key : Next::Value;
      return true;
    }
    if (text_[at_] == (object ? '}' : ']')) return close();
    return fail(object ? "after object key:value pair" : "after array element");
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("in string literal");
      if (c == '\\' && !escape()) return false;
    }
    return fail("");
  }

  // Ends at the escape's last character.
  bool escape() {
    ++at_;
    if (at_ == text_.size()) return fail("");
    if (text_[at_] != 'u')
      return std::string_view("bfnrt\\/\"").find(text_[at_]) != std::string_view::npos ||
             fail("in string escape code");
    for (int i = 0; i < 4; ++i) {
      ++at_;
      if (at_ == text_.size() || !is_hex(text_[at_]))
        return fail("in \\u hexadecimal character escape");
    }
    return true;
  }

  bool digits(const char* why) {
    if (at_ == text_.size() || !is_digit(text_[at_])) return fail(why);
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return true;
  }

  bool has(std::string_view any) const {
    return at_ < text_.size() && any.find(text_[at_]) != std::string_view::npos;
  }

  bool number() {
    if (has("-")) ++at_;
    if (has("0")) {
      ++at_;
    } else if (!digits("in numeric literal")) {
      return false;
    }
    if (has(".")) {
      ++at_;
      if (!digits("after decimal point in numeric literal")) return false;
    }
    if (!has("eE")) return true;
    ++at_;
    if (has("+-")) ++at_;
    return digits("in exponent of numeric literal");
  }

  bool literal(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i, ++at_) {
      if (at_ < text_.size() && text_[at_] == word[i]) continue;
      return fail("in literal " + std::string(word) + " (expecting " + quoted_char(word[i]) + ")");
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Next next_ = Next::Value;
  std::vector<char> open_;
  std::string message_;
};

}  // namespace

std::string json_syntax_message(std::string_view text) { return Scanner(text).message(); }

}  // namespace proxima::apiserver::rules
