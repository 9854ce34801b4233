// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_endpoint.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "core/model/labels.h"

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

struct PortClaims {
  Text name;
  kube::Protocol protocol;
  std::vector<Claim> claims;
  std::vector<std::shared_ptr<const route::SliceRouting>> routings;
};

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

PortClaims& claims_of(std::vector<PortClaims>& all, const EndpointPortRecord& port) {
  const auto protocol = kube::parse_protocol(port.protocol.view());
  for (PortClaims& one : all) {
    if (one.name == port.name && one.protocol == protocol) return one;
  }
  return all.emplace_back(
      PortClaims{.name = port.name, .protocol = protocol, .claims = {}, .routings = {}});
}

void add_slice(const EndpointSliceRecord& slice, IpFamily family, const NodeView& node,
               std::vector<PortClaims>& all) {
  const std::shared_ptr<const route::SliceRouting> routing = read_routing(slice);
  const std::vector<ServiceEndpoint> endpoints = read_endpoints(slice, family, node, routing.get());
  for (const EndpointPortRecord& port : slice.ports) {
    if (!is_usable(port)) continue;
    PortClaims& claims = claims_of(all, port);
    if (routing) claims.routings.push_back(routing);
    claims.claims.reserve(claims.claims.size() + endpoints.size());
    for (const ServiceEndpoint& endpoint : endpoints) {
      Claim& claim = claims.claims.emplace_back(Claim{endpoint, &slice});
      claim.endpoint.port = static_cast<std::uint16_t>(*port.port);
    }
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

}  // namespace

std::vector<PortEndpoints> list_endpoints(std::span<const SliceRef> slices, IpFamily family,
                                          const NodeView& node) {
  const AddressType wanted = family == IpFamily::V4 ? AddressType::IPv4 : AddressType::IPv6;
  std::vector<PortClaims> all;
  for (const SliceRef& slice : slices) {
    if (slice->address_type == wanted) add_slice(*slice, family, node, all);
  }
  std::vector<PortEndpoints> ports;
  ports.reserve(all.size());
  for (PortClaims& one : all)
    ports.push_back({one.name, one.protocol, settle(one.claims), std::move(one.routings)});
  std::sort(ports.begin(), ports.end(), [](const PortEndpoints& a, const PortEndpoints& b) {
    return std::tie(a.name, a.protocol) < std::tie(b.name, b.protocol);
  });
  return ports;
}

const PortEndpoints* find_port(std::span<const PortEndpoints> ports, const Text& name,
                               kube::Protocol protocol) {
  for (const PortEndpoints& port : ports) {
    if (port.name == name && port.protocol == protocol) return &port;
  }
  return nullptr;
}

}  // namespace proxima::proxy
