// SPDX-License-Identifier: Apache-2.0
#include "kube/election.h"

#include <algorithm>

#include "base/timestamp.h"
#include "core/model/limits.h"

namespace proxima::kube {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using Kind = ElectionStep::Kind;

namespace {
// A lease of a year is one that never ends, and no addition may overflow.
constexpr auto kMaxLeaseSeconds =
    static_cast<std::int64_t>(model::limit_of(model::Bounded::LeaseSeconds).most);
constexpr auto kMaxTransitions =
    static_cast<std::int64_t>(model::limit_of(model::Bounded::LeaseTransitions).most);

// As a Lease has it: without its fraction, as upstream.
seconds written(nanoseconds lease) { return std::chrono::floor<seconds>(lease); }
}  // namespace

Status check(const ElectionOptions& options) {
  const auto refuse = [](const char* why) { return Error{ErrorCode::InvalidInput, why}; };
  if (options.identity.empty()) return refuse("leader election: the identity is empty");
  if (options.lease_duration <= options.renew_deadline)
    return refuse("leaseDuration must be greater than renewDeadline");
  if (options.jitter < 0 || options.renew_deadline <= options.retry_period * options.jitter)
    return refuse("renewDeadline must be greater than retryPeriod*JitterFactor");
  if (options.retry_period <= nanoseconds::zero())
    return refuse("retryPeriod must be greater than zero");
  if (written(options.lease_duration) <= options.renew_deadline)
    return refuse("leaseDuration, written in whole seconds, must be greater than renewDeadline");
  return Unit{};
}

Election::Election(ElectionOptions options, std::uint64_t seed)
    : options_(std::move(options)), random_(seed) {}

bool Election::lease_runs(Clock::SteadyTime now) const {
  const auto duration =
      seconds(std::clamp<std::int64_t>(observed_.duration_seconds, 0, kMaxLeaseSeconds));
  return observed_at_ + duration > now;
}

LeaseRecord Election::ours(Moment now) const {
  const std::string time = micro_time_text(now.wall);
  return {options_.identity, written(options_.lease_duration).count(), time, time, 0};
}

ElectionStep Election::wait(Clock::SteadyTime now) {
  if (leading_until_ && *leading_until_ <= now) leading_until_.reset();
  nanoseconds pause = options_.retry_period;
  if (leading_until_) {
    // Not past the end, so that losing is noticed when it happens.
    pause = std::min<nanoseconds>(pause, *leading_until_ - now);
  } else {
    pause += std::chrono::duration_cast<nanoseconds>(pause * (options_.jitter * random_.unit()));
  }
  return {Kind::Wait, {}, pause};
}

ElectionStep Election::next(Moment now) {
  if (leading_until_ && *leading_until_ <= now.steady) leading_until_.reset();
  fast_path_ = leading_until_.has_value() && names_us() && lease_runs(now.steady);
  if (!fast_path_) return {Kind::Read, {}, {}};
  written_ = ours(now);
  written_.acquire_time = observed_.acquire_time;
  written_.transitions = observed_.transitions;
  return {Kind::Update, written_, {}};
}

ElectionStep Election::read_done(const Result<std::optional<LeaseRecord>>& reading, Moment now) {
  fast_path_ = false;
  if (!reading) return wait(now.steady);
  written_ = ours(now);
  if (!reading->has_value()) return {Kind::Create, written_, {}};
  const LeaseRecord& present = **reading;
  if (present != observed_) {
    observed_ = present;
    observed_at_ = now.steady;
  }
  if (!names_us()) leading_until_.reset();  // somebody else was let in: believe the record
  if (!observed_.holder.empty() && !names_us() && lease_runs(now.steady)) return wait(now.steady);
  if (names_us()) written_.acquire_time = present.acquire_time;
  written_.transitions = present.transitions;
  if (!names_us() && present.transitions < kMaxTransitions) ++written_.transitions;
  return {Kind::Update, written_, {}};
}

ElectionStep Election::write_done(Wrote wrote, Clock::SteadyTime sent, Moment now) {
  if (wrote == Wrote::No) {
    // Perhaps the record is only newer than thought; reading it tells.
    if (fast_path_) {
      fast_path_ = false;
      return {Kind::Read, {}, {}};
    }
    return wait(now.steady);
  }
  observed_ = written_;
  observed_at_ = sent;
  const auto until = sent + options_.renew_deadline;
  // An answer that comes after its own deadline is no leadership.
  leading_until_ = until > now.steady ? std::optional(until) : std::nullopt;
  return wait(now.steady);
}

LeaseRecord Election::released(const LeaseRecord& present, Moment now) const {
  const std::string time = micro_time_text(now.wall);
  return {"", 1, time, time, present.transitions};
}

}  // namespace proxima::kube
