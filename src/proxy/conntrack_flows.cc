// SPDX-License-Identifier: Apache-2.0
#include "proxy/conntrack_flows.h"

#include <optional>

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;

BackendAddress address_of(const dataplane::ConntrackEnd& end) { return {end.address, end.port}; }

dataplane::ConntrackEnd end_of(const BackendAddress& at) { return {at.address, at.port}; }

UdpFlow flow_of(const ConntrackEntry& entry) {
  return {.tracked = {.original_destination = address_of(entry.original.destination),
                      .reply_source = address_of(entry.reply.source)},
          .original_source = address_of(entry.original.source),
          .reply_destination = address_of(entry.reply.destination),
          .id = entry.id,
          .zone = entry.zone};
}

ConntrackEntry entry_of(const UdpFlow& flow) {
  return {.original = {.protocol = dataplane::kProtocolUdp,
                       .source = end_of(flow.original_source),
                       .destination = end_of(flow.tracked.original_destination)},
          .zone = flow.zone,
          .id = flow.id};
}

}  // namespace

Result<ConntrackFlows> ConntrackFlows::open() {
  PROXIMA_TRY(dataplane::ConntrackTable table, dataplane::ConntrackTable::open(), "tracked flows");
  return ConntrackFlows(std::move(table));
}

Result<std::vector<UdpFlow>> ConntrackFlows::udp_flows(IpFamily family) {
  PROXIMA_TRY(const std::vector<ConntrackEntry> entries,
              table_.list({.family = family, .protocol = dataplane::kProtocolUdp}), "UDP flows");
  std::vector<UdpFlow> flows;
  flows.reserve(entries.size());
  for (const ConntrackEntry& entry : entries) flows.push_back(flow_of(entry));
  return flows;
}

Result<std::size_t> ConntrackFlows::forget(std::span<const UdpFlow> flows) {
  std::size_t forgotten = 0;
  std::optional<Error> first;
  for (const UdpFlow& flow : flows) {
    Result<bool> removed = table_.remove(entry_of(flow));
    if (removed && *removed) ++forgotten;
    if (!removed && !first) first = std::move(removed).error();
  }
  if (first) return std::move(*first).in("UDP flows");
  return forgotten;
}

}  // namespace proxima::proxy
