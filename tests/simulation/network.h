// SPDX-License-Identifier: Apache-2.0
// The way between simulated processes and the API server: requests, answers and watches take time,
// and can be lost, delayed, doubled and put into another order on the way. Implements the port of
// net/http_client.h, so that everything above it is the real client.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "net/http_client.h"
#include "simulation/fault.h"
#include "simulation/history.h"
#include "simulation/model_api.h"
#include "simulation/process.h"

namespace proxima::simulation {

class Network {
 public:
  Network(Scheduler& scheduler, ModelStore& store, ModelApi& api, History& history,
          std::uint64_t seed);

  // Of one process; the network must outlive it.
  std::unique_ptr<net::HttpClient> client(Process& process);

  // The next request of `process` that it can happen to is hit. A null process: of anyone.
  void arm(Happening happening, const Process* process, std::uint64_t dice);
  // What is armed and has not happened yet is called off.
  void disarm() { armed_.clear(); }
  // Hits one watch of `process` at once; false: there is none that it can happen to.
  bool hit_watch(Happening happening, const Process& process, std::uint64_t dice);
  // Nothing of `process` gets through until it is joined again.
  void part(const Process& process);
  void join(const Process& process);
  bool is_parted(const Process& process) const;
  // Nothing is planned for `process` any more: it is whole again, or gone.
  void forget(const Process& process);
  // Whoever waits for an answer looks again: the process was cut off.
  void wake_all(const Process& process);

  // Called for each change of the store.
  void tell_watches(const StoreChange& change);

  std::uint64_t faults_hit() const { return faults_hit_; }
  std::size_t watches_of(const Process& process) const;
  std::uint64_t requests() const { return requests_; }

 private:
  struct Exchange;
  class Client;
  class Stream;
  using ExchangeRef = std::shared_ptr<Exchange>;
  struct Armed {
    Happening happening;
    const Process* process;
    std::uint64_t dice;
  };

  ExchangeRef send(Process& process, const net::HttpRequest& request);
  std::optional<Armed> take_fault(const ApiCall& call, const Process& process);
  void deliver(const ExchangeRef& exchange, const std::optional<Armed>& fault);
  void carry_out(const ExchangeRef& exchange, const std::optional<Armed>& fault);
  void open_watch(const ExchangeRef& exchange);
  void keep_bookmarks(const std::weak_ptr<Exchange>& watched);
  void send_event(const ExchangeRef& watch, std::string line);
  void release_events(const ExchangeRef& watch);
  void arrive(const ExchangeRef& exchange, std::function<void(Exchange&)> change, Time extra = {});
  void break_off(const ExchangeRef& exchange, const std::string& why, Time extra = {});
  void reply(const ExchangeRef& exchange, net::HttpResponse response, Time extra = {});
  void note_fault(Happening happening, const ApiCall& call);
  Time latency();

  Scheduler& scheduler_;
  ModelStore& store_;
  ModelApi& api_;
  History& history_;
  SplitMix random_;
  std::vector<Armed> armed_;
  std::vector<const Process*> parted_;
  std::list<std::weak_ptr<Exchange>> watches_;
  std::list<std::weak_ptr<Exchange>> open_;
  std::uint64_t faults_hit_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace proxima::simulation
