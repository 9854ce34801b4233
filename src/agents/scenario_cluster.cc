// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario_cluster.h"

#include <limits>

#include "agents/number_text.h"

namespace proxima::agents {
namespace {

std::vector<ZoneShape> read_zones(const ScenarioFields& zones) {
  std::vector<ZoneShape> out;
  for (const std::string& name : zones.names()) {
    const ScenarioFields fields = zones.child(name);
    fields.only({"nodes", "demand"});
    ZoneShape zone;
    zone.name = name;
    zone.nodes = fields.count("nodes");
    if (fields.has("demand")) zone.demand = fields.share("demand");
    out.push_back(std::move(zone));
  }
  return out;
}

std::uint16_t read_port(const ScenarioFields& fields) {
  const std::size_t port = fields.count("port");
  if (port > 0 && port <= std::numeric_limits<std::uint16_t>::max())
    return static_cast<std::uint16_t>(port);
  fields.fault("port", "a number from 1 to 65535 is wanted");
  return 1;
}

ServiceShape read_service(const ScenarioFields& fields) {
  fields.only({"name", "namespace", "endpoints", "policy", "overload", "share", "port"});
  ServiceShape service;
  service.name = fields.text("name");
  if (fields.has("namespace")) service.ns = fields.text("namespace");
  if (fields.has("policy")) service.policy = fields.text("policy");
  service.overload = read_overload(fields);
  if (fields.has("share")) service.share = fields.share("share");
  if (fields.has("port")) service.port = read_port(fields);
  const ScenarioFields endpoints = fields.child("endpoints");
  for (const std::string& zone : endpoints.names()) service.endpoints[zone] = endpoints.count(zone);
  return service;
}

}  // namespace

std::string read_overload(const ScenarioFields& fields) {
  if (!fields.has("overload")) return {};
  return fields.is_text("overload") ? fields.text("overload")
                                    : number_text(fields.number("overload"));
}

LabShape read_cluster(const ScenarioFields& cluster) {
  cluster.only({"zones", "services", "requestsPerSecond"});
  LabShape shape = default_shape();
  if (cluster.has("zones")) shape.zones = read_zones(cluster.child("zones"));
  if (cluster.has("services")) {
    shape.services.clear();
    for (const ScenarioFields& fields : cluster.entries("services"))
      shape.services.push_back(read_service(fields));
  }
  if (cluster.has("requestsPerSecond"))
    shape.requests_per_second = cluster.number("requestsPerSecond");
  if (const auto fault = fault_in(shape)) cluster.fault(fault->field, fault->message);
  return shape;
}

}  // namespace proxima::agents
