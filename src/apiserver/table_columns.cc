// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <span>

#include "apiserver/table.h"

namespace proxima::apiserver {
namespace {

// kubectl shows columns of priority 1 with -o wide only.
struct Column {
  std::string_view name;
  int priority;
  std::string_view description;
};

constexpr Column kNameColumn = {"Name", 0,
                                "The object's name, unique for its kind in its namespace."};
constexpr Column kAge = {"Age", 0, "How long ago the object was created."};

constexpr Column kNamespaceColumns[] = {
    kNameColumn, {"Status", 0, "Whether the namespace is in use or being emptied."}, kAge};

constexpr Column kNodeColumns[] = {
    kNameColumn,
    {"Status", 0, "Whether the node is ready, and whether Pods may be put on it."},
    {"Roles", 0, "The roles that labels give the node."},
    kAge,
    {"Version", 0, "The version of the kubelet."},
    {"Internal-IP", 1, "The node's address inside of the cluster's network."},
    {"External-IP", 1, "The node's address for the outside."},
    {"OS-Image", 1, "The operating system, as the node names it."},
    {"Kernel-Version", 1, "The kernel, and the machine it was built for."},
    {"Container-Runtime", 1, "What runs the containers, and its version."},
};

constexpr Column kPodColumns[] = {
    kNameColumn,
    {"Ready", 0, "How many of the Pod's containers are ready."},
    {"Status", 0, "What the Pod is doing, or what keeps it from running."},
    {"Restarts", 0, "How often its containers were started again, and when last."},
    kAge,
    {"IP", 1, "The Pod's first address."},
    {"Node", 1, "The node that the Pod runs on."},
    {"Nominated Node", 1, "The node that is being cleared for this Pod."},
    {"Readiness Gates", 1, "How many of the extra conditions for readiness hold."},
};

constexpr Column kServiceColumns[] = {
    kNameColumn,
    {"Type", 0, "How the Service is reached."},
    {"Cluster-IP", 0, "The Service's address inside of the cluster."},
    {"External-IP", 0, "Addresses from outside that lead to the Service."},
    {"Port(s)", 0, "The Service's ports; after a colon the port on every node."},
    kAge,
    {"Selector", 1, "The labels of the Pods behind the Service."},
};

constexpr Column kEndpointsColumns[] = {
    kNameColumn, {"Endpoints", 0, "Addresses and ports that are ready."}, kAge};

constexpr Column kConfigMapColumns[] = {
    kNameColumn, {"Data", 0, "How many entries there are."}, kAge};

constexpr Column kEventColumns[] = {
    {"Last Seen", 0, "How long ago this happened last."},
    {"Type", 0, "Normal, or Warning."},
    {"Reason", 0, "The reason in one word."},
    {"Object", 0, "What it happened to."},
    {"Subobject", 1, "The part of the object that is concerned."},
    {"Source", 1, "Who noticed."},
    {"Message", 0, "What happened, in words."},
    {"First Seen", 1, "How long ago this happened for the first time."},
    {"Count", 1, "How often it happened."},
    {"Name", 1, "The object's name, unique for its kind in its namespace."},
};

constexpr Column kEndpointSliceColumns[] = {
    kNameColumn,
    {"AddressType", 0, "The kind of addresses in this slice."},
    {"Ports", 0, "The ports that every endpoint of the slice has."},
    {"Endpoints", 0, "The addresses of the endpoints."},
    kAge,
};

constexpr Column kLeaseColumns[] = {kNameColumn, {"Holder", 0, "Who holds the lease."}, kAge};

constexpr Column kServiceCidrColumns[] = {
    kNameColumn, {"CIDRs", 0, "The ranges that cluster IPs are taken from."}, kAge};

constexpr Column kIpAddressColumns[] = {
    kNameColumn, {"ParentRef", 0, "The object that the address belongs to."}};

std::span<const Column> columns_of(Kind kind) {
  switch (kind) {
    case Kind::Namespace:
      return kNamespaceColumns;
    case Kind::Node:
      return kNodeColumns;
    case Kind::Pod:
      return kPodColumns;
    case Kind::Service:
      return kServiceColumns;
    case Kind::Endpoints:
      return kEndpointsColumns;
    case Kind::ConfigMap:
      return kConfigMapColumns;
    case Kind::Event:
    case Kind::EventsV1:
      return kEventColumns;
    case Kind::EndpointSlice:
      return kEndpointSliceColumns;
    case Kind::Lease:
      return kLeaseColumns;
    case Kind::ServiceCidr:
      return kServiceCidrColumns;
    case Kind::IpAddress:
      return kIpAddressColumns;
  }
  return {};
}

}  // namespace

boost::json::array table_columns(const ResourceType& type) {
  boost::json::array out;
  for (const Column& column : columns_of(type.kind))
    out.push_back({{"name", column.name},
                   {"type", "string"},
                   {"format", column.name == "Name" ? "name" : ""},
                   {"description", column.description},
                   {"priority", column.priority}});
  return out;
}

}  // namespace proxima::apiserver
