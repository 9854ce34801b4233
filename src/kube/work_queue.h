// SPDX-License-Identifier: Apache-2.0
// Keys that want work, handed to workers one at a time each. A key is never with two workers at
// once: one that is added while it is worked on comes once more afterwards, however often it was
// added. Keys can be added for later; workers themselves look when they are due, so the queue has
// no thread. Safe for concurrent use. The number of keys is bounded by whoever adds them: each is
// here at most once, and once more for later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "kube/backoff.h"

namespace proxima::kube {

struct WorkQueueOptions {
  BackoffRange retry = {std::chrono::milliseconds(5), std::chrono::seconds(1000)};
  // All retries together: so many a second after a burst. The longer of both delays counts.
  double retries_per_second = 10;
  double retry_burst = 100;
};

// Told of what happens in a queue, under the queue's lock: it must be quick and must not come back.
class WorkQueueObserver {
 public:
  virtual ~WorkQueueObserver() = default;
  virtual void added() = 0;    // a key that did not want work before
  virtual void delayed() = 0;  // a key is to be added later, or after a failure
  virtual void taken(Duration waited) = 0;
  virtual void finished(Duration worked) = 0;
};

// How long the work that is under way has been going on.
struct UnfinishedWork {
  Duration total{0};
  Duration longest{0};
};

template <class Key, class Hash = std::hash<Key>>
class WorkQueue {
 public:
  // The clock and the observer must outlive the queue; the observer may be null.
  explicit WorkQueue(Clock& clock, const WorkQueueOptions& options = {},
                     WorkQueueObserver* observer = nullptr)
      : clock_(clock),
        options_(options),
        observer_(observer),
        bucket_(options.retries_per_second, options.retry_burst) {}

  void add(const Key& key);
  // Added when `delay` is over; at once when there is none. A key that waits already keeps the
  // earlier time. Waiting takes nothing away from an immediate add(): that key comes now, and again
  // when the time is there.
  void add_after(const Key& key, Duration delay);
  // Added after the key's own delay, which doubles until forget(): for work that failed.
  void add_rate_limited(const Key& key);
  // The work was done, or is given up: the next failure is the first again.
  void forget(const Key& key);
  // How often add_rate_limited() was called since forget().
  std::size_t num_requeues(const Key& key) const;

  // The next key, waiting for one; nullopt when the queue is shut down and empty. Whoever takes a
  // key must say done() in the end, successful or not.
  std::optional<Key> take();
  void done(const Key& key);

  // Nothing more is accepted, what waits for later is dropped, and take() hands out what is left.
  void shut_down();
  // The same, and take() hands out nothing: what is not with a worker is dropped.
  void abandon();
  // As shut_down(), and waits until all of that is done(). False: `deadline` came first.
  bool drain(Clock::SteadyTime deadline);
  bool is_shut_down() const;
  // Keys ready to be taken now, and keys that wait for later.
  std::size_t size();
  std::size_t waiting() const;
  // Keys that want work now, also those that are being worked on and come again.
  std::size_t depth();
  UnfinishedWork unfinished() const;

 private:
  using Waiting = std::multimap<Clock::SteadyTime, Key>;

  void add_locked(const Key& key);
  void wait_locked(const Key& key, Clock::SteadyTime due);
  void promote_due_locked();

  Clock& clock_;
  WorkQueueOptions options_;
  WorkQueueObserver* observer_;
  mutable std::mutex mutex_;
  ConditionVariable changed_;
  TokenBucket bucket_;
  std::deque<Key> ready_;
  // Since when a key wants work: it is in ready_, or in processing_ too.
  std::unordered_map<Key, Clock::SteadyTime, Hash> dirty_;
  std::unordered_map<Key, Clock::SteadyTime, Hash> processing_;  // since when it is with a worker
  Waiting waiting_;
  std::unordered_map<Key, typename Waiting::iterator, Hash> waiting_at_;
  std::unordered_map<Key, std::uint32_t, Hash> failures_;
  bool shut_down_ = false;
};

template <class Key, class Hash>
void WorkQueue<Key, Hash>::add(const Key& key) {
  const std::lock_guard guard(mutex_);
  promote_due_locked();  // what was due earlier comes earlier
  add_locked(key);
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::add_locked(const Key& key) {
  if (shut_down_ || !dirty_.emplace(key, clock_.steady_now()).second) return;
  if (observer_ != nullptr) observer_->added();
  if (processing_.contains(key)) return;  // done() will put it into the row
  ready_.push_back(key);
  changed_.notify_one();
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::add_after(const Key& key, Duration delay) {
  const std::lock_guard guard(mutex_);
  if (shut_down_) return;
  if (observer_ != nullptr) observer_->delayed();
  if (delay <= Duration::zero()) {
    promote_due_locked();
    return add_locked(key);
  }
  wait_locked(key, clock_.steady_now() + delay);
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::wait_locked(const Key& key, Clock::SteadyTime due) {
  if (const auto found = waiting_at_.find(key); found != waiting_at_.end()) {
    if (found->second->first <= due) return;
    waiting_.erase(found->second);
    waiting_at_.erase(found);
  }
  const bool is_first = waiting_.empty() || due < waiting_.begin()->first;
  waiting_at_.emplace(key, waiting_.emplace(due, key));
  // Every worker sleeps until the time that was the first when it went to sleep.
  if (is_first) changed_.notify_all();
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::promote_due_locked() {
  if (waiting_.empty()) return;
  const Clock::SteadyTime now = clock_.steady_now();
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    add_locked(waiting_.begin()->second);
    waiting_at_.erase(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
  }
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::add_rate_limited(const Key& key) {
  const std::lock_guard guard(mutex_);
  if (shut_down_) return;
  if (observer_ != nullptr) observer_->delayed();
  const Clock::SteadyTime now = clock_.steady_now();
  const Duration own = exponential_delay(options_.retry, failures_[key]++);
  const Duration delay = std::max(own, bucket_.reserve(now));
  if (delay <= Duration::zero()) return add_locked(key);
  wait_locked(key, now + delay);
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::forget(const Key& key) {
  const std::lock_guard guard(mutex_);
  failures_.erase(key);
}

template <class Key, class Hash>
std::size_t WorkQueue<Key, Hash>::num_requeues(const Key& key) const {
  const std::lock_guard guard(mutex_);
  const auto found = failures_.find(key);
  return found == failures_.end() ? 0 : found->second;
}

template <class Key, class Hash>
std::optional<Key> WorkQueue<Key, Hash>::take() {
  std::unique_lock lock(mutex_);
  while (true) {
    promote_due_locked();
    if (!ready_.empty()) break;
    if (shut_down_) return std::nullopt;
    const auto due = waiting_.empty() ? Clock::SteadyTime::max() : waiting_.begin()->first;
    clock_.wait_until(lock, changed_, due);
  }
  Key key = std::move(ready_.front());
  ready_.pop_front();
  const Clock::SteadyTime now = clock_.steady_now();
  const auto wanted = dirty_.find(key);
  if (observer_ != nullptr) observer_->taken(now - wanted->second);
  dirty_.erase(wanted);
  processing_.emplace(key, now);
  return key;
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::done(const Key& key) {
  const std::lock_guard guard(mutex_);
  const auto taken = processing_.find(key);
  PROXIMA_CHECK(taken != processing_.end());
  if (observer_ != nullptr) observer_->finished(clock_.steady_now() - taken->second);
  processing_.erase(taken);
  const bool again = dirty_.contains(key);
  if (again) ready_.push_back(key);
  // All, because drain() waits for the last of them at the same place as workers do.
  if (shut_down_) {
    changed_.notify_all();
  } else if (again) {
    changed_.notify_one();
  }
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::shut_down() {
  const std::lock_guard guard(mutex_);
  shut_down_ = true;
  waiting_.clear();
  waiting_at_.clear();
  changed_.notify_all();
}

template <class Key, class Hash>
void WorkQueue<Key, Hash>::abandon() {
  shut_down();
  const std::lock_guard guard(mutex_);
  ready_.clear();
  dirty_.clear();
}

template <class Key, class Hash>
bool WorkQueue<Key, Hash>::drain(Clock::SteadyTime deadline) {
  shut_down();
  std::unique_lock lock(mutex_);
  while (!ready_.empty() || !processing_.empty()) {
    if (clock_.steady_now() >= deadline) return false;
    clock_.wait_until(lock, changed_, deadline);
  }
  return true;
}

template <class Key, class Hash>
bool WorkQueue<Key, Hash>::is_shut_down() const {
  const std::lock_guard guard(mutex_);
  return shut_down_;
}

template <class Key, class Hash>
std::size_t WorkQueue<Key, Hash>::size() {
  const std::lock_guard guard(mutex_);
  promote_due_locked();
  return ready_.size();
}

template <class Key, class Hash>
std::size_t WorkQueue<Key, Hash>::waiting() const {
  const std::lock_guard guard(mutex_);
  return waiting_.size();
}

template <class Key, class Hash>
std::size_t WorkQueue<Key, Hash>::depth() {
  const std::lock_guard guard(mutex_);
  promote_due_locked();
  return dirty_.size();
}

template <class Key, class Hash>
UnfinishedWork WorkQueue<Key, Hash>::unfinished() const {
  const std::lock_guard guard(mutex_);
  UnfinishedWork work;
  const Clock::SteadyTime now = clock_.steady_now();
  for (const auto& [key, since] : processing_) {
    work.total += now - since;
    work.longest = std::max<Duration>(work.longest, now - since);
  }
  return work;
}

}  // namespace proxima::kube
