// SPDX-License-Identifier: Apache-2.0
#include "core/model/selector.h"

#include <algorithm>
#include <charconv>

#include "core/model/label_syntax.h"

namespace proxima::model {
namespace {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Words and the symbols = == != ! < > ( ) , as kubectl splits them. An empty token is the end.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : rest_(text) {}

  std::string_view peek() {
    Tokens ahead = *this;
    return ahead.next();
  }
  std::string_view next() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    std::size_t size = 0;
    if (is_symbol_at(0)) {
      size = rest_.starts_with("==") || rest_.starts_with("!=") ? 2 : 1;
    } else {
      while (size < rest_.size() && !is_space(rest_[size]) && !is_symbol_at(size)) ++size;
    }
    const std::string_view token = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return token;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  bool is_symbol_at(std::size_t at) const {
    return at < rest_.size() &&
           std::string_view("=!(),><").find(rest_[at]) != std::string_view::npos;
  }

  std::string_view rest_;
};

bool is_word(std::string_view token) {
  return !token.empty() &&
         std::string_view("=!(),><").find(token.front()) == std::string_view::npos;
}

Error malformed(std::string_view text, const std::string& why) {
  return Error{ErrorCode::InvalidInput,
               "not a label selector: \"" + std::string(text) + "\" (" + why + ")"};
}

class SelectorParser {
 public:
  explicit SelectorParser(std::string_view text) : text_(text), tokens_(text) {}

  Result<std::vector<Requirement>> parse() {
    std::vector<Requirement> all;
    if (tokens_.peek().empty()) return all;
    while (true) {
      auto requirement = parse_requirement();
      if (!requirement) return std::move(requirement).error();
      all.push_back(std::move(*requirement));
      const std::string_view separator = tokens_.next();
      if (separator.empty()) return all;
      if (separator != ",")
        return malformed(text_, "expected ',' before '" + std::string(separator) + "'");
    }
  }

 private:
  Result<Requirement> parse_requirement() {
    const bool negated = tokens_.peek() == "!";
    if (negated) tokens_.next();
    const std::string_view key = tokens_.next();
    if (!is_word(key)) return malformed(text_, "a label key is missing");
    if (auto wrong = wrong_label_key(key)) return malformed(text_, *wrong);
    Requirement requirement{std::string(key), SelectorOperator::Exists, {}};
    if (negated) {
      requirement.op = SelectorOperator::DoesNotExist;
      return requirement;
    }
    const std::string_view symbol = tokens_.peek();
    if (symbol.empty() || symbol == ",") return requirement;
    auto op = operator_of(symbol);
    if (!op) return malformed(text_, "unknown operator '" + std::string(symbol) + "'");
    tokens_.next();
    requirement.op = *op;
    return with_values(std::move(requirement));
  }

  static std::optional<SelectorOperator> operator_of(std::string_view symbol) {
    if (symbol == "=" || symbol == "==") return SelectorOperator::Equals;
    if (symbol == "!=") return SelectorOperator::NotEquals;
    if (symbol == "in") return SelectorOperator::In;
    if (symbol == "notin") return SelectorOperator::NotIn;
    if (symbol == ">") return SelectorOperator::GreaterThan;
    if (symbol == "<") return SelectorOperator::LessThan;
    return std::nullopt;
  }

  Result<Requirement> with_values(Requirement requirement) {
    const bool set =
        requirement.op == SelectorOperator::In || requirement.op == SelectorOperator::NotIn;
    if (set) {
      if (tokens_.next() != "(") return malformed(text_, "expected '(' after in or notin");
      auto values = read_set();
      if (!values) return std::move(values).error();
      requirement.values = std::move(*values);
    } else {
      requirement.values.emplace_back(is_word(tokens_.peek()) ? tokens_.next()
                                                              : std::string_view());
    }
    for (const std::string& value : requirement.values)
      if (auto wrong = wrong_label_value(value)) return malformed(text_, *wrong);
    const bool compares = requirement.op == SelectorOperator::GreaterThan ||
                          requirement.op == SelectorOperator::LessThan;
    if (compares && !parse_integer(requirement.values.front()))
      return malformed(text_, "< and > take an integer");
    std::ranges::sort(requirement.values);
    return requirement;
  }

  // "x,y)": a value may be empty, as in "a in (,x)".
  Result<std::vector<std::string>> read_set() {
    std::vector<std::string> values;
    while (true) {
      values.emplace_back(is_word(tokens_.peek()) ? tokens_.next() : std::string_view());
      const std::string_view token = tokens_.next();
      if (token == ")") return values;
      if (token != ",") return malformed(text_, "expected ',' or ')' in the list of values");
    }
  }

  std::string_view text_;
  Tokens tokens_;
};

bool compares(SelectorOperator op, std::string_view label, std::string_view bound) {
  auto have = parse_integer(label);
  auto want = parse_integer(bound);
  if (!have || !want) return false;
  return op == SelectorOperator::GreaterThan ? *have > *want : *have < *want;
}

bool satisfied(const Requirement& requirement, std::optional<std::string_view> label) {
  const bool listed =
      label && std::ranges::binary_search(requirement.values, *label, std::less<>());
  switch (requirement.op) {
    case SelectorOperator::Equals:
    case SelectorOperator::In:
      return listed;
    case SelectorOperator::NotEquals:
    case SelectorOperator::NotIn:
      return !listed;  // a missing label is not any of the values
    case SelectorOperator::Exists:
      return label.has_value();
    case SelectorOperator::DoesNotExist:
      return !label.has_value();
    case SelectorOperator::GreaterThan:
    case SelectorOperator::LessThan:
      return label && compares(requirement.op, *label, requirement.values.front());
  }
  return false;
}

}  // namespace

Result<Selector> Selector::parse(std::string_view text) {
  auto requirements = SelectorParser(text).parse();
  if (!requirements) return std::move(requirements).error();
  return of(std::move(*requirements));
}

Selector Selector::of(std::vector<Requirement> requirements) {
  Selector selector;
  selector.requirements_ = std::move(requirements);
  return selector;
}

bool Selector::matches(const LabelLookup& label) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    return satisfied(requirement, label(requirement.key));
  });
}

}  // namespace proxima::model
