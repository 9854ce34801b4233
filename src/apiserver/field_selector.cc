// SPDX-License-Identifier: Apache-2.0
#include "apiserver/field_selector.h"

#include <algorithm>
#include <boost/json/value.hpp>

namespace proxima::apiserver {
namespace {

struct RawTerm {
  std::string_view label;
  std::string value;
  bool negated = false;
};

Error refused(std::string message) { return Error{ErrorCode::InvalidInput, std::move(message)}; }

// At commas that no backslash escapes; the backslashes stay.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  bool escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (escaped) {
      escaped = false;
    } else if (text[i] == '\\') {
      escaped = true;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  terms.push_back(text.substr(begin));
  return terms;
}

// A backslash and the character (not byte) after it.
std::string_view escape_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 2;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return text.substr(at, end - at);
}

Result<std::string> unescape(std::string_view text) {
  constexpr std::string_view kSpecial = "\\,=";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::string_view escape = escape_at(text, i);
      if (escape.size() != 2 || kSpecial.find(escape[1]) == std::string_view::npos)
        return refused("invalid field selector: invalid escape sequence: " + std::string(escape));
      out += escape[1];
      ++i;
    } else if (kSpecial.find(text[i]) != std::string_view::npos) {
      // Upstream prints the number of the character.
      return refused("invalid field selector: unescaped character in value: " +
                     std::to_string(static_cast<int>(text[i])));
    } else {
      out += text[i];
    }
  }
  return out;
}

// The first operator splits; a label knows no escapes.
Result<RawTerm> parse_term(std::string_view term, std::string_view whole) {
  for (std::size_t i = 0; i < term.size(); ++i) {
    const std::string_view rest = term.substr(i);
    const bool negated = rest.starts_with("!=");
    if (!negated && rest.front() != '=') continue;
    auto value = unescape(rest.substr(negated || rest.starts_with("==") ? 2 : 1));
    if (!value) return std::move(value).error();
    return RawTerm{term.substr(0, i), std::move(*value), negated};
  }
  return refused("invalid selector: '" + std::string(whole) + "'; can't understand '" +
                 std::string(term) + "'");
}

Result<std::vector<RawTerm>> parse_terms(std::string_view text) {
  std::vector<std::string_view> parts = split_terms(text);
  std::ranges::sort(parts);
  std::vector<RawTerm> terms;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    auto term = parse_term(part, text);
    if (!term) return std::move(term).error();
    terms.push_back(std::move(*term));
  }
  return terms;
}

}  // namespace

Result<FieldSelector> FieldSelector::parse(const ResourceType& type, std::string_view text) {
  auto terms = parse_terms(text);
  if (!terms) return std::move(terms).error();
  FieldSelector selector;
  for (RawTerm& term : *terms) {
    const SelectableField* field = find_selectable_field(type, term.label);
    if (field == nullptr) return refused(unselectable_field(type, term.label));
    selector.terms_.push_back({field, std::move(term.value), term.negated});
  }
  return selector;
}

bool FieldSelector::matches(const boost::json::object& object) const {
  return std::ranges::all_of(terms_, [&](const Term& term) {
    return (selectable_value(*term.field, object) == term.value) != term.negated;
  });
}

std::optional<std::string> FieldSelector::exact_value(std::string_view label) const {
  for (const Term& term : terms_)
    if (!term.negated && term.field->label == label) return term.value;
  return std::nullopt;
}

}  // namespace proxima::apiserver
