// SPDX-License-Identifier: Apache-2.0
#include "simulation/delivery.h"

#include <algorithm>

#include "proxy/packet_trace.h"
#include "simulation/node.h"

namespace proxima::simulation {
namespace {

using Kind = dataplane::NftOutcome::Kind;
using FateKind = proxy::PacketFate::Kind;

// A client that never connects, so that no affinity is remembered for it.
constexpr std::uint64_t kStranger = 99;
constexpr const char* kPodInterface = "cni0";

IpAddress client_address(IpFamily family, std::uint64_t client) {
  const std::string last = std::to_string(client);
  return IpAddress::parse((family == IpFamily::V4 ? "10.1.200." : "fd00:10:1::c:") + last).value();
}

bool same_kind(Kind kind, FateKind fate) {
  switch (fate) {
    case FateKind::Pass:
      return kind == Kind::Pass;
    case FateKind::Deliver:
      return kind == Kind::Deliver;
    case FateKind::Reject:
      return kind == Kind::Reject;
    case FateKind::Drop:
      return kind == Kind::Drop;
  }
  return false;
}

bool is_among(const dataplane::NftOutcome& outcome, const proxy::PacketFate& fate) {
  return std::any_of(fate.targets.begin(), fate.targets.end(), [&](const auto& target) {
    return target.at == proxy::BackendAddress{outcome.address, outcome.port};
  });
}

std::string check_frontend(const proxy::RouteTable& table, const proxy::Frontend& at,
                           const ModelKernel& kernel) {
  const std::vector<IpAddress> local = Node::addresses_of(kernel.node());
  const IpAddress source = client_address(at.address.family(), kStranger);
  const proxy::PacketFate fate = proxy::trace(table, local,
                                              {.source = source,
                                               .destination = at.address,
                                               .protocol = at.protocol,
                                               .port = at.port,
                                               .input_interface = kPodInterface});
  const auto outcomes = dataplane::nft_trace(
      kernel.table(at.address.family()),
      {.source = source,
       .destination = at.address,
       .protocol = static_cast<std::uint8_t>(at.protocol == kube::Protocol::Udp ? 17 : 6),
       .port = at.port,
       .input_interface = kPodInterface,
       .local_addresses = local});
  if (!outcomes) return to_text(at) + ": the rules cannot run: " + outcomes.error().message;
  for (const dataplane::NftOutcome& outcome : *outcomes)
    if (!same_kind(outcome.kind, fate.kind) ||
        (outcome.kind == Kind::Deliver && !is_among(outcome, fate)))
      return to_text(at) + " should go to " + to_text(fate) + ", and the kernel has " +
             (outcome.kind == Kind::Deliver ? outcome.address.text() : "no delivery");
  return "";
}

}  // namespace

bool is_udp(const json::object& service) {
  const json::object* spec = object_at(service, "spec");
  return spec != nullptr && json::serialize(*spec).find("\"UDP\"") != std::string::npos;
}

std::vector<IpAddress> cluster_addresses(const json::object& service) {
  std::vector<IpAddress> addresses;
  const json::object* spec = object_at(service, "spec");
  const json::value* ips = spec == nullptr ? nullptr : spec->if_contains("clusterIPs");
  if (ips == nullptr || !ips->is_array()) return addresses;
  for (const json::value& ip : ips->get_array())
    if (const auto address = IpAddress::parse(ip.is_string() ? ip.get_string().c_str() : ""))
      addresses.push_back(*address);
  return addresses;
}

dataplane::NftPacket packet_to(const json::object& service, const IpAddress& address,
                               std::uint64_t client, const std::vector<IpAddress>& local) {
  return {.source = client_address(address.family(), client),
          .destination = address,
          .protocol = static_cast<std::uint8_t>(is_udp(service) ? 17 : 6),
          .port = 80,
          .input_interface = kPodInterface,
          .local_addresses = local};
}

std::string check_in_step(const proxy::FlowView& view, const ModelKernel& kernel) {
  for (const IpFamily family : kFamilies) {
    const proxy::RouteTable* table = view.table(family);
    if (table == nullptr || kernel.is_tampered(family)) continue;
    std::string wrong;
    table->frontends.each([&](const proxy::FrontendRouteRef& route) {
      if (route->at.scope == proxy::Frontend::Scope::Address)
        wrong = check_frontend(*table, route->at, kernel);
      return wrong.empty();
    });
    if (!wrong.empty()) return wrong;
  }
  return "";
}

Result<std::vector<dataplane::NftOutcome>> connection_to(const ModelKernel& kernel,
                                                         const IpAddress& address,
                                                         std::uint8_t protocol,
                                                         std::uint16_t port) {
  return dataplane::nft_trace(kernel.table(address.family()),
                              {.source = client_address(address.family(), kStranger),
                               .destination = address,
                               .protocol = protocol,
                               .port = port,
                               .input_interface = kPodInterface,
                               .local_addresses = Node::addresses_of(kernel.node())});
}

std::vector<proxy::BackendAddress> backends_of(const ModelKernel& kernel, const IpAddress& address,
                                               std::uint8_t protocol, std::uint16_t port) {
  const auto outcomes = connection_to(kernel, address, protocol, port);
  std::vector<proxy::BackendAddress> backends;
  if (!outcomes) return backends;
  for (const dataplane::NftOutcome& outcome : *outcomes)
    if (outcome.kind == Kind::Deliver) backends.push_back({outcome.address, outcome.port});
  return backends;
}

bool is_delivered(const ModelKernel& kernel, const json::object& service,
                  const IpAddress& address) {
  const std::vector<IpAddress> local = Node::addresses_of(kernel.node());
  const auto outcomes = dataplane::nft_trace(kernel.table(address.family()),
                                             packet_to(service, address, kStranger, local));
  return outcomes && std::all_of(outcomes->begin(), outcomes->end(),
                                 [](const auto& outcome) { return outcome.kind == Kind::Deliver; });
}

}  // namespace proxima::simulation
