// SPDX-License-Identifier: Apache-2.0
#include "core/route/zone_split.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/ascii.h"
#include "core/model/limits.h"

namespace proxima::route {
namespace {

constexpr std::string_view kRejected = "none";

bool by_zone(const ZoneShare& a, const ZoneShare& b) { return a.zone < b.zone; }

// What label values and endpoints' zones are made of.
bool is_zone(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word);
}

// As people and programs write it: without blanks.
std::string_view take_part(std::string_view& text, char mark) { return take_until(text, mark, ""); }

Error wrong_split(std::string_view part, std::string_view what) {
  return {ErrorCode::InvalidInput,
          "zone split: \"" + std::string(part) + "\" " + std::string(what)};
}

Result<ZoneShare> parse_share(std::string_view text) {
  std::string_view rest = text;
  const std::string_view zone = take_part(rest, ':');
  ZoneShare share{std::string(zone), 0};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), share.permille);
  const bool is_number = error == std::errc() && end == rest.data() + rest.size();
  if (!is_zone(zone) || !is_number) return wrong_split(text, "is not ZONE:PERMILLE");
  if (!model::limit_of(model::Bounded::SplitPermille).admits(static_cast<double>(share.permille)))
    return wrong_split(text, "is not between 1 and 1000");
  return share;
}

Result<ZoneRow> parse_row(std::string_view text) {
  std::string_view rest = text;
  const std::string_view zone = take_part(rest, '=');
  if (!is_zone(zone)) return wrong_split(text, "is not ZONE=SHARES");
  if (rest.ends_with(',')) return wrong_split(text, "ends in a comma");
  ZoneRow row{std::string(zone), {}};
  if (rest == kRejected) return row;
  std::int64_t sum = 0;
  while (!rest.empty()) {
    PROXIMA_TRY(ZoneShare share, parse_share(take_part(rest, ',')), "row " + row.zone);
    if (!row.to.empty() && !by_zone(row.to.back(), share))
      return wrong_split(text, "is not in order");
    sum += share.permille;
    row.to.push_back(std::move(share));
  }
  if (sum != kWholePermille) return wrong_split(text, "does not sum to 1000");
  return row;
}

bool has_moved(const ZoneRow& published, const ZoneRow& wanted) {
  const auto share = [](const ZoneRow& row, const std::string& zone) {
    const auto at = std::find_if(row.to.begin(), row.to.end(),
                                 [&](const ZoneShare& one) { return one.zone == zone; });
    return at == row.to.end() ? 0 : at->permille;
  };
  const auto moved = [&](const ZoneRow& row) {
    return std::any_of(row.to.begin(), row.to.end(), [&](const ZoneShare& one) {
      return std::abs(share(published, one.zone) - share(wanted, one.zone)) > kSplitStepPermille;
    });
  };
  return moved(published) || moved(wanted);
}

}  // namespace

std::string render(const ZoneSplit& split) {
  std::string out;
  for (const ZoneRow& row : split) {
    if (!out.empty()) out += ';';
    out += row.zone;
    if (row.to.empty()) out.append("=").append(kRejected);
    char separator = '=';
    for (const ZoneShare& share : row.to) {
      out += separator;
      out += share.zone;
      out += ':';
      out += std::to_string(share.permille);
      separator = ',';
    }
  }
  return out;
}

Result<ZoneSplit> parse_zone_split(std::string_view text) {
  ZoneSplit split;
  if (text.ends_with(';')) return wrong_split(text, "ends in a semicolon");
  while (!text.empty()) {
    auto row = parse_row(take_part(text, ';'));
    if (!row) return std::move(row).error();
    if (!split.empty() && row->zone <= split.back().zone)
      return wrong_split(row->zone, "is out of order");
    split.push_back(std::move(*row));
  }
  return split;
}

bool has_moved(const ZoneSplit& published, const ZoneSplit& wanted) {
  return !std::equal(
      published.begin(), published.end(), wanted.begin(), wanted.end(),
      [](const ZoneRow& a, const ZoneRow& b) { return a.zone == b.zone && !has_moved(a, b); });
}

}  // namespace proxima::route
