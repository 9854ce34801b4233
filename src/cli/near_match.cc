// SPDX-License-Identifier: Apache-2.0
#include "cli/near_match.h"

#include <algorithm>

namespace proxima::cli {
namespace {

// Longer names are never what a person mistyped; comparing them costs the product of their lengths.
constexpr std::size_t kComparedMax = 300;

struct Near {
  std::size_t distance;
  std::string name;
  friend auto operator<=>(const Near&, const Near&) = default;
};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::vector<std::string> near_matches(std::string_view wanted,
                                      const std::vector<std::string>& candidates,
                                      std::size_t limit) {
  if (wanted.size() > kComparedMax) return {};
  const std::size_t tolerated = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<Near> found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kComparedMax) continue;
    const bool contains = wanted.size() >= 2 && candidate.find(wanted) != std::string::npos;
    const std::size_t distance = contains ? tolerated : edit_distance(wanted, candidate);
    if (distance <= tolerated) found.push_back({distance, candidate});
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (Near& near : found) {
    if (names.size() == limit) break;
    names.push_back(std::move(near.name));
  }
  return names;
}

std::string did_you_mean(const std::vector<std::string>& matches) {
  if (matches.empty()) return {};
  std::string out = "; did you mean ";
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (i > 0) out += i + 1 == matches.size() ? " or " : ", ";
    out += matches[i];
  }
  return out + "?";
}

}  // namespace proxima::cli
