// SPDX-License-Identifier: Apache-2.0
// A simulated process: the clock that its parts are given, which runs at its own rate, and its
// threads. It can be paused, and cut off from the world, which is how it crashes.
#pragma once

#include <string>

#include "simulation/process_heap.h"
#include "simulation/scheduler.h"

namespace proxima::simulation {

class Process final : public Clock {
 public:
  // `rate`: how fast its clock runs, compared with the world's.
  Process(Scheduler& scheduler, std::string name, double rate)
      : scheduler_(scheduler), name_(std::move(name)), rate_(rate), started_(scheduler.now()) {}

  const std::string& name() const { return name_; }
  Time started() const { return started_; }
  Scheduler& scheduler() const { return scheduler_; }
  const ProcessHeap& heap() const { return heap_; }

  SteadyTime steady_now() const override { return SteadyTime(local(world_now())); }
  WallTime wall_now() const override;
  void wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                  SteadyTime deadline) override;
  void wait_for_threads(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                        std::chrono::nanoseconds limit, const std::function<bool()>& done) override;
  Thread start_thread(std::function<void()> body) override;

  // The world's time of a moment of this clock.
  Time to_world(SteadyTime moment) const;
  void jump_wall(std::chrono::nanoseconds distance) { wall_offset_ += distance; }

  void pause() { paused_ = true; }
  // Whether one of its threads would have run meanwhile.
  bool resume() {
    paused_ = false;
    return std::exchange(was_held_up_, false);
  }
  bool is_paused() const { return paused_; }
  void hold_up() { was_held_up_ = true; }

  // Nothing that it does from now on reaches anybody. What waits for the world must be woken by
  // whoever knows of it.
  void cut_off() {
    dead_ = true;
    paused_ = false;
  }
  bool is_dead() const { return dead_; }
  // Of a dead process: the time is at least that, for itself alone.
  void skip_to(Time world) { skipped_ = std::max(skipped_, world); }

 private:
  Time world_now() const { return std::max(scheduler_.now(), skipped_); }
  std::chrono::nanoseconds local(Time world) const;

  Scheduler& scheduler_;
  std::string name_;
  ProcessHeap heap_;
  double rate_;
  Time started_;
  std::chrono::nanoseconds wall_offset_{0};
  Time skipped_{0};
  bool paused_ = false;
  bool was_held_up_ = false;
  bool dead_ = false;
};

}  // namespace proxima::simulation
