// SPDX-License-Identifier: Apache-2.0
// The endpoints behind the ports of a Service, read from its slices as one node sees them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/route/slice_routing.h"
#include "kube/endpoint_slice_record.h"
#include "proxy/node_view.h"

namespace proxima::proxy {

using SliceRef = Ref<const kube::EndpointSliceRecord>;

enum class HintMatch : std::uint8_t { NoHint, Others, Ours };

struct ServiceEndpoint {
  IpAddress address;
  std::uint16_t port = 0;
  bool ready = false;
  bool serving = false;
  bool terminating = false;
  bool local = false;  // on this node
  HintMatch zone_hint = HintMatch::NoHint;
  HintMatch node_hint = HintMatch::NoHint;
  const kube::EndpointRecord* record = nullptr;  // borrowed from its slice
  // What its slice says besides, and which of its entries is this endpoint's; null: nothing that
  // can be read. Borrowed from the port.
  const route::SliceRouting* routing = nullptr;
  std::size_t position = 0;
};

struct PortEndpoints {
  Text name;  // of the port
  kube::Protocol protocol = kube::Protocol::Tcp;
  // By address and port, each once: of several that claim the same, one that is not terminating,
  // and then the one that was written last.
  std::vector<ServiceEndpoint> endpoints;
  std::vector<std::shared_ptr<const route::SliceRouting>> routings;  // that the endpoints refer to
};

// Of the ports of a slice the first count, see Bounded::ServicePorts. Those without a name or a
// number, endpoints without a readable address of the family and slices
// of the other family are passed over. By name and protocol.
std::vector<PortEndpoints> list_endpoints(std::span<const SliceRef> slices, IpFamily family,
                                          const NodeView& node);
// The same, one port at a time: all at once are as many as endpoints times ports.
void each_port(std::span<const SliceRef> slices, IpFamily family, const NodeView& node,
               const std::function<void(PortEndpoints)>& visit);
// Of ports by name and protocol. Null when no slice has such a port.
const PortEndpoints* find_port(std::span<const PortEndpoints> ports, const Text& name,
                               kube::Protocol protocol);

}  // namespace proxima::proxy
