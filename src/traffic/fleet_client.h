// SPDX-License-Identifier: Apache-2.0
// One client of a fleet, on the fleet's loop: requests that fall due, sockets kept ready for them,
// and what is under way.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "traffic/arrival_stream.h"
#include "traffic/client_request.h"
#include "traffic/socket_maker.h"
#include "traffic/target_wheel.h"

namespace proxima::traffic {

// What all clients of a fleet share; it outlives them.
struct FleetGround {
  EventLoop& loop;
  SocketMaker& maker;
  TrafficMeter& meter;
  const ClientFleetOptions options;
  const ClientRequest::Limits limits;
  std::size_t under_way = 0;
  // Sockets for a client by its number; the client may be gone by then.
  std::function<void(std::uint64_t, IpFamily, std::vector<Descriptor>)> deliver;
};

using Targets = std::vector<std::shared_ptr<const Target>>;

class FleetClient final : private RequestHost, private EventLoop::Listener {
 public:
  FleetClient(FleetGround& ground, std::uint64_t number, ClientSpec spec, RunInside inside);
  ~FleetClient() override { drop_everything(); }
  FleetClient(const FleetClient&) = delete;
  FleetClient& operator=(const FleetClient&) = delete;

  std::uint64_t number() const { return number_; }
  const ClientSpec& spec() const { return spec_; }

  void set_targets(Targets targets);
  void set_rate(double requests_per_second);
  // What was ordered from the maker; nothing: there was none to be had.
  void take_delivery(IpFamily family, std::vector<Descriptor> sockets);

 private:
  struct Stock {
    std::vector<Descriptor> sockets;
    std::deque<ClientRequest*> waiting;
    bool ordered = false;
  };

  void on_socket() override {}
  void on_deadline() override;
  void want_socket(ClientRequest& request) override;
  void finished(ClientRequest& request, const Flow& flow, const Outcome& outcome) override;

  Stock& stock(IpFamily family) { return stocks_[family == IpFamily::V4 ? 0 : 1]; }
  void refill(IpFamily family);
  void schedule();
  void begin_request(EventLoop::Time due);
  void drop_everything();

  FleetGround& ground_;
  const std::uint64_t number_;
  const ClientSpec spec_;
  const RunInside inside_;
  ArrivalStream arrivals_;
  Targets targets_;
  TargetWheel wheel_;
  std::array<Stock, 2> stocks_;
  std::optional<EventLoop::Deadlines::iterator> deadline_;  // of the next request
  std::map<const ClientRequest*, std::unique_ptr<ClientRequest>> requests_;
  std::unique_ptr<ClientRequest> retired_;  // the last that finished: it may still be in a call
};

}  // namespace proxima::traffic
