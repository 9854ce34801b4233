// SPDX-License-Identifier: Apache-2.0
// Which Services and endpoints have been as they are for so long that every process knows of them,
// however old the view is that it started with.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "simulation/model_kernel.h"
#include "simulation/model_store.h"
#include "simulation/network.h"

namespace proxima::simulation {

// A process may start with a list that is kStaleListMax old, wait 20 s for the answer to another
// one, and be paused for 40 s before it writes.
inline constexpr Time kOldestView = std::chrono::seconds(100);
// One that has run for a while may have a watch that is silent, which it notices after 150 s. It
// then goes through all that happened meanwhile.
inline constexpr Time kYoung = std::chrono::seconds(60);
inline constexpr Time kOldestReplay = std::chrono::seconds(250);
// But whoever has read of it needs no longer to act on it than the longest pause takes.
inline constexpr Time kOldestThought = std::chrono::seconds(45);

class SteadyServices {
 public:
  SteadyServices(const ModelStore& store, const Network& network, const Scheduler& scheduler)
      : store_(store), network_(network), scheduler_(scheduler) {}

  // For each change of the store.
  void note(const StoreChange& change);

  // Whether the endpoint has served since before that time, for anyone to know.
  bool has_served_since(const std::string& service, const std::string& address, Time time) const;

  // Endpoints that the last change of a slice took away: no slice has them as ready any more.
  using Endpoint = std::pair<std::string, std::string>;  // "shop/web" and an address
  const std::vector<Endpoint>& withdrawn() const { return withdrawn_; }

  // Round a transaction: "" unless it takes away a route that every view has.
  void before_transaction(const ModelKernel& kernel, const Process& process, IpFamily family);
  std::string after_transaction(const ModelKernel& kernel, IpFamily family) const;
  // How often a Service was held to that, because it had been so for long, or because the proxy had
  // read of it.
  std::uint64_t held_for_long() const { return held_for_long_; }
  std::uint64_t held_as_read() const { return held_as_read_; }

 private:
  struct Moment {
    Time since{0};
    std::uint64_t version = 0;
  };
  struct Unchanged {
    json::value spec;
    Moment moment;
  };
  using IsOld = std::function<bool(const Moment& service, const Moment& endpoint)>;
  void note_endpoints(std::uint64_t version);
  void note_service(const StoreChange& change);
  bool is_steady(const std::string& key, IpFamily family, const IsOld& is_old) const;

  const ModelStore& store_;
  const Network& network_;
  const Scheduler& scheduler_;
  std::map<Endpoint, Moment> serving_since_;
  std::vector<Endpoint> withdrawn_;
  std::map<std::string, Unchanged> services_;
  std::set<std::string> delivered_;  // steady ones, before the transaction
  std::uint64_t held_for_long_ = 0;
  std::uint64_t held_as_read_ = 0;
};

}  // namespace proxima::simulation
