// SPDX-License-Identifier: Apache-2.0
// Whatever an annotation says, it is refused or means something sensible, and a service that says
// it everywhere still gets a plan that keeps every rule.
#include "core/policy/settings.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "core/audit/plan_audit.h"
#include "core/model/snapshot_builder.h"
#include "core/plan/cluster_plan.h"

namespace {

using proxima::NameId;

// One service in two zones that says `text` wherever a text can stand.
proxima::model::SnapshotPtr cluster_saying(std::string_view text) {
  proxima::model::SnapshotBuilder builder;
  auto& names = builder.names();
  const NameId said = names.intern(text);
  const NameId zone_label = names.intern(proxima::model::kZoneLabel);
  for (const char* zone : {"a", "b"}) {
    builder.add(proxima::model::NodeDraft{.name = names.intern(zone),
                                          .labels = {{zone_label, names.intern(zone)}},
                                          .cpu = proxima::Quantity::from_milli(1000),
                                          .ready = true});
  }
  proxima::model::ServiceDraft service;
  service.ns = names.intern("ns");
  service.service.name = names.intern("web");
  service.service.routing = {said, said, said, said, said, said, said, said, said, said, said};
  service.service.traffic_distribution = said;
  service.service.traffic_policy = said;
  service.service.topology_mode = said;
  service.topology_keys = {said};
  builder.add(service);
  proxima::model::SliceDraft slice{.ns = service.ns, .name = said, .service = service.service.name};
  for (const char* zone : {"a", "a", "b"}) {
    slice.endpoints.push_back({.node = names.intern(zone),
                               .zone = names.intern(zone),
                               .ready = proxima::model::Condition::True,
                               .weight = 1});
  }
  builder.add(slice);
  return builder.build();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto overload = proxima::policy::parse_overload(text)) {
    PROXIMA_CHECK(*overload >= 0 && !std::isnan(*overload));
  }
  if (const auto demand = proxima::policy::parse_demand(text)) {
    const bool clients = demand->source == proxima::policy::DemandSource::Clients;
    PROXIMA_CHECK(clients == !demand->clients.empty());
  }
  if (const auto failover = proxima::policy::parse_failover(text); failover && *failover) {
    PROXIMA_CHECK((*failover)->min_endpoints > 0);
    PROXIMA_CHECK(!(*failover)->limit || (*failover)->limit->count() > 0);
  }
  const auto plan = proxima::plan::plan_cluster(cluster_saying(text), {});
  PROXIMA_CHECK(proxima::audit::audit_plan(plan).empty());
  return 0;
}
