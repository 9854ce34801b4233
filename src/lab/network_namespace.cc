// SPDX-License-Identifier: Apache-2.0
#include "lab/network_namespace.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "lab/system_error.h"

namespace proxima::lab {
namespace {

// A thread may be alone in a namespace, so the process needs no child for this.
Status on_a_thread(const std::function<Status()>& work) {
  std::optional<Status> result;
  try {
    std::thread([&] { result = work(); }).join();
  } catch (const std::system_error& refused) {
    return Error{ErrorCode::Retry, std::string("start a thread: ") + refused.what()};
  }
  return *std::move(result);
}

Status pin_new_namespace(const std::string& file) {
  if (unshare(CLONE_NEWNET) != 0) return system_error("unshare(CLONE_NEWNET)");
  const int made = open(file.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (made < 0) return system_error("create " + file);
  close(made);
  if (mount("/proc/thread-self/ns/net", file.c_str(), "none", MS_BIND, nullptr) == 0) return Unit{};
  Error error = system_error("mount the namespace at " + file);
  unlink(file.c_str());
  return error;
}

}  // namespace

NetworkNamespace::NetworkNamespace(std::string file, int descriptor, HeldBy held_by)
    : file_(std::move(file)), descriptor_(descriptor), held_by_(held_by) {}

NetworkNamespace::NetworkNamespace(NetworkNamespace&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      held_by_(other.held_by_) {}

NetworkNamespace& NetworkNamespace::operator=(NetworkNamespace&& other) noexcept {
  if (this != &other) {
    release();
    file_ = std::move(other.file_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    held_by_ = other.held_by_;
  }
  return *this;
}

NetworkNamespace::~NetworkNamespace() { release(); }

void NetworkNamespace::release() {
  if (descriptor_ < 0) return;
  close(std::exchange(descriptor_, -1));
  if (held_by_ == HeldBy::Name) remove_namespace_file(file_);
}

Result<NetworkNamespace> NetworkNamespace::create() {
  int descriptor = -1;
  PROXIMA_TRY([[maybe_unused]] const Unit made, on_a_thread([&]() -> Status {
                if (unshare(CLONE_NEWNET) != 0) return system_error("unshare(CLONE_NEWNET)");
                descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
                if (descriptor < 0) return system_error("open /proc/thread-self/ns/net");
                return Unit{};
              }),
              "new namespace");
  return NetworkNamespace("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor),
                          descriptor, HeldBy::Descriptor);
}

Result<NetworkNamespace> NetworkNamespace::create(const std::string& file) {
  PROXIMA_TRY([[maybe_unused]] const Unit pinned,
              on_a_thread([&] { return pin_new_namespace(file); }), "new namespace");
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    Error error = system_error("open " + file);
    remove_namespace_file(file);
    return error;
  }
  return NetworkNamespace(file, descriptor, HeldBy::Name);
}

Status NetworkNamespace::run(const std::function<Status()>& work) const {
  return on_a_thread([&]() -> Status {
    if (setns(descriptor_, CLONE_NEWNET) != 0) return system_error("enter " + file_);
    return work();
  });
}

void remove_namespace_file(const std::string& file) {
  umount2(file.c_str(), MNT_DETACH);
  unlink(file.c_str());
}

}  // namespace proxima::lab
