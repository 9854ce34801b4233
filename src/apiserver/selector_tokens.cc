// SPDX-License-Identifier: Apache-2.0
#include "apiserver/selector_tokens.h"

namespace proxima::apiserver {
namespace {

using Type = SelectorToken::Type;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_symbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

Type symbol_type(std::string_view symbol) {
  if (symbol == "!=") return Type::NotEquals;
  switch (symbol.front()) {
    case ')':
      return Type::Close;
    case ',':
      return Type::Comma;
    case '!':
      return Type::Not;
    case '>':
      return Type::GreaterThan;
    case '<':
      return Type::LessThan;
    case '(':
      return Type::Open;
    default:
      return Type::Equals;
  }
}

Type word_type(std::string_view word) {
  if (word == "in") return Type::In;
  return word == "notin" ? Type::NotIn : Type::Identifier;
}

std::size_t word_length(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] != '\0' && !is_blank(text[size]) &&
         !is_symbol(text[size]))
    ++size;
  return size;
}

// Takes one token off the front of `text`. A NUL where a token would begin is the end of the text;
// one right after a word only ends the word, as upstream's lexer has it.
SelectorToken take_token(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  if (text.empty() || text.front() == '\0') return {};
  SelectorToken token;
  if (is_symbol(text.front())) {
    const bool two = text.starts_with("==") || text.starts_with("!=");
    token.literal = text.substr(0, two ? 2 : 1);
    token.token = symbol_type(token.literal);
  } else {
    token.literal = text.substr(0, word_length(text));
    token.token = word_type(token.literal);
  }
  text.remove_prefix(token.literal.size());
  if (!text.empty() && text.front() == '\0') text.remove_prefix(1);
  return token;
}

}  // namespace

std::vector<SelectorToken> selector_tokens(std::string_view text) {
  std::vector<SelectorToken> tokens;
  do {
    tokens.push_back(take_token(text));
  } while (tokens.back().token != Type::End);
  return tokens;
}

}  // namespace proxima::apiserver
