// SPDX-License-Identifier: Apache-2.0
#include "apiserver/table.h"

#include <boost/json/value.hpp>

#include "apiserver/json_lookup.h"
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

array cells_of(Kind kind, const object& from, TableTime now) {
  switch (kind) {
    case Kind::Namespace:
      return namespace_cells(from, now);
    case Kind::Node:
      return node_cells(from, now);
    case Kind::Pod:
      return pod_cells(from, now);
    case Kind::Service:
      return service_cells(from, now);
    case Kind::Endpoints:
      return endpoints_cells(from, now);
    case Kind::ConfigMap:
      return config_map_cells(from, now);
    case Kind::Event:
    case Kind::EventsV1:
      return event_cells(from, now);
    case Kind::EndpointSlice:
      return endpoint_slice_cells(from, now);
    case Kind::Lease:
      return lease_cells(from, now);
    case Kind::ServiceCidr:
      return service_cidr_cells(from, now);
    case Kind::IpAddress:
      return ip_address_cells(from, now);
  }
  return {};
}

boost::json::value shown(const object& from, IncludeObject include) {
  switch (include) {
    case IncludeObject::None:
      return nullptr;
    case IncludeObject::Object:
      return from;
    case IncludeObject::Metadata:
      break;
  }
  return {{"kind", "PartialObjectMetadata"},
          {"apiVersion", "meta.k8s.io/v1"},
          {"metadata", object_at(from, "metadata")}};
}

}  // namespace

object table_row(const ResourceType& type, const object& from, IncludeObject include,
                 TableTime now) {
  object row = {{"cells", cells_of(type.kind, from, now)}};
  if (type.kind == Kind::Pod) {
    array conditions = pod_row_conditions(from);
    if (!conditions.empty()) row["conditions"] = std::move(conditions);
  }
  row["object"] = shown(from, include);
  return row;
}

}  // namespace proxima::apiserver
