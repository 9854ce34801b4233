// SPDX-License-Identifier: Apache-2.0
// Child programs of a lab, and one thread that starts them, sees them end, and takes them along
// when it ends itself.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lab/child_program.h"

namespace proxima::lab {

// One child. From any thread.
class LabProcess {
 public:
  LabProcess(const LabProcess&) = delete;
  LabProcess& operator=(const LabProcess&) = delete;

  int pid() const { return pid_; }
  bool alive() const;
  // How it ended: "exit code 3", "signal 9 (Killed)". None: it is alive.
  std::optional<std::string> end() const;
  // Asks it to end (SIGTERM to its process group), kills it after `grace`, and waits until it is
  // gone. Not from on_end.
  void stop(std::chrono::milliseconds grace);
  // Sends SIGKILL to its process group; it is gone soon after.
  void kill();
  // Until it is gone; false: not within `patience`.
  bool wait(std::chrono::milliseconds patience) const;

 private:
  friend class LabProcesses;
  LabProcess(int pid, int handle, std::function<void(const std::string&)> on_end)
      : pid_(pid), handle_(handle), on_end_(std::move(on_end)) {}
  void send(int signal);
  void bury();  // of a child that ended

  const int pid_;
  const int handle_;  // a pidfd
  const std::function<void(const std::string&)> on_end_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::optional<std::string> end_;
};

class LabProcesses {
 public:
  static Result<std::unique_ptr<LabProcesses>> create();
  LabProcesses(const LabProcesses&) = delete;
  LabProcesses& operator=(const LabProcesses&) = delete;
  // Kills all that live, and waits for them.
  ~LabProcesses();

  // `on_end` is called once with how it ended, on the thread of all processes: it may start
  // another, and must not wait.
  Result<std::shared_ptr<LabProcess>> start(const ChildProgram& program,
                                            std::function<void(const std::string&)> on_end = {});

 private:
  struct Order;
  explicit LabProcesses(int wake);
  void work();
  void obey();
  void watch();
  Result<std::shared_ptr<LabProcess>> start_here(const ChildProgram& program,
                                                 std::function<void(const std::string&)> on_end);

  int wake_;  // an eventfd
  std::mutex mutex_;
  std::condition_variable done_;
  Order* order_ = nullptr;  // one at a time
  bool ending_ = false;
  std::map<int, std::shared_ptr<LabProcess>> living_;  // the thread's own
  std::thread thread_;                                 // the parent of all children
};

}  // namespace proxima::lab
