// SPDX-License-Identifier: Apache-2.0
#include "traffic/arrival_stream.h"

#include <cmath>

namespace proxima::traffic {

namespace {

constexpr double kRateMin = 1e-3;  // below it nobody lives to see the next request
constexpr double kRateMax = 1e6;

std::chrono::nanoseconds after_pieces(double pieces, double rate) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(pieces * 1e9 / rate));
}

}  // namespace

void ArrivalStream::set_rate(double requests_per_second, Time now) {
  const bool counts = std::isfinite(requests_per_second) && requests_per_second >= kRateMin;
  const double rate = counts ? std::min(requests_per_second, kRateMax) : 0;
  if (rate == rate_) return;
  rate_ = rate;
  origin_ = now;
  piece_ = 0;
  draw();
}

void ArrivalStream::advance(Time now) {
  ++piece_;
  if (due_ + kBehindMax < now) {
    origin_ = now;
    piece_ = 0;
  }
  draw();
}

void ArrivalStream::draw() {
  if (rate_ == 0) {
    due_ = Time::max();
    return;
  }
  due_ = origin_ + after_pieces(static_cast<double>(piece_) + random_.unit(), rate_);
}

}  // namespace proxima::traffic
