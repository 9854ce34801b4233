// SPDX-License-Identifier: Apache-2.0
// Runs an Election against an API server, on the thread that calls run().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kube/election.h"
#include "kube/leadership.h"
#include "kube/object_client.h"

namespace proxima::kube {

// "HOST_UUID", new every time: a process that starts again must not take itself for the old one.
Result<std::string> new_identity(std::string_view host);

// Called on the election's thread, which renews nothing meanwhile: hand the news on and return.
struct LeaderCallbacks {
  std::function<void(LeadershipGuard)> on_started_leading;
  std::function<void()> on_stopped_leading;
  std::function<void(const std::string& identity)> on_new_leader;
  std::function<void(const std::string& message)> on_error;  // of one attempt; it goes on
};

struct LeaderElectorOptions {
  std::string ns;
  std::string name;
  ElectionOptions election;
  std::uint64_t seed = 0;
};

class LeaderElector {
 public:
  // API and clock must outlive it. The API should be its own, not one whose rate limit others use
  // up: a renewal that waits its turn is a renewal that is late. An error: timings that are not
  // safe.
  static Result<std::unique_ptr<LeaderElector>> create(const LeaderElectorOptions& options,
                                                       KubeApi& api, Clock& clock,
                                                       LeaderCallbacks callbacks);

  // Takes part until cancelled, as leader or follower; a leader that loses takes part again. On
  // cancellation gives the Lease back, so that others need not wait: what the leadership guards
  // must have ended by then, or its writes are refused.
  void run(const net::Cancellation& cancellation);
  // The Lease runs out instead of being given back: a write was cut off that may still arrive, and
  // the next leader must not have begun by then. Before run() is cancelled; from any thread.
  void keep_lease() { keeps_lease_ = true; }

 private:
  LeaderElector(const LeaderElectorOptions& options, KubeApi& api, Clock& clock,
                LeaderCallbacks callbacks);

  ElectionStep perform(const ElectionStep& step, const net::Cancellation& cancellation);
  ElectionStep write(const ElectionStep& step, const net::Cancellation& cancellation);
  Result<std::optional<LeaseRecord>> read(const net::Cancellation& cancellation);
  void publish();
  void release();
  void report(const std::string& doing, const ApiFailure& failure) const;
  Moment now() const { return moment_of(clock_); }

  ObjectRef lease_;
  std::string identity_;
  Clock& clock_;
  ObjectClient client_;
  LeaderCallbacks callbacks_;
  Election election_;
  std::shared_ptr<Leadership> leadership_;
  std::string object_;  // the Lease as last seen
  std::string reported_leader_;
  std::uint64_t term_ = 0;
  bool leading_ = false;
  std::atomic<bool> keeps_lease_{false};
};

}  // namespace proxima::kube
