// SPDX-License-Identifier: Apache-2.0
#include "traffic/fleet_client.h"

#include <algorithm>
#include <utility>

namespace proxima::traffic {

namespace {

// Sockets that are ready beyond those of the next half second.
constexpr std::size_t kStockMin = 16;
constexpr std::size_t kStockMax = 256;

std::size_t stock_wanted(double rate) {
  return std::min(kStockMin + static_cast<std::size_t>(rate / 2), kStockMax);
}

}  // namespace

FleetClient::FleetClient(FleetGround& ground, std::uint64_t number, ClientSpec spec,
                         RunInside inside)
    : ground_(ground),
      number_(number),
      spec_(std::move(spec)),
      inside_(std::move(inside)),
      arrivals_(SplitMix(ground.options.seed, number)) {}

void FleetClient::set_targets(Targets targets) {
  std::vector<double> shares;
  for (const auto& target : targets) shares.push_back(target->share);
  wheel_ = TargetWheel(shares, SplitMix(~ground_.options.seed, number_));
  targets_ = std::move(targets);
}

void FleetClient::set_rate(double requests_per_second) {
  arrivals_.set_rate(requests_per_second, std::chrono::steady_clock::now());
  schedule();
}

void FleetClient::schedule() {
  if (deadline_) ground_.loop.drop_deadline(*deadline_);
  deadline_.reset();
  if (arrivals_.due() == ArrivalStream::Time::max()) return;
  deadline_ = ground_.loop.set_deadline(arrivals_.due(), *this);
}

void FleetClient::on_deadline() {
  deadline_.reset();
  const auto now = std::chrono::steady_clock::now();
  while (arrivals_.due() <= now) {
    const auto due = arrivals_.due();
    arrivals_.advance(now);
    begin_request(due);
  }
  schedule();
}

void FleetClient::begin_request(EventLoop::Time due) {
  const auto turn = wheel_.next();
  if (!turn) return;
  if (ground_.under_way >= ground_.options.under_way_max) {
    ground_.meter.count({.service = targets_[*turn]->service,
                         .from_zone = spec_.zone,
                         .from_node = spec_.node,
                         .to_zone = {},
                         .to_node = {},
                         .pod = {}},
                        {.failed = true});
    return;
  }
  ++ground_.under_way;
  auto request = std::make_unique<ClientRequest>(ground_.loop, static_cast<RequestHost&>(*this),
                                                 ground_.limits, targets_[*turn], due);
  ClientRequest& begun = *request;
  requests_.emplace(&begun, std::move(request));
  begun.begin();
}

void FleetClient::want_socket(ClientRequest& request) {
  Stock& stock = this->stock(request.family());
  if (stock.sockets.empty()) {
    stock.waiting.push_back(&request);
    return refill(request.family());
  }
  Descriptor socket = std::move(stock.sockets.back());
  stock.sockets.pop_back();
  refill(request.family());
  request.give_socket(std::move(socket));
}

void FleetClient::refill(IpFamily family) {
  Stock& stock = this->stock(family);
  const std::size_t wanted = stock_wanted(arrivals_.rate()) + stock.waiting.size();
  if (stock.ordered || stock.sockets.size() * 2 >= wanted) return;
  stock.ordered = true;
  ground_.maker.order(
      {.customer = number_,
       .family = family,
       .count = std::min(wanted - stock.sockets.size(), kStockMax),
       .inside = inside_,
       .deliver = [&ground = ground_, number = number_, family](std::vector<Descriptor> sockets) {
         ground.deliver(number, family, std::move(sockets));
       }});
}

void FleetClient::take_delivery(IpFamily family, std::vector<Descriptor> sockets) {
  Stock& stock = this->stock(family);
  stock.ordered = false;
  const bool none = sockets.empty();
  for (Descriptor& socket : sockets) stock.sockets.push_back(std::move(socket));
  // Those that are told that there is none ask again later, and are not asked twice here.
  for (std::size_t left = stock.waiting.size(); left > 0; --left) {
    if (stock.sockets.empty() && !none) break;
    ClientRequest* const request = stock.waiting.front();
    stock.waiting.pop_front();
    Descriptor socket;
    if (!stock.sockets.empty()) {
      socket = std::move(stock.sockets.back());
      stock.sockets.pop_back();
    }
    request->give_socket(std::move(socket));
  }
  if (!stock.waiting.empty()) refill(family);
}

void FleetClient::finished(ClientRequest& request, const Flow& flow, const Outcome& outcome) {
  Flow whole = flow;
  whole.from_zone = spec_.zone;
  whole.from_node = spec_.node;
  ground_.meter.count(whole, outcome);
  --ground_.under_way;
  std::erase(stock(request.family()).waiting, &request);
  auto node = requests_.extract(&request);
  retired_ = std::move(node.mapped());
}

void FleetClient::drop_everything() {
  if (deadline_) ground_.loop.drop_deadline(*deadline_);
  deadline_.reset();
  for (Stock& stock : stocks_) {
    stock.sockets.clear();
    stock.waiting.clear();
  }
  ground_.under_way -= requests_.size();
  requests_.clear();
  retired_.reset();
}

}  // namespace proxima::traffic
