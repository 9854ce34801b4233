// SPDX-License-Identifier: Apache-2.0
#include "simulation/shrink.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace proxima::simulation {
namespace {

Scenario without(const Scenario& scenario, std::size_t begin, std::size_t count) {
  Scenario shorter = scenario;
  const auto first = shorter.injections.begin() + static_cast<std::ptrdiff_t>(begin);
  const std::size_t end = std::min(begin + count, shorter.injections.size());
  shorter.injections.erase(first, shorter.injections.begin() + static_cast<std::ptrdiff_t>(end));
  return shorter;
}

// The first words that are no names.
std::vector<std::string> gist_of(const std::string& violation) {
  constexpr std::size_t kWords = 4;
  std::vector<std::string> gist;
  std::istringstream words(violation);
  for (std::string word; gist.size() < kWords && words >> word;)
    if (word.find_first_of("0123456789/#.:") == std::string::npos) gist.push_back(word);
  return gist;
}

}  // namespace

bool is_same_violation(const std::string& a, const std::string& b) {
  return a.empty() == b.empty() && gist_of(a) == gist_of(b);
}

Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails,
                std::size_t tries_max) {
  std::size_t tries = 0;
  for (std::size_t part = std::max<std::size_t>(1, scenario.injections.size() / 2);;) {
    bool is_shorter = false;
    for (std::size_t begin = 0; begin < scenario.injections.size() && tries < tries_max;) {
      Scenario candidate = without(scenario, begin, part);
      ++tries;
      if (fails(candidate)) {
        scenario = std::move(candidate);
        is_shorter = true;
      } else {
        begin += part;
      }
    }
    if (tries >= tries_max) return scenario;
    if (part == 1 && !is_shorter) return scenario;
    if (part > 1) part /= 2;
  }
}

}  // namespace proxima::simulation
