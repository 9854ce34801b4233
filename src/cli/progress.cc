// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

namespace proxima::cli {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::string_view kClear = "\r\x1b[K";

}  // namespace

Now steady_now() {
  return [] { return std::chrono::steady_clock::now(); };
}

ProgressLine::ProgressLine(Console& console, std::string what, Now now)
    : console_(console),
      what_(std::move(what)),
      now_(std::move(now)),
      wanted_(console.err_is_terminal()),
      next_(now_() + kPatience) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) console_.draw(kClear);
  shown_ = false;
}

void ProgressLine::update(std::size_t done, std::size_t total) {
  if (!wanted_) return;
  const auto now = now_();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  std::string line(kClear);
  line += what_ + "…";
  if (total > 0) line += " " + std::to_string(100 * done / total) + "%";
  console_.draw(line);
}

}  // namespace proxima::cli
