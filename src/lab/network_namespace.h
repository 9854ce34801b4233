// SPDX-License-Identifier: Apache-2.0
// A network namespace that has a name in the file system, so that other programs can enter it
// (nsenter --net=FILE), and that goes away with its owner.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace proxima::lab {

class NetworkNamespace {
 public:
  // A new, empty namespace at `file`, which must not exist. Its loopback device is down.
  static Result<NetworkNamespace> create(const std::string& file);

  NetworkNamespace(NetworkNamespace&& other) noexcept;
  NetworkNamespace& operator=(NetworkNamespace&& other) noexcept;
  NetworkNamespace(const NetworkNamespace&) = delete;
  NetworkNamespace& operator=(const NetworkNamespace&) = delete;
  // Takes the name away. Processes inside live on, in a namespace that nobody can enter any more.
  ~NetworkNamespace();

  const std::string& file() const { return file_; }
  int descriptor() const { return descriptor_; }
  // Runs `work` inside, on a thread of its own: the caller's threads stay where they are.
  Status run(const std::function<Status()>& work) const;

 private:
  NetworkNamespace(std::string file, int descriptor);
  void release();

  std::string file_;
  int descriptor_ = -1;
};

// Takes the name of a namespace away whose owner did not live to do it.
void remove_namespace_file(const std::string& file);

}  // namespace proxima::lab
