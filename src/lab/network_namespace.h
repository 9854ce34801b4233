// SPDX-License-Identifier: Apache-2.0
// A network namespace that other programs can enter (nsenter --net=FILE) and that goes away with
// its owner.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace proxima::lab {

class NetworkNamespace {
 public:
  // A new, empty namespace. Its loopback device is down. Held by a descriptor alone: the system
  // takes it away with the process, however that ends.
  static Result<NetworkNamespace> create();
  // With a name of its own in the file system: `file`, which must not exist.
  static Result<NetworkNamespace> create(const std::string& file);

  NetworkNamespace(NetworkNamespace&& other) noexcept;
  NetworkNamespace& operator=(NetworkNamespace&& other) noexcept;
  NetworkNamespace(const NetworkNamespace&) = delete;
  NetworkNamespace& operator=(const NetworkNamespace&) = delete;
  // Lets go of it. Processes inside live on, in a namespace that nobody can enter any more.
  ~NetworkNamespace();

  // Where others enter: its own name, or this process's descriptor in /proc.
  const std::string& file() const { return file_; }
  int descriptor() const { return descriptor_; }
  // Runs `work` inside, on a thread of its own: the caller's threads stay where they are.
  Status run(const std::function<Status()>& work) const;

 private:
  enum class HeldBy { Descriptor, Name };
  NetworkNamespace(std::string file, int descriptor, HeldBy held_by);
  void release();

  std::string file_;
  int descriptor_ = -1;
  HeldBy held_by_;
};

// Takes the name of a namespace away whose owner did not live to do it.
void remove_namespace_file(const std::string& file);

}  // namespace proxima::lab
