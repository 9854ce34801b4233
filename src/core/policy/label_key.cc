// SPDX-License-Identifier: Apache-2.0
#include "core/policy/label_key.h"

#include <algorithm>

namespace proxima::policy {
namespace {

constexpr std::size_t kMaxPrefix = 253;
constexpr std::size_t kMaxName = 63;

bool is_lower_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z'); }

bool is_dns_label(std::string_view label) {
  return !label.empty() && is_lower_alphanumeric(label.front()) &&
         is_lower_alphanumeric(label.back()) && std::all_of(label.begin(), label.end(), [](char c) {
           return is_lower_alphanumeric(c) || c == '-';
         });
}

bool is_dns_subdomain(std::string_view text) {
  if (text.empty() || text.size() > kMaxPrefix) return false;
  while (true) {
    const auto dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && is_alphanumeric(name.front()) &&
         is_alphanumeric(name.back()) && std::all_of(name.begin(), name.end(), [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

bool is_label_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos) return is_name(key);
  return is_dns_subdomain(key.substr(0, slash)) && is_name(key.substr(slash + 1));
}

}  // namespace proxima::policy
