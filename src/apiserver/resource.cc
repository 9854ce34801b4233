// SPDX-License-Identifier: Apache-2.0
#include "apiserver/resource.h"

#include <algorithm>
#include <array>

namespace proxima::apiserver {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kNs[] = {"ns"};
constexpr std::string_view kNo[] = {"no"};
constexpr std::string_view kPo[] = {"po"};
constexpr std::string_view kSvc[] = {"svc"};
constexpr std::string_view kEp[] = {"ep"};
constexpr std::string_view kCm[] = {"cm"};
constexpr std::string_view kEv[] = {"ev"};
constexpr std::string_view kIp[] = {"ip"};
constexpr std::string_view kAll[] = {"all"};

constexpr Access kRw = Access::ReadWrite;

// clang-format off
constexpr auto kResources = std::to_array<ResourceType>({
    // kind               group                  version plural            singular         name             ns     status access            short categories stored as
    {Kind::Namespace,     "",                    "v1", "namespaces",     "namespace",     "Namespace",     false, true,  kRw,              kNs,  {},   Kind::Namespace},
    {Kind::Node,          "",                    "v1", "nodes",          "node",          "Node",          false, true,  kRw,              kNo,  {},   Kind::Node},
    {Kind::Pod,           "",                    "v1", "pods",           "pod",           "Pod",           true,  true,  kRw,              kPo,  kAll, Kind::Pod},
    {Kind::Service,       "",                    "v1", "services",       "service",       "Service",       true,  true,  kRw,              kSvc, kAll, Kind::Service},
    {Kind::Endpoints,     "",                    "v1", "endpoints",      "endpoints",     "Endpoints",     true,  false, kRw,              kEp,  {},   Kind::Endpoints},
    {Kind::ConfigMap,     "",                    "v1", "configmaps",     "configmap",     "ConfigMap",     true,  false, kRw,              kCm,  {},   Kind::ConfigMap},
    {Kind::Event,         "",                    "v1", "events",         "event",         "Event",         true,  false, kRw,              kEv,  {},   Kind::Event},
    {Kind::EventsV1,      "events.k8s.io",       "v1", "events",         "event",         "Event",         true,  false, kRw,              kEv,  {},   Kind::Event},
    {Kind::EndpointSlice, "discovery.k8s.io",    "v1", "endpointslices", "endpointslice", "EndpointSlice", true,  false, kRw,              {},   {},   Kind::EndpointSlice},
    {Kind::Lease,         "coordination.k8s.io", "v1", "leases",         "lease",         "Lease",         true,  false, kRw,              {},   {},   Kind::Lease},
    {Kind::ServiceCidr,   "networking.k8s.io",   "v1", "servicecidrs",   "servicecidr",   "ServiceCIDR",   false, true,  kRw,              {},   {},   Kind::ServiceCidr},
    {Kind::IpAddress,     "networking.k8s.io",   "v1", "ipaddresses",    "ipaddress",     "IPAddress",     false, false, Access::ReadOnly, kIp,  {},   Kind::IpAddress},
});
// clang-format on

constexpr bool resources_are_in_order() {
  for (std::size_t i = 0; i < kResources.size(); ++i)
    if (static_cast<std::size_t>(kResources[i].kind) != i) return false;
  return true;
}
static_assert(resources_are_in_order());

}  // namespace

std::span<const ResourceType> served_resources() { return kResources; }

const ResourceType& resource_of(Kind kind) { return kResources[static_cast<std::size_t>(kind)]; }

const ResourceType* find_resource(std::string_view group, std::string_view version,
                                  std::string_view plural) {
  const auto* const found =
      std::find_if(kResources.begin(), kResources.end(), [&](const ResourceType& type) {
        return type.group == group && type.version == version && type.plural == plural;
      });
  return found == kResources.end() ? nullptr : found;
}

}  // namespace proxima::apiserver
