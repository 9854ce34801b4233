// SPDX-License-Identifier: Apache-2.0
#include "apiserver/table_cells.h"

#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/human_duration.h"
#include "apiserver/json_lookup.h"
#include "base/timestamp.h"

namespace proxima::apiserver {

std::string age_of(std::string_view timestamp, TableTime now) {
  const auto then = parse_time(timestamp);
  return then ? human_duration(now - *then) : "<unknown>";
}

std::string object_age(const boost::json::object& object, TableTime now) {
  return age_of(text_at(object, "metadata.creationTimestamp"), now);
}

std::string_view or_else(std::string_view text, std::string_view otherwise) {
  return text.empty() ? otherwise : text;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::vector<std::string> texts_of(const boost::json::array& items) {
  std::vector<std::string> out;
  for (const auto& item : items)
    if (const auto* text = item.if_string()) out.emplace_back(*text);
  return out;
}

void ShortList::add(std::string item) {
  if (shown_.size() < kShown) shown_.push_back(std::move(item));
  ++count_;
}

std::string ShortList::text(std::string_view empty) const {
  const std::string shown = join(shown_, ",");
  if (count_ > kShown) return shown + " + " + std::to_string(count_ - kShown) + " more...";
  return std::string(or_else(shown, empty));
}

}  // namespace proxima::apiserver
