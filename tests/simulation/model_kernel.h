// SPDX-License-Identifier: Apache-2.0
// The kernel of one node: a table of nftables for each address family and the UDP flows that it
// tracks, as models. It outlives the proxies that write to it, and refuses what it is told to
// refuse.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "dataplane/nft_trace.h"
#include "proxy/flow_table.h"
#include "proxy/nft_kernel.h"
#include "simulation/fault.h"
#include "simulation/history.h"
#include "simulation/process.h"

namespace proxima::simulation {

// A connection through a Service, from its first packet on.
struct Connection {
  std::string service;  // "shop/web"
  proxy::UdpFlow flow;
  bool is_udp = false;
  Time began{0};
};

inline constexpr IpFamily kFamilies[] = {IpFamily::V4, IpFamily::V6};

class ModelKernel {
 public:
  ModelKernel(Scheduler& scheduler, History& history, Hits& hits, std::string node,
              std::uint64_t seed)
      : scheduler_(scheduler),
        history_(history),
        hits_(hits),
        node_(std::move(node)),
        random_(seed) {}

  // For one process; the kernel must outlive it.
  std::unique_ptr<proxy::NftKernel> nft(Process& process);
  std::unique_ptr<proxy::FlowTable> flows(Process& process);

  const std::string& node() const { return node_; }
  const dataplane::NftTable& table(IpFamily family) const { return tables_[index_of(family)]; }
  // Somebody else has removed the table since a proxy wrote to it.
  bool is_tampered(IpFamily family) const { return tampered_[index_of(family)]; }
  std::uint64_t transactions() const { return transactions_; }

  // The next transactions are refused with these error numbers. ENOBUFS may come after one was
  // done.
  void refuse(const std::vector<int>& errors) { add(errors, refusals_); }
  void refuse_reading(const std::vector<int>& errors) { add(errors, read_refusals_); }
  void be_willing();
  // As a stranger does it.
  void lose_table(IpFamily family);

  // The first packet of a connection: who gets it; nothing when it is not delivered.
  std::optional<proxy::BackendAddress> connect(const dataplane::NftPacket& packet,
                                               const std::string& service, SplitMix& dice);
  const std::vector<Connection>& connections() const { return connections_; }
  // Called before flows are forgotten.
  void on_forget(std::function<void(const Connection&)> check) { on_forget_ = std::move(check); }
  // Called before and after a transaction of a proxy takes effect.
  enum class Moment : std::uint8_t { Before, After };
  void on_transaction(std::function<void(const Process&, IpFamily, Moment)> check) {
    on_transaction_ = std::move(check);
  }

 private:
  class Nft;
  class Flows;

  struct Refusal {
    int error = 0;
    bool is_first = false;  // of those that one fault makes
  };
  static void add(const std::vector<int>& errors, std::deque<Refusal>& to);
  // Zero: it is not refused.
  int take(std::deque<Refusal>& refusals, Happening happening);
  void take_time(Process& process);
  Status apply(const dataplane::NftTransaction& transaction, const Process& process);
  Status carry_out(const dataplane::NftTransaction& transaction, const Process& process);
  static std::size_t index_of(IpFamily family) { return family == IpFamily::V4 ? 0 : 1; }
  void note(const std::string& what);

  Scheduler& scheduler_;
  History& history_;
  Hits& hits_;
  std::string node_;
  SplitMix random_;
  std::array<dataplane::NftTable, 2> tables_{dataplane::NftTable(IpFamily::V4),
                                             dataplane::NftTable(IpFamily::V6)};
  std::array<bool, 2> tampered_{};
  std::deque<Refusal> refusals_;
  std::deque<Refusal> read_refusals_;
  std::vector<Connection> connections_;
  std::uint32_t last_flow_ = 0;
  std::uint64_t transactions_ = 0;
  std::function<void(const Connection&)> on_forget_;
  std::function<void(const Process&, IpFamily, Moment)> on_transaction_;
};

}  // namespace proxima::simulation
