// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector_plan.h"

#include <algorithm>

namespace proxima::kube {
namespace {

constexpr std::uint32_t kMostPageFailures = 3;
// A longer Retry-After is not believed.
constexpr std::chrono::seconds kLongestRetryAfter{120};

}  // namespace

bool is_expired(const ApiFailure& failure) {
  return failure.status == 410 || failure.reason == "Expired" || failure.reason == "Gone";
}

bool is_too_large_version(const ApiFailure& failure) {
  return failure.message.find("Too large resource version") != std::string::npos;
}

ReflectorPlan::ReflectorPlan(const ReflectorPlanOptions& options)
    : options_(options), random_(options.seed), backoff_(options.timing.backoff) {}

ListStep ReflectorPlan::list_step() const {
  ListStep step;
  if (!continue_token_.empty()) {
    step.continue_token = continue_token_;
    step.limit = options_.page_size;
    return step;
  }
  const bool cached = options_.list_from == ListFrom::Cache && !version_unavailable_;
  if (cached) step.resource_version = newest_.empty() ? "0" : newest_;
  // A list that must not be older than a version comes from the server's memory only without a
  // limit; with one it would go to storage, which is what was to be spared.
  const bool pages_help = step.resource_version.empty() || step.resource_version == "0";
  if (paged_ && pages_help) step.limit = options_.page_size;
  return step;
}

WatchStep ReflectorPlan::watch_step() {
  const auto least = options_.timing.watch_min;
  const double jitter = random_.unit() * static_cast<double>(least.count());
  return {resume_, least + std::chrono::seconds(static_cast<std::int64_t>(jitter))};
}

void ReflectorPlan::page_done(const ListMeta& meta, ListTrust trust) {
  page_failures_ = 0;
  continue_token_ = meta.continue_token;
  if (!continue_token_.empty()) return;
  resume_ = newest_ = meta.resource_version;
  version_unavailable_ = false;
  paged_ = true;
  garbage_watches_ = 0;
  list_after_watch_ = trust == ListTrust::InParts;
  next_ = StepKind::Watch;
}

void ReflectorPlan::restart_list() {
  next_ = StepKind::List;
  continue_token_.clear();
  page_failures_ = 0;
}

Duration ReflectorPlan::back_off(const StepFailure& failure, Clock::SteadyTime now) {
  Duration delay = backoff_.next(now, random_);
  if (failure.kind == StepFailure::Kind::Refused && failure.refusal.retry_after_seconds) {
    const std::chrono::seconds asked(*failure.refusal.retry_after_seconds);
    delay = std::max<Duration>(delay, std::min(asked, kLongestRetryAfter));
  }
  return delay;
}

Duration ReflectorPlan::list_failed(const StepFailure& failure, Clock::SteadyTime now) {
  const bool refused = failure.kind == StepFailure::Kind::Refused;
  if (refused && is_expired(failure.refusal) && !continue_token_.empty()) {
    // The pages became too old on the way: all at once, then.
    restart_list();
    paged_ = false;
    return back_off(failure, now);
  }
  if (refused && (is_expired(failure.refusal) || is_too_large_version(failure.refusal))) {
    version_unavailable_ = true;
    restart_list();
    return back_off(failure, now);
  }
  const bool retry_page = failure.kind == StepFailure::Kind::NoAnswer ||
                          failure.kind == StepFailure::Kind::Garbage ||
                          (refused && to_error(failure.refusal).code == ErrorCode::Retry);
  if (!retry_page || ++page_failures_ >= kMostPageFailures) restart_list();
  return back_off(failure, now);
}

void ReflectorPlan::note(const WatchProgress& progress) {
  resume_ = progress.resume;
  newest_ = progress.newest;
  if (progress.events > 0) garbage_watches_ = 0;
  if (list_after_watch_) restart_list();
}

Duration ReflectorPlan::watch_ended(const WatchProgress& progress, Duration lasted) {
  note(progress);
  // Servers end watches all the time; one that does so at once is ill.
  return lasted >= options_.timing.watch_healthy
             ? Duration::zero()
             : exponential_delay(options_.timing.backoff.range, 0);
}

Duration ReflectorPlan::watch_failed(const StepFailure& failure, const WatchProgress& progress,
                                     Clock::SteadyTime now) {
  using Kind = StepFailure::Kind;
  note(progress);
  bool relist = failure.kind == Kind::Unsure;
  if (failure.kind == Kind::Garbage) relist = ++garbage_watches_ > 1;
  if (failure.kind == Kind::Refused) {
    // What is neither too much nor broken over there will not get better by asking the same again.
    // A list may still be asked to be no older than what was seen, even when that has expired.
    relist = to_error(failure.refusal).code != ErrorCode::Retry || is_expired(failure.refusal);
  }
  if (relist) restart_list();
  return back_off(failure, now);
}

}  // namespace proxima::kube
