// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and, unless it is ignored as under nohup, SIGHUP as a call: for commands that run
// until they are asked to end.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace proxima::cli {

// Must be made before other threads, so that they do not take the signals.
class EndingSignals {
 public:
  EndingSignals();
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  // At most once. `stop` is called on a thread of its own at the first signal; at the second the
  // process ends where it stands, for whoever cannot wait.
  void stop_with(std::function<void()> stop);

 private:
  std::atomic<bool> over_ = false;
  std::thread waiter_;
};

}  // namespace proxima::cli
