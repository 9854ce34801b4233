// SPDX-License-Identifier: Apache-2.0
// The kernel of one node: a table of nftables and the UDP flows that it tracks, as models. It
// outlives the proxies that write to it, and refuses what it is told to refuse.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "dataplane/nft_trace.h"
#include "proxy/flow_table.h"
#include "proxy/nft_kernel.h"
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

class ModelKernel {
 public:
  ModelKernel(Scheduler& scheduler, History& history, std::string node, std::uint64_t seed)
      : scheduler_(scheduler), history_(history), node_(std::move(node)), random_(seed) {}

  // For one process; the kernel must outlive it.
  std::unique_ptr<proxy::NftKernel> nft(Process& process);
  std::unique_ptr<proxy::FlowTable> flows(Process& process);

  const std::string& node() const { return node_; }
  const dataplane::NftTable& table() const { return table_; }
  std::uint64_t transactions() const { return transactions_; }
  std::uint64_t faults_hit() const { return faults_hit_; }

  // The next transaction is refused with that error number. ENOBUFS may come after it was done.
  void refuse(int error) { refusals_.push_back(error); }
  void refuse_reading(int error) { read_refusals_.push_back(error); }
  void be_willing();
  // As a stranger does it.
  void lose_table();

  // The first packet of a connection: who gets it; nothing when it is not delivered.
  std::optional<proxy::BackendAddress> connect(const dataplane::NftPacket& packet,
                                               const std::string& service, SplitMix& dice);
  const std::vector<Connection>& connections() const { return connections_; }
  // Called before flows are forgotten.
  void on_forget(std::function<void(const Connection&)> check) { on_forget_ = std::move(check); }

 private:
  class Nft;
  class Flows;

  void take_time(Process& process);
  Status apply(const dataplane::NftTransaction& transaction);
  void note(const std::string& what);

  Scheduler& scheduler_;
  History& history_;
  std::string node_;
  SplitMix random_;
  dataplane::NftTable table_{IpFamily::V4};
  std::deque<int> refusals_;
  std::deque<int> read_refusals_;
  std::vector<Connection> connections_;
  std::uint32_t last_flow_ = 0;
  std::uint64_t transactions_ = 0;
  std::uint64_t faults_hit_ = 0;
  std::function<void(const Connection&)> on_forget_;
};

}  // namespace proxima::simulation
