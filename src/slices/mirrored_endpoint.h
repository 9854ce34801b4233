// SPDX-License-Identifier: Apache-2.0
// One address of an Endpoints object as an endpoint of a slice.
#pragma once

#include <compare>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ip_address.h"
#include "core/model/endpoint.h"
#include "kube/endpoints_record.h"

namespace proxima::slices {

struct MirroredEndpoint {
  IpFamily family = IpFamily::V4;
  kube::EndpointRecord endpoint;  // without zone and hints: an Endpoints object knows neither
};

// The address is written as everybody writes it, however the user did. nullopt: it is none.
std::optional<MirroredEndpoint> mirrored_endpoint(const kube::EndpointsAddressRecord& address,
                                                  model::Condition ready);

// What makes two endpoints the same one, in whatever state. Borrowed.
struct EndpointIdentity {
  std::vector<std::string_view> addresses;  // ascending
  std::string_view hostname;
  std::string_view target_ns;
  std::string_view target_name;
  friend auto operator<=>(const EndpointIdentity&, const EndpointIdentity&) = default;
};
EndpointIdentity identity_of(const kube::EndpointRecord& endpoint);

// Of two with the same identity. Hints do not count, nor which version of its target one names.
bool says_the_same(const kube::EndpointRecord& a, const kube::EndpointRecord& b);

}  // namespace proxima::slices
