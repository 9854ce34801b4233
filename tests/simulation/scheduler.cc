// SPDX-License-Identifier: Apache-2.0
#include "simulation/scheduler.h"

#include <algorithm>

#include "base/check.h"
#include "simulation/process.h"

namespace proxima::simulation {

void Scheduler::at(Time time, std::function<void()> event) {
  events_.emplace(std::max(time, now_), std::move(event));
}

std::shared_ptr<Task> Scheduler::spawn(Process& process, std::function<void()> body) {
  const std::uint64_t id = next_id_++;
  auto task = std::make_shared<Task>(id, process, std::move(body));
  tasks_.emplace(id, task);
  runnable_.push_back(task.get());
  return task;
}

void Scheduler::set_timer(Task& task, Time deadline) {
  if (task.deadline_ != kNever) timers_.erase({task.deadline_, task.id_});
  task.deadline_ = deadline;
  if (deadline != kNever) timers_.emplace(deadline, task.id_);
}

void Scheduler::make_runnable(Task& task) {
  set_timer(task, kNever);
  if (std::exchange(task.runnable_, true)) return;
  runnable_.push_back(&task);
}

void Scheduler::block(Time deadline) {
  Task& task = *current_;
  task.runnable_ = false;
  set_timer(task, deadline);
  task.fiber_.suspend();
}

void Scheduler::wake(Task& task) {
  if (!task.has_ended()) make_runnable(task);
}

void Scheduler::join(Task& task) {
  while (!task.has_ended()) {
    task.joiners_.push_back(current_);
    block(kNever);
  }
}

void Scheduler::wait(std::unique_lock<std::mutex>& lock, ConditionVariable& condition,
                     Time deadline) {
  Task& task = *current_;
  condition.follow(*this);
  task.waits_on_ = &condition;
  waiters_[&condition].push_back(&task);
  lock.unlock();
  block(deadline);
  const auto found = waiters_.find(&condition);
  if (task.waits_on_ != nullptr) std::erase(found->second, &task);
  if (found != waiters_.end() && found->second.empty()) waiters_.erase(found);
  task.waits_on_ = nullptr;
  lock.lock();
}

void Scheduler::notified(const ConditionVariable& condition, ConditionVariable::Wakes wakes) {
  const auto found = waiters_.find(&condition);
  if (found == waiters_.end()) return;
  std::vector<Task*>& waiting = found->second;
  while (!waiting.empty()) {
    const std::size_t chosen = random_.below(waiting.size());
    Task* const task = waiting[chosen];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
    task->waits_on_ = nullptr;
    make_runnable(*task);
    if (wakes == ConditionVariable::Wakes::One) return;
  }
}

void Scheduler::run(Task& task) {
  ++steps_;
  current_ = &task;
  {
    const ProcessHeap::Use use(task.process_.heap());
    task.fiber_.resume();
  }
  current_ = nullptr;
  if (task.has_ended()) reap(task);
}

void Scheduler::reap(Task& task) {
  for (Task* joiner : task.joiners_) make_runnable(*joiner);
  tasks_.erase(task.id_);  // whoever joins it holds it
}

// Everything whose time has come by `now_`, or the next one up to `until`.
bool Scheduler::wake_due(Time until) {
  Time next = kNever;
  if (!timers_.empty()) next = timers_.begin()->first;
  if (!events_.empty()) next = std::min(next, events_.begin()->first);
  if (next > until) {
    now_ = std::max(now_, until);
    return false;
  }
  now_ = std::max(now_, next);
  while (!timers_.empty() && timers_.begin()->first <= now_)
    make_runnable(*tasks_.at(timers_.begin()->second));
  return true;
}

Task* Scheduler::pick() {
  const std::size_t count = runnable_.size();
  if (count == 0) return nullptr;
  const std::size_t first = random_.below(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (first + i) % count;
    Task* const task = runnable_[at];
    if (task->process().is_paused()) {
      task->process().hold_up();
      continue;
    }
    runnable_[at] = runnable_.back();
    runnable_.pop_back();
    return task;
  }
  return nullptr;
}

bool Scheduler::step(Time until) {
  if (!events_.empty() && events_.begin()->first <= now_) {
    const auto event = std::move(events_.begin()->second);
    events_.erase(events_.begin());
    ++steps_;
    event();
    return true;
  }
  if (Task* const task = pick()) {
    run(*task);
    return true;
  }
  return wake_due(until);
}

Task* Scheduler::next_of(const Process& process) {
  const auto found = std::find_if(runnable_.begin(), runnable_.end(),
                                  [&](const Task* task) { return &task->process() == &process; });
  if (found != runnable_.end()) {
    Task* const task = *found;
    runnable_.erase(found);
    return task;
  }
  Task* earliest = nullptr;
  for (const auto& [id, task] : tasks_)
    if (&task->process() == &process && task->deadline_ != kNever &&
        (earliest == nullptr || task->deadline_ < earliest->deadline_))
      earliest = task.get();
  if (earliest == nullptr) return nullptr;
  earliest->process().skip_to(earliest->deadline_);
  set_timer(*earliest, kNever);
  earliest->runnable_ = true;
  return earliest;
}

bool Scheduler::finish(Process& process) {
  while (tasks_of(process) > 0) {
    Task* const task = next_of(process);
    if (task == nullptr) return false;
    run(*task);
  }
  return true;
}

std::size_t Scheduler::tasks_of(const Process& process) const {
  return static_cast<std::size_t>(
      std::count_if(tasks_.begin(), tasks_.end(),
                    [&](const auto& entry) { return &entry.second->process() == &process; }));
}

}  // namespace proxima::simulation
