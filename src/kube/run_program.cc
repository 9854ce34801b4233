// SPDX-License-Identifier: Apache-2.0
#include "kube/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "base/descriptor.h"

namespace proxima::kube {
namespace {

using SteadyClock = std::chrono::steady_clock;

Error system_error(const std::string& what) {
  return {ErrorCode::InvalidInput, what + ": " + std::strerror(errno)};
}

bool can_run(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::optional<std::string> find_program(const std::string& command, std::string_view folders) {
  if (command.find('/') != std::string::npos)
    return can_run(command) ? std::optional(command) : std::nullopt;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    // An empty part would mean the current folder, where anybody may have put something.
    const std::string path = std::string(folders.substr(0, end)) + "/" + command;
    if (end > 0 && can_run(path)) return path;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

// Texts as the C interface wants them: pointers into `texts`, and a null at the end.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// posix_spawn's two lists of wishes, with their lifetimes.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void prepare(int output, Terminal terminal) {
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    if (terminal == Terminal::None) {
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
      // A group of its own would lose the terminal, so only without one.
      posix_spawnattr_setpgroup(&attributes_, 0);
      flags = static_cast<short>(flags | POSIX_SPAWN_SETPGROUP);
    }
    posix_spawnattr_setflags(&attributes_, flags);
  }

  Result<pid_t> spawn(const std::string& path, std::vector<std::string> arguments,
                      std::vector<std::string> environment) {
    pid_t process = 0;
    const int error = posix_spawn(&process, path.c_str(), &actions_, &attributes_,
                                  pointers(arguments).data(), pointers(environment).data());
    if (error != 0) return Error{ErrorCode::InvalidInput, path + ": " + std::strerror(error)};
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// A running child. Killed and waited for when it is still there at the end.
class Child {
 public:
  Child(pid_t process, Terminal terminal)
      : process_(process),
        group_(terminal == Terminal::None),
        handle_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))) {}
  ~Child() {
    if (process_ <= 0) return;
    ::kill(group_ ? -process_ : process_, SIGKILL);
    reap();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Readable once the child has ended.
  int handle() const { return handle_.number(); }
  int reap() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t process_;
  bool group_;
  Descriptor handle_;
};

// Appends what is there without waiting. False: the other side is closed.
bool drain(int descriptor, std::string& output) {
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t size = ::read(descriptor, piece.data(), piece.size());
    if (size > 0) output.append(piece.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size < 0 && errno == EAGAIN;
    // One piece at a time, so that the size is looked at between.
    return true;
  }
}

Error late(const std::string& command, const char* why) {
  return {ErrorCode::Retry, "exec: executable " + command + " " + why};
}

int milliseconds_until(SteadyClock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

// Reads until the child has ended.
Result<ProgramResult> follow(const Program& program, Child& child, Descriptor& output, int wake) {
  const auto deadline = SteadyClock::now() + program.timeout;
  ProgramResult result;
  bool open = true;
  for (;;) {
    // A closed pipe is always "readable", so it is no longer asked.
    std::array<pollfd, 3> ready = {pollfd{wake, POLLIN, 0}, pollfd{child.handle(), POLLIN, 0},
                                   pollfd{open ? output.number() : -1, POLLIN, 0}};
    const int count = ::poll(ready.data(), ready.size(), milliseconds_until(deadline));
    if (count < 0 && errno != EINTR) return system_error("poll");
    if (count == 0) return late(program.command, "did not finish in time");
    if (count > 0 && ready[0].revents != 0) return late(program.command, "was cancelled");
    const bool ended = count > 0 && ready[1].revents != 0;
    if (count > 0 && ready[2].revents != 0) open = drain(output.number(), result.output);
    if (result.output.size() > program.max_output)
      return Error{ErrorCode::InvalidInput,
                   "exec: executable " + program.command + " printed too much"};
    // What the child wrote before its end is in the pipe; a grandchild that keeps it open is not
    // waited for.
    if (ended && (!open || ready[2].revents == 0)) {
      result.exit_code = child.reap();
      return result;
    }
  }
}

std::vector<std::string> assignments(const Environment& environment) {
  std::vector<std::string> all;
  for (const auto& [name, value] : environment) {
    all.emplace_back(name).append("=").append(value);
  }
  return all;
}

}  // namespace

Result<ProgramResult> run_program(const Program& program, const net::Cancellation& cancellation) {
  const auto path = find_program(program.command, variable(program.environment, "PATH"));
  if (!path)
    return Error{ErrorCode::NotFound, "exec: executable " + program.command + " not found"};
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return system_error("pipe");
  Descriptor output(pipe[0]);
  Descriptor input(pipe[1]);
  ::fcntl(output.number(), F_SETFL, O_NONBLOCK);
  const Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (wake.number() < 0) return system_error("eventfd");

  std::vector<std::string> arguments = program.arguments;
  arguments.insert(arguments.begin(), program.command);
  SpawnPlan plan;
  plan.prepare(input.number(), program.terminal);
  PROXIMA_TRY(const pid_t process,
              plan.spawn(*path, std::move(arguments), assignments(program.environment)), "exec");
  input.close();
  Child child(process, program.terminal);
  if (child.handle() < 0) return system_error("pidfd_open");
  const net::Cancellation::Attachment attachment(cancellation, [&wake] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake.number(), &one, sizeof one);
  });
  return follow(program, child, output, wake.number());
}

}  // namespace proxima::kube
