// SPDX-License-Identifier: Apache-2.0
// The flows of the kernel's connection tracking, in the network namespace of the thread that opens
// it. For one thread at a time.
#pragma once

#include <utility>

#include "dataplane/conntrack_table.h"
#include "proxy/flow_table.h"

namespace proxima::proxy {

class ConntrackFlows final : public FlowTable {
 public:
  static Result<ConntrackFlows> open();

  Result<std::vector<UdpFlow>> udp_flows(IpFamily family) override;
  // A flow that cannot be forgotten does not keep the others from it; the first error is told.
  Result<std::size_t> forget(std::span<const UdpFlow> flows) override;

 private:
  explicit ConntrackFlows(dataplane::ConntrackTable table) : table_(std::move(table)) {}
  dataplane::ConntrackTable table_;
};

}  // namespace proxima::proxy
