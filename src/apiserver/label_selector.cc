// SPDX-License-Identifier: Apache-2.0
#include "apiserver/label_selector.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "apiserver/label_faults.h"
#include "apiserver/selector_tokens.h"
#include "base/go_quote.h"

namespace proxima::apiserver {
namespace {

using model::Requirement;
using model::SelectorOperator;

Error found(std::string_view literal, std::string_view expected) {
  return Error{ErrorCode::InvalidInput,
               "found '" + std::string(literal) + "'" + std::string(expected)};
}

// Go's strconv.ParseInt(text, 10, 64) takes it.
bool is_integer(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

std::string invalid(std::string_view field, std::string_view value, std::string_view detail) {
  return std::string(field) + ": Invalid value: " + go_quote(value) + ": " + std::string(detail);
}

// As upstream prints several errors: each once, in brackets when there are more than one.
std::string joined(const std::vector<std::string>& faults) {
  std::string out;
  std::set<std::string_view> seen;
  for (const std::string& fault : faults) {
    if (!seen.insert(fault).second) continue;
    out += (seen.size() > 1 ? ", " : "") + fault;
  }
  return seen.size() > 1 ? "[" + out + "]" : out;
}

bool compares(SelectorOperator op) {
  return op == SelectorOperator::GreaterThan || op == SelectorOperator::LessThan;
}

// What is wrong with the values of a requirement that is well formed.
std::vector<std::string> value_faults(const Requirement& requirement) {
  std::vector<std::string> faults;
  if (compares(requirement.op) && !is_integer(requirement.values.front()))
    faults.push_back(invalid("values[0]", requirement.values.front(),
                             "for 'Gt', 'Lt' operators, the value must be an integer"));
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const std::string fault = label_value_fault(requirement.values[i]);
    if (!fault.empty())
      faults.push_back(invalid("values[" + std::to_string(i) + "][" + requirement.key + "]",
                               requirement.values[i], fault));
  }
  return faults;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(selector_tokens(text)) {}

  Result<std::vector<Requirement>> parse() {
    std::vector<Requirement> all;
    while (true) {
      if (peek().token == Token::End) return all;
      if (!begins_requirement(peek()))
        return found(peek().literal, ", expected: !, identifier, or 'end of string'");
      PROXIMA_TRY(Requirement requirement, parse_requirement(), "unable to parse requirement");
      all.push_back(std::move(requirement));
      const SelectorToken separator = next();
      if (separator.token == Token::End) return all;
      if (separator.token != Token::Comma)
        return found(separator.literal, ", expected: ',' or 'end of string'");
      if (!begins_requirement(peek()))
        return found(peek().literal, ", expected: identifier after ','");
    }
  }

 private:
  using Token = SelectorToken::Type;

  const SelectorToken& peek() const { return tokens_[position_]; }
  // The last token is the end, and stays.
  const SelectorToken& next() {
    return tokens_[position_ + 1 < tokens_.size() ? position_++ : position_];
  }
  // Where a word is due, "in" and "notin" are words like others.
  static bool is_word(const SelectorToken& token) {
    return token.token == Token::Identifier || token.token == Token::In ||
           token.token == Token::NotIn;
  }
  static bool begins_requirement(const SelectorToken& token) {
    return is_word(token) || token.token == Token::Not;
  }

  Result<Requirement> parse_requirement() {
    const bool negated = peek().token == Token::Not;
    if (negated) next();
    const SelectorToken key = next();
    if (!is_word(key)) return found(key.literal, ", expected: identifier");
    const std::string fault = label_key_fault(key.literal);
    if (!fault.empty()) return Error{ErrorCode::InvalidInput, invalid("<nil>", key.literal, fault)};
    Requirement requirement{std::string(key.literal), SelectorOperator::DoesNotExist, {}};
    if (negated) return requirement;
    requirement.op = SelectorOperator::Exists;
    if (peek().token == Token::End || peek().token == Token::Comma) return requirement;
    return parse_operator_and_values(std::move(requirement));
  }

  Result<Requirement> parse_operator_and_values(Requirement requirement) {
    const SelectorToken symbol = next();
    const auto op = operator_of(symbol.token);
    if (!op) return found(symbol.literal, ", expected: in, notin, =, ==, !=, gt, lt");
    requirement.op = *op;
    const bool set = *op == SelectorOperator::In || *op == SelectorOperator::NotIn;
    auto values = set ? parse_set() : parse_value();
    if (!values) return std::move(values).error();
    requirement.values.assign(values->begin(), values->end());
    const auto faults = value_faults(requirement);
    if (!faults.empty()) return Error{ErrorCode::InvalidInput, joined(faults)};
    return requirement;
  }

  static std::optional<SelectorOperator> operator_of(Token token) {
    switch (token) {
      case Token::In:
        return SelectorOperator::In;
      case Token::NotIn:
        return SelectorOperator::NotIn;
      case Token::Equals:
        return SelectorOperator::Equals;
      case Token::NotEquals:
        return SelectorOperator::NotEquals;
      case Token::GreaterThan:
        return SelectorOperator::GreaterThan;
      case Token::LessThan:
        return SelectorOperator::LessThan;
      default:
        return std::nullopt;
    }
  }

  using Values = std::set<std::string, std::less<>>;

  Result<Values> parse_value() {
    if (peek().token == Token::End || peek().token == Token::Comma) return Values{""};
    const SelectorToken value = next();
    if (!is_word(value)) return found(value.literal, ", expected: identifier");
    return Values{std::string(value.literal)};
  }

  Result<Values> parse_set() {
    const SelectorToken open = next();
    if (open.token != Token::Open) return found(open.literal, " expected: '('");
    if (peek().token == Token::Close) {
      next();
      return Values{""};
    }
    if (!is_word(peek()) && peek().token != Token::Comma)
      return found(peek().literal, ", expected: ',', ')' or identifier");
    auto values = parse_list();
    if (values) next();  // the closing parenthesis
    return values;
  }

  // Up to the closing parenthesis. Nothing between two commas is the empty value.
  Result<Values> parse_list() {
    Values values;
    while (true) {
      const SelectorToken token = next();
      if (is_word(token)) {
        values.emplace(token.literal);
        if (peek().token == Token::Close) return values;
        if (peek().token != Token::Comma) return found(peek().literal, ", expected: ',' or ')'");
        continue;
      }
      if (token.token != Token::Comma)
        return found(token.literal, ", expected: ',', or identifier");
      const Token after = peek().token;
      if (values.empty() || after == Token::Close || after == Token::Comma) values.emplace();
      if (after == Token::Close) return values;
    }
  }

  std::vector<SelectorToken> tokens_;
  std::size_t position_ = 0;
};

}  // namespace

Result<model::Selector> parse_label_selector(std::string_view text) {
  auto requirements = Parser(text).parse();
  if (!requirements) return std::move(requirements).error();
  return model::Selector::of(std::move(*requirements));
}

}  // namespace proxima::apiserver
