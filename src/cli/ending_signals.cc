// SPDX-License-Identifier: Apache-2.0
#include "cli/ending_signals.h"

#include <csignal>
#include <cstdlib>

#include "cli/exit_code.h"

namespace proxima::cli {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // A terminal that is closed; with nohup there is nothing to wait for.
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

int wait_for_signal() {
  const sigset_t set = ending_signals();
  int number = 0;
  sigwait(&set, &number);
  return number;
}

}  // namespace

EndingSignals::EndingSignals() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A client that goes away is no reason to end.
  signal(SIGPIPE, SIG_IGN);
}

EndingSignals::~EndingSignals() {
  if (!waiter_.joinable()) return;
  over_ = true;
  pthread_kill(waiter_.native_handle(), SIGINT);
  waiter_.join();
}

void EndingSignals::stop_with(std::function<void()> stop) {
  waiter_ = std::thread([this, stop = std::move(stop)] {
    wait_for_signal();
    if (over_) return;
    stop();
    // A terminal that is closed may say so more than once, and is in no hurry.
    while (wait_for_signal() == SIGHUP) continue;
    if (!over_) std::_Exit(static_cast<int>(ExitCode::Failed));
  });
}

}  // namespace proxima::cli
