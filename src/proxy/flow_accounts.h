// SPDX-License-Identifier: Apache-2.0
// Connections and bytes of every service between zones, and of every endpoint, from what the kernel
// tells of its tracked connections: each when it ends, and those that last from time to time. A
// byte is counted once, whichever way it was told. No I/O and no clock; for one thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "dataplane/conntrack_entry.h"
#include "proxy/flow_views.h"

namespace proxima::proxy {

struct FlowTraffic {
  std::uint64_t connections = 0;
  std::uint64_t unanswered = 0;      // of those that ended: nobody ever answered
  std::uint64_t sent_bytes = 0;      // by clients, with headers
  std::uint64_t answered_bytes = 0;  // by endpoints, with headers
  friend bool operator==(const FlowTraffic&, const FlowTraffic&) = default;
};

// What one series of metrics is about. Ports of a service and endpoints are not told apart there:
// services times zones is what a metrics store can bear.
struct FlowSeries {
  Text ns;
  Text service;
  Text source_zone;
  Text target_zone;
  friend auto operator<=>(const FlowSeries&, const FlowSeries&) = default;
};

struct EndpointSeries {
  ServicePortKey port;
  BackendAddress backend;
  Text source_zone;
  Text target_zone;
  friend auto operator<=>(const EndpointSeries&, const EndpointSeries&) = default;
};

struct FlowAccount {
  FlowTraffic traffic;
  std::uint64_t open = 0;  // connections that are remembered
};

struct FlowAccountsOptions {
  // Of connections that last. What is beyond it is counted when it ends.
  std::size_t remembered_most = 131'072;
};

class FlowAccounts {
 public:
  using Entry = dataplane::ConntrackEntry;
  using BySeries = std::map<FlowSeries, FlowAccount>;
  using ByEndpoint = std::map<EndpointSeries, FlowAccount>;

  explicit FlowAccounts(FlowAccountsOptions options = {}) : options_(options) {}

  FlowViews& views() { return views_; }

  // The connections that were there before: what they carried until now is not counted. Between
  // these two, seen() and ended() only take note.
  void begin_baseline() { baseline_ = true; }
  void end_baseline() { baseline_ = false; }

  void ended(const Entry& entry);

  // All connections are looked at, one after the other, and those that end meanwhile are told as
  // well. What two looks in a row do not see has ended unheard.
  void begin_look() { ++look_; }
  void seen(const Entry& entry);
  // Also forgets services and endpoints that are long gone.
  void end_look();

  const BySeries& by_series() const { return series_; }
  const ByEndpoint& by_endpoint() const { return endpoints_; }
  std::size_t remembered() const { return remembered_.size(); }

 private:
  struct Key {
    dataplane::ConntrackTuple original;
    std::uint16_t zone = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Accounts {  // borrowed from the maps, which keep their places
    FlowAccount* series = nullptr;
    FlowAccount* endpoint = nullptr;
  };
  struct Remembered {
    std::uint32_t id = 0;
    std::uint64_t sent_bytes = 0;
    std::uint64_t answered_bytes = 0;
    std::uint64_t look = 0;  // the last that saw it
    Accounts accounts;
  };
  using Memory = std::unordered_map<Key, Remembered, KeyHash>;

  Memory::iterator find_same(const Entry& entry);
  bool find_accounts(const Entry& entry, Accounts& accounts);
  void remember(const Entry& entry, const Accounts& accounts);
  void forget(Memory::iterator at);
  void forget_old_accounts();

  FlowAccountsOptions options_;
  FlowViews views_;
  BySeries series_;
  ByEndpoint endpoints_;
  Memory remembered_;
  std::uint64_t look_ = 0;
  bool baseline_ = false;
};

}  // namespace proxima::proxy
