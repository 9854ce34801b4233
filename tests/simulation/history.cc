// SPDX-License-Identifier: Apache-2.0
#include "simulation/history.h"

#include <cstdio>

namespace proxima::simulation {

void History::add_to_hash(std::string_view text) {
  for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
}

void History::note(std::string_view who, std::string_view what) {
  const std::int64_t now = scheduler_.now().count();
  add_to_hash(std::string_view(reinterpret_cast<const char*>(&now), sizeof now));
  add_to_hash(who);
  add_to_hash(what);
  if (!keeps_lines()) return;
  char begin[64];
  std::snprintf(begin, sizeof begin, "%12.6f  %-14.*s ", static_cast<double>(now) / 1e9,
                static_cast<int>(who.size()), who.data());
  if (keep_ == Keep::Lines) lines_.push_back(begin + std::string(what));
  if (keep_ == Keep::Print)
    std::printf("%s%.*s\n", begin, static_cast<int>(what.size()), what.data());
}

}  // namespace proxima::simulation
