// SPDX-License-Identifier: Apache-2.0
// Tells of tracked connections that end, if their destination was translated: the kernel leaves out
// all others before anybody is woken. Of the network namespace of the thread that opens it. For one
// thread; only wake() may be called from any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "dataplane/conntrack_entry.h"
#include "dataplane/conntrack_socket.h"

namespace proxima::dataplane {

struct ConntrackEventsOptions {
  // What the kernel may keep for us. An event takes about a kilobyte of it, and thousands come at
  // once when the kernel clears out.
  int buffer_bytes = 32 << 20;
};

class ConntrackEvents {
 public:
  static Result<ConntrackEvents> open(const ConntrackEventsOptions& options);
  ~ConntrackEvents();
  ConntrackEvents(ConntrackEvents&& other) noexcept;
  ConntrackEvents& operator=(ConntrackEvents&&) = delete;
  ConntrackEvents(const ConntrackEvents&) = delete;
  ConntrackEvents& operator=(const ConntrackEvents&) = delete;

  enum class Wait : std::uint8_t { Events, Nothing, Woken };
  // Until there is an event, or until wake() (which stays in force), or for `patience`.
  Result<Wait> wait(std::chrono::milliseconds patience) const;
  // The same, whether there are events or not.
  Result<Wait> pause(std::chrono::milliseconds patience) const;
  void wake() const;

  struct Drained {
    std::size_t events = 0;
    bool lost = false;  // some before these could not be kept
    bool more = false;  // there may be more at once
  };
  using Visitor = std::function<void(const ConntrackEntry&)>;
  // What is there, without waiting, up to some thousands.
  Result<Drained> drain(const Visitor& visitor);

 private:
  ConntrackEvents(ConntrackSocket socket, int wake_descriptor);
  Result<Wait> wait_for(bool events, std::chrono::milliseconds patience) const;

  ConntrackSocket socket_;
  int wake_descriptor_;  // -1: moved from
  std::vector<char> buffer_;
};

}  // namespace proxima::dataplane
