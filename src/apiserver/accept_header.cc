// SPDX-License-Identifier: Apache-2.0
#include "apiserver/accept_header.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"

namespace proxima::apiserver {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// "0.75" → 750; what is no number counts as 1, as upstream's library has it.
int quality(std::string_view text) {
  if (text.empty() || (text.front() != '0' && text.front() != '1')) return 1000;
  if (text.front() == '1') return 1000;
  int permille = 0;
  int unit = 100;
  for (const char digit : text.substr(std::min<std::size_t>(2, text.size()), 3)) {
    if (digit < '0' || digit > '9') return 1000;
    permille += (digit - '0') * unit;
    unit /= 10;
  }
  return permille;
}

std::optional<MediaRange> parse_range(std::string_view text) {
  MediaRange range;
  range.type = lower(take_until(text, ';'));
  if (range.type.find('/') == std::string::npos) return std::nullopt;
  while (!text.empty()) {
    std::string_view parameter = take_until(text, ';');
    std::string name = lower(take_until(parameter, '='));
    if (name == "q") {
      range.quality_permille = quality(trimmed(parameter));
    } else if (!name.empty()) {
      range.parameters.emplace_back(std::move(name), trimmed(parameter));
    }
  }
  return range.quality_permille == 0 ? std::nullopt : std::optional(std::move(range));
}

}  // namespace

std::string_view MediaRange::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  return {};
}

bool MediaRange::covers(std::string_view media_type) const {
  if (type == "*/*" || type == media_type) return true;
  return type.ends_with("/*") && media_type.starts_with(type.substr(0, type.size() - 1));
}

std::vector<MediaRange> parse_accept(std::string_view header) {
  if (trimmed(header).empty()) header = "*/*";
  std::vector<MediaRange> ranges;
  while (!header.empty())
    if (auto range = parse_range(take_until(header, ','))) ranges.push_back(std::move(*range));
  std::ranges::stable_sort(ranges, std::greater<>(), &MediaRange::quality_permille);
  return ranges;
}

}  // namespace proxima::apiserver
