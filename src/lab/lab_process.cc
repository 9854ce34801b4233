// SPDX-License-Identifier: Apache-2.0
#include "lab/lab_process.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "lab/system_error.h"

namespace proxima::lab {
namespace {

std::string describe(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return "signal " + std::to_string(number) + " (" + sigdescr_np(number) + ")";
}

}  // namespace

bool LabProcess::alive() const { return !end(); }

std::optional<std::string> LabProcess::end() const {
  const std::lock_guard guard(mutex_);
  return end_;
}

// Nobody has waited for it yet while it has no end, so its number is still its own.
void LabProcess::send(int signal) {
  const std::lock_guard guard(mutex_);
  if (!end_) ::kill(-pid_, signal);
}

void LabProcess::kill() { send(SIGKILL); }

bool LabProcess::wait(std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, patience, [&] { return end_.has_value(); });
}

void LabProcess::stop(std::chrono::milliseconds grace) {
  send(SIGTERM);
  if (wait(grace)) return;
  kill();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return end_.has_value(); });
}

void LabProcess::bury() {
  std::string how;
  {
    const std::lock_guard guard(mutex_);
    // What it started and left goes with it, while the group's number is still taken.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ::close(handle_);
    end_ = how = describe(status);
  }
  ended_.notify_all();
  if (on_end_) on_end_(how);
}

struct LabProcesses::Order {
  const ChildProgram& program;
  std::function<void(const std::string&)> on_end;
  std::optional<Result<std::shared_ptr<LabProcess>>> result;
};

LabProcesses::LabProcesses(int wake) : wake_(wake), thread_([this] { work(); }) {}

Result<std::unique_ptr<LabProcesses>> LabProcesses::create() {
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return system_error("make an eventfd");
  return std::unique_ptr<LabProcesses>(new LabProcesses(wake));
}

LabProcesses::~LabProcesses() {
  {
    const std::lock_guard guard(mutex_);
    ending_ = true;
  }
  eventfd_write(wake_, 1);
  thread_.join();
  close(wake_);
}

Result<std::shared_ptr<LabProcess>> LabProcesses::start(
    const ChildProgram& program, std::function<void(const std::string&)> on_end) {
  if (std::this_thread::get_id() == thread_.get_id()) return start_here(program, std::move(on_end));
  Order order{program, std::move(on_end), std::nullopt};
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return order_ == nullptr; });
  order_ = &order;
  eventfd_write(wake_, 1);
  done_.wait(lock, [&] { return order.result.has_value(); });
  return *std::move(order.result);
}

Result<std::shared_ptr<LabProcess>> LabProcesses::start_here(
    const ChildProgram& program, std::function<void(const std::string&)> on_end) {
  PROXIMA_TRY(const int pid, start_child(program), "child process");
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (handle < 0) {
    Error error = system_error("watch " + program.words[0]);
    ::kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return error;
  }
  std::shared_ptr<LabProcess> process(new LabProcess(pid, handle, std::move(on_end)));
  living_[pid] = process;
  return process;
}

void LabProcesses::obey() {
  const std::lock_guard guard(mutex_);
  if (order_ == nullptr) return;
  order_->result = start_here(order_->program, std::move(order_->on_end));
  order_ = nullptr;
  done_.notify_all();
}

// Until a child ends or somebody wants something.
void LabProcesses::watch() {
  std::vector<pollfd> waiting{{.fd = wake_, .events = POLLIN, .revents = 0}};
  std::vector<int> pids;
  for (const auto& [pid, process] : living_) {
    waiting.push_back({.fd = process->handle_, .events = POLLIN, .revents = 0});
    pids.push_back(pid);
  }
  if (poll(waiting.data(), waiting.size(), -1) < 0) return;
  eventfd_t ignored = 0;
  eventfd_read(wake_, &ignored);
  for (std::size_t i = 0; i < pids.size(); ++i)
    if (waiting[i + 1].revents != 0) living_.extract(pids[i]).mapped()->bury();
}

void LabProcesses::work() {
  const auto ending = [&] {
    const std::lock_guard guard(mutex_);
    return ending_;
  };
  while (!ending()) {
    obey();
    watch();
  }
  for (const auto& [pid, process] : living_) process->kill();
  while (!living_.empty()) living_.extract(living_.begin()).mapped()->bury();
}

}  // namespace proxima::lab
