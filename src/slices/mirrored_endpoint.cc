// SPDX-License-Identifier: Apache-2.0
#include "slices/mirrored_endpoint.h"

#include <algorithm>
#include <tuple>

namespace proxima::slices {
namespace {

bool same_target(std::optional<kube::TargetRecord> a, std::optional<kube::TargetRecord> b) {
  if (a) a->resource_version = Text();
  if (b) b->resource_version = Text();
  return a == b;
}

}  // namespace

std::optional<MirroredEndpoint> mirrored_endpoint(const kube::EndpointsAddressRecord& address,
                                                  model::Condition ready) {
  const auto ip = IpAddress::parse(address.ip.view());
  if (!ip) return std::nullopt;
  MirroredEndpoint mirrored;
  mirrored.family = ip->family();
  mirrored.endpoint.addresses.emplace_back(ip->text());
  mirrored.endpoint.ready = ready;
  mirrored.endpoint.hostname = address.hostname;
  mirrored.endpoint.node = address.node;
  mirrored.endpoint.target = address.target;
  return mirrored;
}

EndpointIdentity identity_of(const kube::EndpointRecord& endpoint) {
  EndpointIdentity identity;
  for (const Text& address : endpoint.addresses) identity.addresses.push_back(address.view());
  std::sort(identity.addresses.begin(), identity.addresses.end());
  identity.hostname = endpoint.hostname.view();
  if (endpoint.target) {
    identity.target_ns = endpoint.target->ns.view();
    identity.target_name = endpoint.target->name.view();
  }
  return identity;
}

bool says_the_same(const kube::EndpointRecord& a, const kube::EndpointRecord& b) {
  return std::tie(a.node, a.zone, a.ready, a.serving, a.terminating) ==
             std::tie(b.node, b.zone, b.ready, b.serving, b.terminating) &&
         same_target(a.target, b.target);
}

}  // namespace proxima::slices
