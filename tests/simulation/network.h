// SPDX-License-Identifier: Apache-2.0
// The way between simulated processes and the API server: requests, answers and watches take time,
// and can be lost, delayed, doubled and put into another order on the way. Implements the port of
// net/http_client.h, so that everything above it is the real client.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "net/http_client.h"
#include "simulation/fault.h"
#include "simulation/history.h"
#include "simulation/model_api.h"
#include "simulation/process.h"

namespace proxima::simulation {

// The memory of an API server is never further behind its storage.
inline constexpr Time kStaleListMax = std::chrono::seconds(20);

class Network {
 public:
  Network(Scheduler& scheduler, ModelStore& store, ModelApi& api, History& history, Hits& hits,
          std::uint64_t seed);

  // Of one process; the network must outlive it.
  std::unique_ptr<net::HttpClient> client(Process& process);

  // Processes are told apart by their names, of which none is used a second time.
  // The next request of `process` that it can happen to is hit.
  void arm(Happening happening, const std::string& process, std::uint64_t dice);
  // What is armed and has not happened yet is called off.
  void disarm() { armed_.clear(); }
  // Hits one watch of `process` at once, if there is one that it can happen to.
  void hit_watch(Happening happening, const std::string& process, std::uint64_t dice);
  // Nothing of `process` gets through until it is joined again.
  void part(const std::string& process);
  void join(const std::string& process);
  // All its connections break, or those for one kind, and no other comes about until it is let in
  // again. Unlike one that is parted it knows at once.
  void cut_off(const std::string& process, const std::string& kind = {});
  void let_in(const std::string& process, const std::string& kind = {});
  // Nothing is planned for `process` any more: it is whole again, or gone.
  void forget(const std::string& process);
  // Whoever waits for an answer looks again: the process was cut off.
  void wake_all(const std::string& process);

  // Since when each reflector of the process for that kind has read that version or a later one;
  // kNever: one of them has not.
  Time knows_since(const std::string& process, const std::string& kind,
                   std::uint64_t version) const;
  // A watch of the process is silent, or was asked for in vain, and it has yet to notice.
  bool is_deaf(const std::string& process) const;

  // The server forgets what happened before; who asks for it has to list anew.
  void forget_history();

  // Called for each change of the store.
  void tell_watches(const StoreChange& change);
  // Called when a process gets the answer to a write that was done.
  void on_told(std::function<void(const ApiCall&, const std::string& body)> listener) {
    on_told_ = std::move(listener);
  }

  std::size_t watches_of(const std::string& process) const;
  // Some client has yet to notice that nothing comes any more.
  bool has_silent_watch() const;
  // Processes that were not told of a write of a slice that was done.
  const std::set<std::string>& unsure() const { return unsure_; }
  std::uint64_t requests() const { return requests_; }

 private:
  struct Exchange;
  struct Piece {
    std::string text;
    std::uint64_t version = 0;  // of the kind, for whoever has read it; 0: it says nothing of that
  };
  struct Told {
    std::uint64_t version;
    Time at;
  };
  class Client;
  class Stream;
  using ExchangeRef = std::shared_ptr<Exchange>;
  struct Armed {
    Happening happening;
    std::string process;
    std::uint64_t dice;
    bool spares_leases = false;  // which are most of all requests
  };
  struct Cut {
    std::string process;
    std::string kind = {};  // "": all
    bool was_felt = false;
  };
  using Cuts = std::vector<Cut>;

  ExchangeRef send(Process& process, const net::HttpRequest& request);
  std::optional<Armed> take_fault(const ApiCall& call);
  void deliver(const ExchangeRef& exchange, const std::optional<Armed>& fault);
  void carry_out(const ExchangeRef& exchange, const std::optional<Armed>& fault);
  void open_watch(const ExchangeRef& exchange);
  void keep_bookmarks(const std::weak_ptr<Exchange>& watched);
  void note_told(const ApiCall& call, std::uint64_t version);
  void send_event(const ExchangeRef& watch, Piece line);
  void release_events(const ExchangeRef& watch);
  void arrive(const ExchangeRef& exchange, std::function<void(Exchange&)> change, Time extra = {});
  void break_off(const ExchangeRef& exchange, const std::string& why, Time extra = {});
  void reply(const ExchangeRef& exchange, net::HttpResponse response, Time extra = {},
             std::uint64_t version = 0);
  void note_fault(Happening happening, const ApiCall& call);
  // Whether the process is cut off; it feels that.
  bool is_cut(Cuts& cuts, Happening happening, const ApiCall& call);
  // By how many versions a list may be old.
  std::uint64_t stale_versions_max();
  Time latency();

  Scheduler& scheduler_;
  ModelStore& store_;
  ModelApi& api_;
  History& history_;
  Hits& hits_;
  SplitMix random_;
  std::vector<Armed> armed_;
  Cuts parted_;
  Cuts refused_;
  std::set<std::string> unsure_;
  bool has_forgotten_ = false;  // and nobody has asked for it since
  std::list<std::weak_ptr<Exchange>> watches_;
  std::list<std::weak_ptr<Exchange>> open_;
  std::deque<std::pair<Time, std::uint64_t>> versions_;  // of the last kStaleListMax
  // What the reflectors of a process have read of a kind, by their threads: later ones with greater
  // versions.
  using ToldByThread = std::map<std::uint64_t, std::vector<Told>>;
  std::map<std::pair<std::string, std::string>, ToldByThread> told_;
  std::function<void(const ApiCall&, const std::string&)> on_told_;
  std::uint64_t requests_ = 0;
};

}  // namespace proxima::simulation
