// SPDX-License-Identifier: Apache-2.0
// The live state as server-sent events for one reader. There is no queue: a reader that is slow
// gets, when it can take more, the newest state there is, and never those in between.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "net/http_server.h"
#include "web/live_loop.h"

namespace proxima::web {

class StateStream final : public net::BodySource {
 public:
  // The loop and the clock must outlive it.
  StateStream(LiveLoop& loop, Clock& clock);
  ~StateStream() override;
  StateStream(const StateStream&) = delete;
  StateStream& operator=(const StateStream&) = delete;

  net::Pull pull(std::string& out, std::size_t wanted) override;
  Clock::SteadyTime next_deadline() const override { return alive_at_; }

  // With nothing new so long, a comment keeps proxies in between from closing the connection.
  static constexpr std::chrono::seconds kKeepAlive{15};

 private:
  bool begin_next();

  LiveLoop& loop_;
  Clock& clock_;
  std::shared_ptr<const std::string> document_;  // being sent; null: none
  std::size_t sent_bytes_ = 0;                   // of it
  std::uint64_t revision_ = 0;                   // begun last
  Clock::SteadyTime alive_at_;
};

}  // namespace proxima::web
