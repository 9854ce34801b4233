// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "slices/pack_family.h"

namespace proxima::slices {
namespace {

bool has(const std::vector<IpFamily>& families, IpFamily family) {
  return std::find(families.begin(), families.end(), family) != families.end();
}

// A server that knows no ipFamilies yet: the cluster address tells; a Service without one gets
// both, so that nothing disappears while the server is being replaced.
std::vector<IpFamily> guessed_families(const kube::ServiceRecord& service) {
  if (service.headless || service.cluster_ips.empty()) return {IpFamily::V4, IpFamily::V6};
  return {service.cluster_ips.front().family()};
}

}  // namespace

std::vector<kube::AddressType> address_families(const kube::ServiceRecord& service) {
  const auto families =
      service.ip_families.empty() ? guessed_families(service) : service.ip_families;
  std::vector<kube::AddressType> types;
  if (has(families, IpFamily::V4)) types.push_back(kube::AddressType::IPv4);
  if (has(families, IpFamily::V6)) types.push_back(kube::AddressType::IPv6);
  return types;
}

}  // namespace proxima::slices
