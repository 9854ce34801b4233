// SPDX-License-Identifier: Apache-2.0
// A socket to netfilter in the kernel. It speaks to the network namespace that its thread was in
// when it was opened, for good. One thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::dataplane {

class NetlinkSocket {
 public:
  static Result<NetlinkSocket> open();
  NetlinkSocket(NetlinkSocket&& other) noexcept;
  NetlinkSocket& operator=(NetlinkSocket&& other) noexcept;
  ~NetlinkSocket();

  // Receives from now on, or no more, what the kernel tells everybody in a group (NFNLGRP_…).
  Status join(int group);
  void leave(int group);
  // All of it at once, however long: a batch that is cut in two is two batches.
  Status send(std::string_view bytes);
  // The next piece of what the kernel has answered: whole messages, good until the next call. Empty
  // when there is no more. Never waits: kernels answer before send() returns.
  Result<std::string_view> receive();
  // Forgets answers that nobody read.
  void drain();

  int descriptor() const { return descriptor_; }

 private:
  explicit NetlinkSocket(int descriptor);

  int descriptor_ = -1;
  std::size_t send_room_ = 0;
  std::vector<char> buffer_;
};

}  // namespace proxima::dataplane
