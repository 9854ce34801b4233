// SPDX-License-Identifier: Apache-2.0
// An EndpointSlice as the cache holds it: whole enough to be changed and written back without
// losing what others put there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/endpoint.h"
#include "kube/record.h"

namespace proxima::kube {

enum class AddressType : std::uint8_t { IPv4, IPv6, Fqdn };
std::string_view to_text(AddressType type);
std::optional<AddressType> parse_address_type(std::string_view text);

// None where the object does not say.
struct TargetRecord {
  Text kind;
  Text ns;
  Text name;
  Text uid;
  Text api_version;
  Text resource_version;
  Text field_path;
  friend bool operator==(const TargetRecord&, const TargetRecord&) = default;
};

struct EndpointRecord {
  std::vector<Text> addresses;  // as written
  model::Condition ready = model::Condition::Unset;
  model::Condition serving = model::Condition::Unset;
  model::Condition terminating = model::Condition::Unset;
  Text hostname;
  Text node;
  Text zone;
  std::optional<TargetRecord> target;
  std::vector<Text> zone_hints;
  std::vector<Text> node_hints;
  LabelSetRef deprecated_topology;  // null when missing
};

struct EndpointPortRecord {
  Text name;  // none differs from ""
  Text protocol;
  std::optional<std::int32_t> port;
  Text app_protocol;
  friend bool operator==(const EndpointPortRecord&, const EndpointPortRecord&) = default;
};

struct OwnerReference {
  Text api_version;
  Text kind;
  Text name;
  Text uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
};

struct EndpointSliceRecord : RefCounted {
  RecordMeta meta;
  std::int64_t generation = 0;
  Text generate_name;
  LabelSetRef labels;
  LabelSetRef annotations;  // all of them
  std::vector<OwnerReference> owners;
  std::vector<Text> finalizers;
  AddressType address_type = AddressType::IPv4;
  Text service;  // the service-name label; none when missing
  std::vector<EndpointRecord> endpoints;
  std::vector<EndpointPortRecord> ports;

  ObjectKey key() const { return {meta.ns.view(), meta.name.view()}; }
};

}  // namespace proxima::kube
