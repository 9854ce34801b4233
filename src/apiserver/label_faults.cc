// SPDX-License-Identifier: Apache-2.0
#include "apiserver/label_faults.h"

#include <algorithm>

namespace proxima::apiserver {
namespace {

constexpr std::size_t kMaxNameBytes = 63;
constexpr std::size_t kMaxPrefixBytes = 253;

constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool has_name_form(std::string_view text) {
  auto inside = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(text, inside);
}

bool is_dns_label(std::string_view text) {
  auto inside = [](char c) { return is_lower_or_digit(c) || c == '-'; };
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::ranges::all_of(text, inside);
}

bool has_subdomain_form(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

void append(std::string& faults, std::string_view part, std::string_view fault) {
  if (!faults.empty()) faults += "; ";
  faults.append(part).append(fault);
}

std::string too_long(std::size_t bytes) {
  return "must be no more than " + std::to_string(bytes) + " bytes";
}

void append_prefix_faults(std::string& faults, std::string_view prefix) {
  constexpr std::string_view kPart = "prefix part ";
  if (prefix.empty()) {
    append(faults, kPart, "must be non-empty");
    return;
  }
  if (prefix.size() > kMaxPrefixBytes) append(faults, kPart, too_long(kMaxPrefixBytes));
  if (!has_subdomain_form(prefix)) append(faults, kPart, kSubdomainRule);
}

}  // namespace

std::string label_key_fault(std::string_view key) {
  constexpr std::string_view kPart = "name part ";
  const auto slashes = std::ranges::count(key, '/');
  if (slashes > 1)
    return "a valid label key " + std::string(kNameRule) +
           " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
  std::string faults;
  if (slashes == 1) append_prefix_faults(faults, key.substr(0, key.find('/')));
  const std::string_view name = key.substr(slashes == 1 ? key.find('/') + 1 : 0);
  if (name.empty()) append(faults, kPart, "must be non-empty");
  if (name.size() > kMaxNameBytes) append(faults, kPart, too_long(kMaxNameBytes));
  if (!has_name_form(name)) append(faults, kPart, kNameRule);
  return faults;
}

std::string label_value_fault(std::string_view value) {
  std::string faults;
  if (value.size() > kMaxNameBytes) append(faults, {}, too_long(kMaxNameBytes));
  if (!value.empty() && !has_name_form(value)) append(faults, {}, kValueRule);
  return faults;
}

}  // namespace proxima::apiserver
