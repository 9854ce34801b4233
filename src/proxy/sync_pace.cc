// SPDX-License-Identifier: Apache-2.0
#include "proxy/sync_pace.h"

#include <algorithm>

#include "base/check.h"

namespace proxima::proxy {

SyncPace::SyncPace(const SyncIntervals& intervals, Time now)
    : intervals_(intervals), earliest_(now), latest_(now + intervals.most) {
  PROXIMA_CHECK(intervals.least <= intervals.most);
}

SyncPace::Time SyncPace::next_run() const { return requested_ ? earliest_ : latest_; }

void SyncPace::end(Time now, Outcome outcome) {
  earliest_ = now + intervals_.least;
  const auto after_failure = std::clamp(intervals_.retry, intervals_.least, intervals_.most);
  latest_ = now + (outcome == Outcome::Failure ? after_failure : intervals_.most);
}

}  // namespace proxima::proxy
