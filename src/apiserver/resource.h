// SPDX-License-Identifier: Apache-2.0
// The kinds that the embedded API serves: one table that paths, discovery, OpenAPI and storage use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace proxima::apiserver {

enum class Kind : std::uint8_t {
  Namespace,
  Node,
  Pod,
  Service,
  Endpoints,
  ConfigMap,
  Event,  // core/v1 and events.k8s.io/v1 are two faces of the same objects
  EventsV1,
  EndpointSlice,
  Lease,
  ServiceCidr,
  IpAddress,
};

// The ways in which a kind may be used. IPAddresses, for one, are read only.
enum class Access : std::uint8_t { ReadWrite, ReadOnly };

struct ResourceType {
  Kind kind;
  std::string_view group;  // "" is the core group
  std::string_view version;
  std::string_view plural;
  std::string_view singular;
  std::string_view name;  // "EndpointSlice"
  bool namespaced;
  bool has_status;  // a status sub-resource; writes to the main one then leave status alone
  Access access;
  std::span<const std::string_view> short_names;
  std::span<const std::string_view> categories;
  Kind stored_as;  // where the objects are: Event for both faces of events

  std::string api_version() const {
    return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  }
};

// In the order of the enum.
std::span<const ResourceType> served_resources();
const ResourceType& resource_of(Kind kind);
// nullptr: not served.
const ResourceType* find_resource(std::string_view group, std::string_view version,
                                  std::string_view plural);

}  // namespace proxima::apiserver
