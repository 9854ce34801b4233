// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_endpoint.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/model/labels.h"
#include "core/model/limits.h"

namespace proxima::proxy {
namespace {

using kube::AddressType;
using kube::EndpointPortRecord;
using kube::EndpointRecord;
using kube::EndpointSliceRecord;
using model::Condition;

// An endpoint and what speaks for it where two slices list the same address.
struct Claim {
  ServiceEndpoint endpoint;
  const EndpointSliceRecord* slice;

  // Descending: the first of a group is the one that counts. An address may be given to a new Pod
  // before the old one is gone, so running comes first; a Pod that moves between slices is in both
  // for a moment, and the later writing knows better.
  auto rank() const {
    return std::make_tuple(!endpoint.terminating, slice->meta.version, endpoint.ready,
                           slice->meta.name);
  }
};

// The endpoints of a slice, without a port: those of its ports differ in nothing else.
struct SliceEndpoints {
  const EndpointSliceRecord* slice;
  std::shared_ptr<const route::SliceRouting> routing;
  std::vector<ServiceEndpoint> endpoints;
};

// What one slice says of a port.
struct PortOfSlice {
  const SliceEndpoints* in;
  std::uint16_t port;
};

using PortName = std::pair<Text, kube::Protocol>;
using PortsByName = std::map<PortName, std::vector<PortOfSlice>>;

HintMatch match(const std::vector<Text>& hints, const Text& ours) {
  if (hints.empty()) return HintMatch::NoHint;
  const bool found =
      !ours.view().empty() &&
      std::any_of(hints.begin(), hints.end(), [&](const Text& hint) { return hint == ours; });
  return found ? HintMatch::Ours : HintMatch::Others;
}

std::optional<ServiceEndpoint> read_endpoint(const EndpointRecord& record, IpFamily family,
                                             const NodeView& node) {
  if (record.addresses.empty()) return std::nullopt;
  const auto address = IpAddress::parse(record.addresses.front().view());
  if (!address || address->family() != family) return std::nullopt;
  ServiceEndpoint endpoint;
  endpoint.address = *address;
  endpoint.ready = record.ready != Condition::False;
  endpoint.serving = record.serving != Condition::False;
  endpoint.terminating = record.terminating == Condition::True;
  endpoint.local = !node.name.view().empty() && record.node == node.name;
  endpoint.zone_hint = match(record.zone_hints, node.zone);
  endpoint.node_hint = match(record.node_hints, node.name);
  endpoint.record = &record;
  return endpoint;
}

// Null where the slice has no such annotation, or one that this version does not read.
std::shared_ptr<const route::SliceRouting> read_routing(const EndpointSliceRecord& slice) {
  const Text text = kube::label(slice.annotations, model::kRoutingAnnotation);
  if (text.view().empty()) return nullptr;
  auto routing = route::parse_slice_routing(text.view(), slice.endpoints.size());
  return routing ? std::make_shared<route::SliceRouting>(std::move(*routing)) : nullptr;
}

std::vector<ServiceEndpoint> read_endpoints(const EndpointSliceRecord& slice, IpFamily family,
                                            const NodeView& node,
                                            const route::SliceRouting* routing) {
  std::vector<ServiceEndpoint> endpoints;
  endpoints.reserve(slice.endpoints.size());
  for (std::size_t at = 0; at < slice.endpoints.size(); ++at) {
    auto endpoint = read_endpoint(slice.endpoints[at], family, node);
    if (!endpoint) continue;
    endpoint->routing = routing;
    endpoint->position = at;
    endpoints.push_back(*endpoint);
  }
  return endpoints;
}

bool is_usable(const EndpointPortRecord& port) {
  return port.name.has_value() && port.port && *port.port >= 1 && *port.port <= 65'535;
}

SliceEndpoints read_slice(const EndpointSliceRecord& slice, IpFamily family, const NodeView& node) {
  SliceEndpoints read{.slice = &slice, .routing = read_routing(slice), .endpoints = {}};
  read.endpoints = read_endpoints(slice, family, node, read.routing.get());
  return read;
}

void add_ports(const SliceEndpoints& in, PortsByName& all) {
  constexpr std::size_t kMost = model::limit_of(model::Bounded::ServicePorts).most_count();
  const std::span listed(in.slice->ports);
  for (const EndpointPortRecord& port : listed.first(std::min(listed.size(), kMost))) {
    if (!is_usable(port)) continue;
    all[{port.name, kube::parse_protocol(port.protocol.view())}].push_back(
        {&in, static_cast<std::uint16_t>(*port.port)});
  }
}

std::vector<ServiceEndpoint> settle(std::vector<Claim>& claims) {
  const auto place = [](const Claim& claim) {
    return std::tie(claim.endpoint.address, claim.endpoint.port);
  };
  std::sort(claims.begin(), claims.end(), [&](const Claim& a, const Claim& b) {
    if (place(a) != place(b)) return place(a) < place(b);
    return a.rank() > b.rank();
  });
  std::vector<ServiceEndpoint> endpoints;
  endpoints.reserve(claims.size());
  for (const Claim& claim : claims) {
    const bool taken = !endpoints.empty() && endpoints.back().address == claim.endpoint.address &&
                       endpoints.back().port == claim.endpoint.port;
    if (!taken) endpoints.push_back(claim.endpoint);
  }
  return endpoints;
}

PortEndpoints endpoints_of(const PortName& port, std::span<const PortOfSlice> parts) {
  std::vector<Claim> claims;
  PortEndpoints of_port{
      .name = port.first, .protocol = port.second, .endpoints = {}, .routings = {}};
  for (const PortOfSlice& part : parts) {
    if (part.in->routing) of_port.routings.push_back(part.in->routing);
    for (const ServiceEndpoint& endpoint : part.in->endpoints) {
      Claim& claim = claims.emplace_back(Claim{endpoint, part.in->slice});
      claim.endpoint.port = part.port;
    }
  }
  of_port.endpoints = settle(claims);
  return of_port;
}

}  // namespace

void each_port(std::span<const SliceRef> slices, IpFamily family, const NodeView& node,
               const std::function<void(PortEndpoints)>& visit) {
  const AddressType wanted = family == IpFamily::V4 ? AddressType::IPv4 : AddressType::IPv6;
  std::vector<SliceEndpoints> read;
  read.reserve(slices.size());  // nobody moves them: ports refer to them
  PortsByName ports;
  for (const SliceRef& slice : slices) {
    if (slice->address_type != wanted) continue;
    add_ports(read.emplace_back(read_slice(*slice, family, node)), ports);
  }
  for (const auto& [port, parts] : ports) visit(endpoints_of(port, parts));
}

std::vector<PortEndpoints> list_endpoints(std::span<const SliceRef> slices, IpFamily family,
                                          const NodeView& node) {
  std::vector<PortEndpoints> ports;
  each_port(slices, family, node, [&](PortEndpoints port) { ports.push_back(std::move(port)); });
  return ports;
}

const PortEndpoints* find_port(std::span<const PortEndpoints> ports, const Text& name,
                               kube::Protocol protocol) {
  const auto at = std::lower_bound(ports.begin(), ports.end(), std::tie(name, protocol),
                                   [](const PortEndpoints& port, const auto& wanted) {
                                     return std::tie(port.name, port.protocol) < wanted;
                                   });
  const bool found = at != ports.end() && at->name == name && at->protocol == protocol;
  return found ? &*at : nullptr;
}

}  // namespace proxima::proxy
