// SPDX-License-Identifier: Apache-2.0
// Numbers as words, so that a row of a table shows demand, endpoints and answers as they are read.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace proxima::test {

// On overload.
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

template <class Number = double>
std::vector<Number> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<Number> out;
  for (Number number = 0; in >> number;) out.push_back(number);
  return out;
}

// Scaled to sum to 1: "2 1 1" are the endpoints, or the parts of the traffic, of three places.
inline std::vector<double> shares(const std::string& text) {
  std::vector<double> out = numbers(text);
  const double total = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& share : out) share /= total;
  return out;
}

// Endpoints by their place in the list, from 1: "1 3".
inline std::string places_in_list(const std::vector<std::uint32_t>& chosen) {
  std::string text;
  for (const std::uint32_t i : chosen) text += (text.empty() ? "" : " ") + std::to_string(i + 1);
  return text;
}

}  // namespace proxima::test
