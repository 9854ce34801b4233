// SPDX-License-Identifier: Apache-2.0
#include "net/http_message.h"

#include <algorithm>
#include <utility>

namespace proxima::net {

namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char letter = lower(digit);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool is_unreserved(char byte) {
  const char letter = lower(byte);
  return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
         byte == '.' || byte == '_' || byte == '~';
}

// The two digits after a percent sign; -1 when they are not there.
int escaped_byte(std::string_view digits) {
  if (digits.size() < 2) return -1;
  const int high = hex_value(digits[0]);
  const int low = hex_value(digits[1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

std::optional<QueryParameter> parse_parameter(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  auto name = percent_decode(text.substr(0, equals), PlusSign::Space);
  auto value = percent_decode(text.substr(std::min(equals + 1, text.size())), PlusSign::Space);
  if (!name || !value) return std::nullopt;
  return QueryParameter{std::move(*name), std::move(*value)};
}

}  // namespace

bool same_header_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

void HttpHeaders::remove(std::string_view name) {
  std::erase_if(all_, [&](const HttpHeader& it) { return same_header_name(it.name, name); });
}

void HttpHeaders::set(std::string_view name, std::string value) {
  remove(name);
  add(std::string(name), std::move(value));
}

std::optional<std::string_view> HttpHeaders::find(std::string_view name) const {
  for (const HttpHeader& header : all_) {
    if (same_header_name(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::optional<std::string> percent_decode(std::string_view text, PlusSign plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int byte = escaped_byte(text.substr(i + 1));
      if (byte < 0) return std::nullopt;
      decoded.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      decoded.push_back(text[i] == '+' && plus == PlusSign::Space ? ' ' : text[i]);
    }
  }
  return decoded;
}

std::string percent_encode(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char byte : text) {
    if (is_unreserved(byte)) {
      encoded.push_back(byte);
      continue;
    }
    const auto bits = static_cast<unsigned char>(byte);
    encoded.push_back('%');
    encoded.push_back(kHexDigits[bits >> 4U]);
    encoded.push_back(kHexDigits[bits & 15U]);
  }
  return encoded;
}

std::optional<std::vector<QueryParameter>> parse_query(std::string_view query) {
  std::vector<QueryParameter> parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    if (end > 0) {
      auto parameter = parse_parameter(query.substr(0, end));
      if (!parameter) return std::nullopt;
      parameters.push_back(std::move(*parameter));
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return parameters;
}

}  // namespace proxima::net
