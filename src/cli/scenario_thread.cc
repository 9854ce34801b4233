// SPDX-License-Identifier: Apache-2.0
#include "cli/scenario_thread.h"

namespace proxima::cli {

ScenarioThread::ScenarioThread(std::vector<agents::TimedAction> timeline, agents::LabCluster& lab,
                               Clock& clock, std::function<void(const std::string&)> say)
    : lab_(lab),
      clock_(clock),
      say_(std::move(say)),
      runner_(std::move(timeline), clock.steady_now()),
      thread_([this] { play(); }) {}

ScenarioThread::~ScenarioThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ScenarioThread::play() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto next = runner_.next();
    if (!next) return;
    if (const auto action = runner_.take(clock_.steady_now())) {
      lock.unlock();
      perform(*action);
      lock.lock();
      continue;
    }
    clock_.wait_until(lock, wake_, *next);
  }
}

void ScenarioThread::perform(const agents::LabAction& action) {
  const Status done = agents::perform(lab_, action);
  say_("Scenario: " + agents::to_text(action) + (done ? "" : ": " + done.error().message));
}

}  // namespace proxima::cli
