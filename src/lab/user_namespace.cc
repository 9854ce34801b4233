// SPDX-License-Identifier: Apache-2.0
#include "lab/user_namespace.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <string_view>
#include <utility>

#include "lab/lab_host.h"
#include "lab/lab_network.h"
#include "lab/system_error.h"
#include "net/descriptor_limit.h"

namespace proxima::lab {
namespace {

constexpr int kRightsOfUsers = CLONE_NEWUSER | CLONE_NEWNS;

Status write_file(const char* file, const std::string& text) {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error(std::string("open ") + file);
  const ssize_t size = write(descriptor, text.data(), text.size());
  const int number = errno;
  close(descriptor);
  if (size != static_cast<ssize_t>(text.size()))
    return system_error(std::string("write ") + file, number);
  return Unit{};
}

// The caller becomes root inside; all other users are nobody there.
Status enter_user_namespace() {
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  if (unshare(kRightsOfUsers) != 0) return system_error("make a user namespace");
  // The kernel wants this before a group is mapped by somebody without rights.
  if (Status written = write_file("/proc/self/setgroups", "deny"); !written) return written;
  if (Status written = write_file("/proc/self/uid_map", "0 " + user + " 1"); !written)
    return written;
  return write_file("/proc/self/gid_map", "0 " + group + " 1");
}

// The smallest network that needs all the rights: a second host, a cable, settings, addresses.
Status make_a_network() {
  PROXIMA_TRY(LabNetwork network, LabNetwork::create(), "try it");
  PROXIMA_TRY([[maybe_unused]] const HostAddresses addresses, network.add_node("trial"), "try it");
  return Unit{};
}

// Whether `work` succeeds, found out in a child: it may change the process for good, or start
// threads.
Status try_in_a_child(const std::function<Status()>& work) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Status done = work();
    const std::string told = done ? "" : done.error().message;
    [[maybe_unused]] const ssize_t size = write(ends[1], told.data(), told.size());
    _exit(done ? 0 : 1);
  }
  const int number = errno;
  close(ends[1]);
  std::string told;
  std::array<char, 512> buffer{};
  for (ssize_t size = 0; child > 0 && (size = read(ends[0], buffer.data(), buffer.size())) > 0;)
    told.append(buffer.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  if (child < 0) return system_error("fork", number);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Unit{};
  return Error{ErrorCode::Denied, told.empty() ? "the trial was killed" : told};
}

struct Obstacle {
  const char* file;
  bool (*in_the_way)(int value);
  const char* advice;
};

// Settings with which systems forbid user namespaces, and what a person does about it.
constexpr Obstacle kObstacles[] = {
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", [](int value) { return value != 0; },
     "AppArmor restricts user namespaces here: run as root, or "
     "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0."},
    {"/proc/sys/kernel/unprivileged_userns_clone", [](int value) { return value == 0; },
     "This kernel lets only root make user namespaces: run as root, or "
     "sysctl -w kernel.unprivileged_userns_clone=1."},
    {"/proc/sys/user/max_user_namespaces", [](int value) { return value == 0; },
     "User namespaces are turned off here: run as root, or "
     "sysctl -w user.max_user_namespaces=10000."},
};

int number_in(const char* file, int missing) {
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return missing;
  std::array<char, 16> text{};
  const ssize_t size = read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  return size > 0 ? std::atoi(text.data()) : missing;
}

std::string advice() {
  if (access("/proc/sys/net/ipv6", F_OK) != 0)
    return "This kernel runs without IPv6, which the lab needs: start it without ipv6.disable=1.";
  for (const Obstacle& obstacle : kObstacles) {
    constexpr int kMissing = -1;
    const int value = number_in(obstacle.file, kMissing);
    if (value != kMissing && obstacle.in_the_way(value)) return obstacle.advice;
  }
  if (geteuid() == 0)
    return "Root has too few rights here, as in a container: start it with --privileged, or with "
           "the capabilities NET_ADMIN and SYS_ADMIN and a writable /proc/sys.";
  return "Run as root; in a container, start it with --privileged.";
}

LabRights none(const Error& as_root, const Error& as_user) {
  std::string why = "Network namespaces cannot be made here. ";
  if (geteuid() == 0) why += "As root: " + as_root.message + ". ";
  why += "In a user namespace: " + as_user.message + ". ";
  return {.rights = Rights::None, .why_not = why + advice()};
}

LabRights taken(Rights rights) {
  (void)net::raise_descriptor_limit();  // a lab that gets no more begins all the same
  return {.rights = rights, .why_not = {}};
}

}  // namespace

LabRights take_lab_rights() {
  const Status as_root = try_in_a_child(make_a_network);
  if (as_root) return taken(Rights::Root);
  const Status as_user = try_in_a_child([]() -> Status {
    if (Status entered = enter_user_namespace(); !entered) return entered;
    return make_a_network();
  });
  if (!as_user) return none(as_root.error(), as_user.error());
  // What a child could do a moment ago.
  const Status entered = enter_user_namespace();
  if (!entered) return none(as_root.error(), entered.error());
  return taken(Rights::UserNamespace);
}

}  // namespace proxima::lab
