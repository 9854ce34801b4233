// SPDX-License-Identifier: Apache-2.0
#include "cli/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace proxima::cli {
namespace {

// Sums of shares carry rounding; closer than this to a whole is the whole.
constexpr double kShareTolerance = 1e-9;

// One decimal, unless it is 0.
std::string trimmed_percent(double share) {
  std::string out = fmt::format("{:.1f}", share * 100);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return fmt::format("{}%", out == "-0" ? "0" : out);
}

int decimals_for(double largest) { return largest >= 1000 ? 0 : largest >= 1 ? 2 : 4; }

std::string with_thousands(double value, int decimals) {
  std::string out = fmt::format("{:.{}f}", value, decimals);
  std::size_t end = std::min(out.find('.'), out.size());
  while (end > 3) {
    end -= 3;
    out.insert(end, ",");
  }
  return out;
}

}  // namespace

std::string percent_text(double share) {
  if (share > kShareTolerance && share < 0.0005) return "<0.1%";
  if (share < 1 - kShareTolerance && share >= 0.9995) return ">99.9%";
  return trimmed_percent(share);
}

std::string overload_text(double overload) {
  if (std::isinf(overload)) return "inf";
  std::string text = percent_text(overload);
  if (text == "0%" || text.front() == '<') return text;
  return fmt::format("+{}", text);
}

std::string bound_text(double bound) { return std::isinf(bound) ? "inf" : trimmed_percent(bound); }

std::vector<std::string> money_texts(const std::vector<double>& amounts) {
  double largest = 0;
  for (const double amount : amounts) largest = std::max(largest, amount);
  std::vector<std::string> out;
  for (const double amount : amounts)
    out.push_back(fmt::format("${}", with_thousands(amount, decimals_for(largest))));
  return out;
}

std::string money_text(double amount) { return money_texts({amount}).front(); }

std::string gigabytes_text(double gigabytes) {
  if (gigabytes >= 1000) return with_thousands(gigabytes, 0) + " GB";
  return fmt::format("{:.4g} GB", gigabytes);
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace proxima::cli
