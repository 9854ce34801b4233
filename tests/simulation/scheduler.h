// SPDX-License-Identifier: Apache-2.0
// Virtual time and everything that happens in it: tasks, which are the threads of simulated
// processes, and events of the world. One runs at a time, until it waits; who is next is drawn from
// the seed. Time stands still while anything can run, and jumps to the next deadline otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/split_mix.h"
#include "simulation/fiber.h"

namespace proxima::simulation {

class Process;

using Time = std::chrono::nanoseconds;  // since the beginning of the simulation
inline constexpr Time kNever = Time::max();

class Task {
 public:
  Task(std::uint64_t id, Process& process, std::function<void()> body)
      : id_(id), process_(process), fiber_(std::move(body)) {}

  std::uint64_t id() const { return id_; }
  Process& process() const { return process_; }
  bool has_ended() const { return fiber_.has_ended(); }

 private:
  friend class Scheduler;

  std::uint64_t id_;
  Process& process_;
  Fiber fiber_;
  bool runnable_ = true;
  Time deadline_ = kNever;  // of what it waits for
  const ConditionVariable* waits_on_ = nullptr;
  std::vector<Task*> joiners_;
};

class Scheduler final : public ConditionVariable::Follower {
 public:
  explicit Scheduler(std::uint64_t seed) : random_(seed) {}

  Time now() const { return now_; }
  std::uint64_t steps() const { return steps_; }
  // The task that runs; null outside of all of them.
  Task* current() const { return current_; }

  // Calls `event` at that time, or at once when it is over, outside of all tasks.
  void at(Time time, std::function<void()> event);
  void after(Time delay, std::function<void()> event) { at(now_ + delay, std::move(event)); }

  std::shared_ptr<Task> spawn(Process& process, std::function<void()> body);
  // From a task: leaves it until wake() or the deadline.
  void block(Time deadline);
  void wake(Task& task);
  void join(Task& task);
  // From a task, with `lock` held: until `condition` is notified or the deadline.
  void wait(std::unique_lock<std::mutex>& lock, ConditionVariable& condition, Time deadline);
  void notified(const ConditionVariable& condition, ConditionVariable::Wakes wakes) override;

  // Runs one event or one task; false: nothing is left to happen up to `until`, which it is then.
  bool step(Time until);
  // Runs the tasks of a process that was cut off from the world until none is left; its waits take
  // no time. False: one waits for something that never comes.
  bool finish(Process& process);
  std::size_t tasks_of(const Process& process) const;

 private:
  void run(Task& task);
  void reap(Task& task);
  void set_timer(Task& task, Time deadline);
  void make_runnable(Task& task);
  bool wake_due(Time until);
  Task* pick();
  Task* next_of(const Process& process);

  SplitMix random_;
  Time now_{0};
  std::uint64_t steps_ = 0;
  std::uint64_t next_id_ = 1;
  Task* current_ = nullptr;
  std::map<std::uint64_t, std::shared_ptr<Task>> tasks_;
  std::vector<Task*> runnable_;
  std::set<std::pair<Time, std::uint64_t>> timers_;  // deadlines of tasks
  std::multimap<Time, std::function<void()>> events_;
  std::unordered_map<const ConditionVariable*, std::vector<Task*>> waiters_;
};

}  // namespace proxima::simulation
