// SPDX-License-Identifier: Apache-2.0
// A netlink socket to the connection tracking of the network namespace of the thread that opens it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace proxima::dataplane {

// The error of a system call: Denied without the rights, Retry otherwise.
Error conntrack_error(int number, std::string_view doing);

class ConntrackSocket {
 public:
  // A datagram of the kernel's is never larger.
  static constexpr std::size_t kDatagramBytes = 32'768;

  // `groups`: bits of the multicast groups to listen to; 0: only answers to questions.
  static Result<ConntrackSocket> open(std::uint32_t groups);
  ~ConntrackSocket();
  ConntrackSocket(ConntrackSocket&& other) noexcept;
  ConntrackSocket& operator=(ConntrackSocket&&) = delete;
  ConntrackSocket(const ConntrackSocket&) = delete;
  ConntrackSocket& operator=(const ConntrackSocket&) = delete;

  int descriptor() const { return descriptor_; }
  Status send(std::string_view message) const;

  struct Read {
    enum class Outcome : std::uint8_t {
      Data,
      Nothing,  // in time
      Lost,     // the kernel had more to say than the socket could hold
    };
    Outcome outcome = Outcome::Nothing;
    std::string_view bytes;  // one datagram, in the buffer
  };
  // Waits no longer than `patience`.
  Result<Read> read(std::span<char> buffer, std::chrono::milliseconds patience) const;

 private:
  explicit ConntrackSocket(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;  // -1: moved from
};

}  // namespace proxima::dataplane
