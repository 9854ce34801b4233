// SPDX-License-Identifier: Apache-2.0
#include "core/model/label_syntax.h"

#include <algorithm>

namespace proxima::model {
namespace {

constexpr std::size_t kMaxNameBytes = 63;
constexpr std::size_t kMaxPrefixBytes = 253;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool is_name(std::string_view text) {
  auto inside = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && text.size() <= kMaxNameBytes && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::ranges::all_of(text, inside);
}

bool is_dns_label(std::string_view text) {
  auto inside = [](char c) { return is_lower_or_digit(c) || c == '-'; };
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::ranges::all_of(text, inside);
}

bool is_dns_name(std::string_view text) {
  if (text.size() > kMaxPrefixBytes) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

std::optional<std::string> wrong_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (slash != std::string_view::npos && !is_dns_name(key.substr(0, slash)))
    return "the prefix of label key " + quoted(key) + " is not a DNS name";
  if (!is_name(name)) return quoted(key) + " is not a label key";
  return std::nullopt;
}

std::optional<std::string> wrong_label_value(std::string_view value) {
  if (value.empty() || is_name(value)) return std::nullopt;
  return quoted(value) + " is not a label value";
}

}  // namespace proxima::model
