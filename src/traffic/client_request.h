// SPDX-License-Identifier: Apache-2.0
// One request of a client with all its tries, on the fleet's loop.
#pragma once

#include <memory>
#include <optional>

#include "traffic/event_loop.h"
#include "traffic/http_try.h"

namespace proxima::traffic {

class ClientRequest;

// What a request asks of its client.
class RequestHost {
 public:
  virtual ~RequestHost() = default;
  // Calls give_socket() once, now or later.
  virtual void want_socket(ClientRequest& request) = 0;
  // The last call: the host may destroy the request, but not before this returns.
  virtual void finished(ClientRequest& request, const Flow& flow, const Outcome& outcome) = 0;
};

class ClientRequest final : private EventLoop::Listener {
 public:
  using Time = EventLoop::Time;
  struct Limits {
    std::chrono::milliseconds connect_timeout;
    std::chrono::milliseconds answer_timeout;
    std::chrono::milliseconds budget;
  };

  // What is borrowed outlives the request. `due` is when it should have begun.
  ClientRequest(EventLoop& loop, RequestHost& host, const Limits& limits,
                std::shared_ptr<const Target> target, Time due);
  ~ClientRequest() override;
  ClientRequest(const ClientRequest&) = delete;
  ClientRequest& operator=(const ClientRequest&) = delete;

  void begin();
  // A socket that is not open: there was none to be had.
  void give_socket(Descriptor socket);
  IpFamily family() const { return target_->address.family(); }

 private:
  void on_socket() override;
  void on_deadline() override;

  void next_try();
  void follow(HttpTry::Progress progress);
  void on_answer();
  void try_again();
  void finish(const Flow& flow, bool failed);
  void wait_until(Time when);
  void wait_for_nothing();

  EventLoop& loop_;
  RequestHost& host_;
  const Limits& limits_;
  const std::shared_ptr<const Target> target_;
  const Time due_;
  const Time end_;  // of the budget
  Time try_began_;
  unsigned tries_ = 0;
  std::uint64_t bytes_ = 0;  // of tries that are over
  bool wants_socket_ = false;
  std::optional<HttpTry> try_;
  std::optional<EventLoop::Deadlines::iterator> deadline_;
};

// How long after the beginning of try number `tried` the next may begin: soon at first, then at a
// pace that does not hammer whoever refuses.
std::chrono::milliseconds pause_between_tries(unsigned tried);

}  // namespace proxima::traffic
