// SPDX-License-Identifier: Apache-2.0
#include "simulation/process.h"

#include <cmath>

#include "base/check.h"

namespace proxima::simulation {
namespace {

using std::chrono::nanoseconds;

// A clock that has run for a while: what begins at zero hides mistakes.
constexpr nanoseconds kBegin = std::chrono::hours(1);
constexpr nanoseconds kEndOfTime = std::chrono::hours(24 * 365);  // no simulation lasts so long
constexpr std::chrono::seconds kWallBegin{1'772'323'200};         // 2026-03-01T00:00:00Z

class TaskThread final : public Thread::Running {
 public:
  TaskThread(Scheduler& scheduler, std::shared_ptr<Task> task)
      : scheduler_(scheduler), task_(std::move(task)) {}
  void join() override { scheduler_.join(*task_); }

 private:
  Scheduler& scheduler_;
  std::shared_ptr<Task> task_;
};

}  // namespace

nanoseconds Process::local(Time world) const {
  return kBegin +
         nanoseconds(static_cast<std::int64_t>(static_cast<double>(world.count()) * rate_));
}

Clock::WallTime Process::wall_now() const {
  return WallTime(kWallBegin) + world_now() + wall_offset_;
}

Time Process::to_world(SteadyTime moment) const {
  if (moment.time_since_epoch() > kEndOfTime) return kNever;
  const nanoseconds since = moment.time_since_epoch() - kBegin;
  Time world(static_cast<std::int64_t>(static_cast<double>(since.count()) / rate_));
  while (local(world) < moment.time_since_epoch()) world += Time(1);  // rounding
  return world;
}

void Process::wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                         SteadyTime deadline) {
  PROXIMA_CHECK(scheduler_.current() != nullptr);
  scheduler_.wait(lock, wake, to_world(deadline));
}

void Process::wait_for_threads(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                               std::chrono::nanoseconds limit, const std::function<bool()>& done) {
  const SteadyTime end = steady_now() + limit;
  while (!done() && steady_now() < end) wait_until(lock, wake, end);
}

Thread Process::start_thread(std::function<void()> body) {
  return Thread(std::make_unique<TaskThread>(scheduler_, scheduler_.spawn(*this, std::move(body))));
}

}  // namespace proxima::simulation
