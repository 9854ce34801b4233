// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/name_rules.h"

#include <algorithm>

#include "base/ascii.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kDnsLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kDnsSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kLabelKeyRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kConfigMapKeyRule =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
    "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
    "'[-._a-zA-Z0-9]+')";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_lower_alphanumeric(char c) { return is_lower(c) || is_digit(c); }
bool is_alphanumeric(char c) { return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z'); }

bool is_dns_label(std::string_view text) {
  return !text.empty() && is_lower_alphanumeric(text.front()) &&
         is_lower_alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower_alphanumeric(c) || c == '-';
         });
}

bool is_dns_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_label_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Upstream counts bytes everywhere, but its older functions call them characters.
std::string too_long(std::size_t most, std::string_view unit) {
  return "must be no more than " + std::to_string(most) + " " + std::string(unit);
}

void add_prefix_faults(Faults& out, std::string_view prefix) {
  if (prefix.empty()) {
    out.emplace_back("prefix part must be non-empty");
    return;
  }
  if (prefix.size() > 253) out.push_back("prefix part " + too_long(253, "bytes"));
  if (!is_dns_subdomain(prefix)) out.push_back("prefix part " + std::string(kDnsSubdomainRule));
}

void add_dot_faults(Faults& out, std::string_view text) {
  if (text == ".") {
    out.emplace_back("must not be '.'");
  } else if (text == "..") {
    out.emplace_back("must not be '..'");
  } else if (text.starts_with("..")) {
    out.emplace_back("must not start with '..'");
  }
}

}  // namespace

Faults dns_label_faults(std::string_view text) {
  Faults out;
  if (text.size() > 63) out.push_back(too_long(63, "characters"));
  if (!is_dns_label(text))
    out.emplace_back(is_dns_subdomain(text) ? "must not contain dots" : kDnsLabelRule);
  return out;
}

Faults dns_subdomain_faults(std::string_view text) {
  Faults out;
  if (text.size() > 253) out.push_back(too_long(253, "characters"));
  if (!is_dns_subdomain(text)) out.emplace_back(kDnsSubdomainRule);
  return out;
}

Faults qualified_name_faults(std::string_view text) {
  const auto slashes = std::count(text.begin(), text.end(), '/');
  if (slashes > 1)
    return {"a valid label key " + std::string(kLabelKeyRule) +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  Faults out;
  if (slashes == 1) add_prefix_faults(out, text.substr(0, text.find('/')));
  const std::string_view name = text.substr(slashes == 1 ? text.find('/') + 1 : 0);
  if (name.empty()) out.emplace_back("name part must be non-empty");
  if (name.size() > 63) out.push_back("name part " + too_long(63, "bytes"));
  if (!is_label_name(name)) out.push_back("name part " + std::string(kLabelKeyRule));
  return out;
}

Faults label_value_faults(std::string_view text) {
  Faults out;
  if (text.size() > 63) out.push_back(too_long(63, "bytes"));
  if (!text.empty() && !is_label_name(text)) out.emplace_back(kLabelValueRule);
  return out;
}

Faults port_name_faults(std::string_view text) {
  Faults out;
  if (text.size() > 15) out.push_back(too_long(15, "characters"));
  const bool charset = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower_alphanumeric(c) || c == '-';
  });
  if (!charset)
    out.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!std::any_of(text.begin(), text.end(), is_lower))
    out.emplace_back("must contain at least one letter (a-z)");
  if (text.find("--") != std::string_view::npos)
    out.emplace_back("must not contain consecutive hyphens");
  if (!text.empty() && (text.front() == '-' || text.back() == '-'))
    out.emplace_back("must not begin or end with a hyphen");
  return out;
}

Faults port_number_faults(long long number) {
  if (number >= 1 && number <= 65535) return {};
  return {"must be between 1 and 65535, inclusive"};
}

Faults config_map_key_faults(std::string_view text) {
  Faults out;
  if (text.size() > 253) out.push_back(too_long(253, "characters"));
  const bool charset = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
  });
  if (!charset) out.emplace_back(kConfigMapKeyRule);
  add_dot_faults(out, text);
  return out;
}

Faults path_segment_faults(std::string_view text) {
  if (text == "." || text == "..") return {"may not be '" + std::string(text) + "'"};
  return path_prefix_faults(text);
}

Faults path_prefix_faults(std::string_view text) {
  Faults out;
  for (const char illegal : {'/', '%'})
    if (text.find(illegal) != std::string_view::npos)
      out.push_back(std::string("may not contain '") + illegal + "'");
  return out;
}

std::string without_trailing_dash(std::string_view text) {
  if (text.size() < 2 || text.back() != '-') return std::string(text);
  return std::string(text.substr(0, text.size() - 2)) + "a";
}

std::string joined(const Faults& faults, std::string_view separator) {
  std::string out;
  for (const std::string& fault : faults) {
    if (&fault != &faults.front()) out += separator;
    out += fault;
  }
  return out;
}

}  // namespace proxima::apiserver::rules
