// SPDX-License-Identifier: Apache-2.0
#include "lab/child_program.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/descriptor.h"
#include "lab/system_error.h"

namespace proxima::lab {
namespace {

// What the child must know, made before the fork: between fork and exec in a process with threads
// nothing may be allocated or locked.
struct ChildOrders {
  std::vector<char*> words;
  int space;   // -1: stay
  int log;     // becomes standard output and error
  int nobody;  // becomes standard input
  int report;  // a ChildFailure goes here, and nothing when all went well
  pid_t parent;
};

struct ChildFailure {
  enum class Step : int { Orphan, Enter, Files, Execute } step;
  int number;
};

const char* to_text(ChildFailure::Step step) {
  switch (step) {
    case ChildFailure::Step::Orphan:
      return "its parent is gone";
    case ChildFailure::Step::Enter:
      return "enter the network namespace";
    case ChildFailure::Step::Files:
      return "open its files";
    case ChildFailure::Step::Execute:
      return "execute";
  }
  PROXIMA_CHECK(false);
}

void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
}

[[noreturn]] void fail(const ChildOrders& orders, ChildFailure::Step step) {
  const ChildFailure failure{step, errno};
  [[maybe_unused]] const ssize_t told = write(orders.report, &failure, sizeof failure);
  _exit(127);
}

[[noreturn]] void become(const ChildOrders& orders) {
  using Step = ChildFailure::Step;
  setpgid(0, 0);
  reset_signals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before that was asked for.
  if (getppid() != orders.parent) fail(orders, Step::Orphan);
  if (orders.space >= 0 && setns(orders.space, CLONE_NEWNET) != 0) fail(orders, Step::Enter);
  if (dup2(orders.nobody, STDIN_FILENO) < 0 || dup2(orders.log, STDOUT_FILENO) < 0 ||
      dup2(orders.log, STDERR_FILENO) < 0)
    fail(orders, Step::Files);
  // A descriptor that some library left open for children would keep a namespace or a port alive.
  syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  execv(orders.words[0], orders.words.data());
  fail(orders, Step::Execute);
}

}  // namespace

Result<int> start_child(const ChildProgram& program) {
  if (program.words.empty()) return Error{ErrorCode::InvalidInput, "no program to start"};
  std::vector<std::string> words = program.words;
  const Descriptor log(
      open(program.log_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (log.number() < 0) return system_error("open " + program.log_file);
  const Descriptor nobody(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (nobody.number() < 0) return system_error("open /dev/null");
  std::array<int, 2> pipe_ends{-1, -1};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return system_error("make a pipe");
  const Descriptor reading(pipe_ends[0]);
  Descriptor report(pipe_ends[1]);

  ChildOrders orders{.words = {},
                     .space = program.at ? program.at->descriptor() : -1,
                     .log = log.number(),
                     .nobody = nobody.number(),
                     .report = report.number(),
                     .parent = getpid()};
  for (std::string& word : words) orders.words.push_back(word.data());
  orders.words.push_back(nullptr);

  const pid_t child = fork();
  if (child < 0) return system_error("fork");
  if (child == 0) become(orders);
  report.close();
  ChildFailure failure{};
  ssize_t size = 0;
  do size = read(reading.number(), &failure, sizeof failure);
  while (size < 0 && errno == EINTR);
  if (size != sizeof failure) return child;
  waitpid(child, nullptr, 0);
  return system_error("start " + program.words[0] + ": " + to_text(failure.step), failure.number);
}

}  // namespace proxima::lab
