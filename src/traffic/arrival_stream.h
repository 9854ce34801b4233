// SPDX-License-Identifier: Apache-2.0
// When the requests of one client are due. Time is cut into equal pieces with one request in each,
// at a random place of it: the count in any time is right within one, which a window of a few
// seconds needs, and clients do not march in step. Equal seeds and calls give equal moments.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/split_mix.h"

namespace proxima::traffic {

class ArrivalStream {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // Whoever is later than this skips what was due before: a machine that slept does not make up for
  // it.
  static constexpr std::chrono::seconds kBehindMax{1};

  explicit ArrivalStream(SplitMix random) : random_(random) {}

  // Requests a second; 0: none. The same rate again changes nothing.
  void set_rate(double requests_per_second, Time now);
  double rate() const { return rate_; }
  // When the next is due; max(): never.
  Time due() const { return due_; }
  // The one that was due is begun.
  void advance(Time now);

 private:
  void draw();

  SplitMix random_;
  double rate_ = 0;
  Time origin_;              // where the pieces begin
  std::uint64_t piece_ = 0;  // of the next request
  Time due_ = Time::max();
};

}  // namespace proxima::traffic
