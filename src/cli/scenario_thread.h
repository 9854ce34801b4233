// SPDX-License-Identifier: Apache-2.0
// The timeline of a scenario, played to a lab.
#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include "agents/scenario_runner.h"

namespace proxima::cli {

class ScenarioThread {
 public:
  // Begins now. `say` gets a sentence for every action, also for one that failed, on the thread.
  // Lab and clock must outlive it.
  ScenarioThread(std::vector<agents::TimedAction> timeline, agents::LabCluster& lab, Clock& clock,
                 std::function<void(const std::string&)> say);
  // After the action that is under way.
  ~ScenarioThread();
  ScenarioThread(const ScenarioThread&) = delete;
  ScenarioThread& operator=(const ScenarioThread&) = delete;

 private:
  void play();
  void perform(const agents::LabAction& action);

  agents::LabCluster& lab_;
  Clock& clock_;
  std::function<void(const std::string&)> say_;
  agents::ScenarioRunner runner_;
  std::mutex mutex_;
  ConditionVariable wake_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace proxima::cli
