// SPDX-License-Identifier: Apache-2.0
// The right to write the rules of a network namespace: two proxies of one name would undo each
// other's work. Held by a name that the kernel gives to one process of the network namespace and
// takes back when the process ends, however it ends: containers on the host's network see the same
// one, whatever files they share.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::proxy {

class ProxyClaim {
 public:
  // `proxy_name` as Services name it, "" for those that name nobody. Conflict: another process has
  // it, and the message says which.
  static Result<ProxyClaim> take(std::string_view proxy_name);

  ~ProxyClaim() { release(); }
  ProxyClaim(ProxyClaim&& other) noexcept : socket_(other.socket_) { other.socket_ = -1; }
  ProxyClaim& operator=(ProxyClaim&& other) noexcept;
  ProxyClaim(const ProxyClaim&) = delete;
  ProxyClaim& operator=(const ProxyClaim&) = delete;

 private:
  explicit ProxyClaim(int socket) : socket_(socket) {}
  void release();

  int socket_ = -1;
};

}  // namespace proxima::proxy
