// SPDX-License-Identifier: Apache-2.0
// Leader election on a Lease as a state machine: it says what to do next and is told how that went.
// No clock, no thread, no network: times are arguments.
//
// Two rules make it safe. A follower counts the lease's duration from when it saw the record change
// by its own clock, and never looks at the times in the record. A leader counts from before it sent
// the renewal that succeeded, and stops after the renew deadline, which is shorter than the lease.
// So no two lead at once as long as no clock runs half as fast again as another. Deleting the Lease
// of a leader breaks this, as it does upstream.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/split_mix.h"
#include "kube/lease_record.h"
#include "kube/moment.h"

namespace proxima::kube {

struct ElectionOptions {
  std::string identity;  // of this process alone: a restart has another
  std::chrono::nanoseconds lease_duration = std::chrono::seconds(15);  // written in whole seconds
  std::chrono::nanoseconds renew_deadline = std::chrono::seconds(10);
  std::chrono::nanoseconds retry_period = std::chrono::seconds(2);
  double jitter = 1.2;  // a follower waits retry_period · (1 + [0, jitter))
};

// As upstream: lease > deadline > jitter · retry > 0, and a name to write down. One step further,
// the lease counts in whole seconds: others go by what is written.
Status check(const ElectionOptions& options);

struct ElectionStep {
  enum class Kind { Read, Create, Update, Wait };
  Kind kind = Kind::Wait;
  LeaseRecord record;                // to Create or Update
  std::chrono::nanoseconds wait{0};  // then ask next() again
};

class Election {
 public:
  // The options must have passed check().
  Election(ElectionOptions options, std::uint64_t seed);

  // Begins an attempt to acquire or to renew.
  ElectionStep next(Moment now);
  // After Read: the record, nullopt when there is no Lease, or an error.
  ElectionStep read_done(const Result<std::optional<LeaseRecord>>& reading, Moment now);
  // After Create or Update; `sent` is when it was sent.
  enum class Wrote { Yes, No };
  ElectionStep write_done(Wrote wrote, Clock::SteadyTime sent, Moment now);

  // Until when this process leads; none: it does not. In the past: not any more.
  std::optional<Clock::SteadyTime> leading_until() const { return leading_until_; }
  // Who leads as far as this process knows; empty: nobody.
  const std::string& leader() const { return observed_.holder; }
  // Gives up at once, and the record to write when the Lease still names this process.
  void stop_leading() { leading_until_.reset(); }
  LeaseRecord released(const LeaseRecord& present, Moment now) const;

 private:
  bool lease_runs(Clock::SteadyTime now) const;
  bool names_us() const { return observed_.holder == options_.identity; }
  LeaseRecord ours(Moment now) const;
  ElectionStep wait(Clock::SteadyTime now);

  ElectionOptions options_;
  SplitMix random_;
  LeaseRecord observed_;
  Clock::SteadyTime observed_at_{};
  LeaseRecord written_;     // what the write under way says
  bool fast_path_ = false;  // the write under way was not preceded by a read
  std::optional<Clock::SteadyTime> leading_until_;
};

}  // namespace proxima::kube
