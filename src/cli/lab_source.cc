// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_source.h"

namespace proxima::cli {

web::SeenWindow LabSource::window(std::chrono::seconds last) const {
  web::SeenWindow out{.rows = {}, .seconds = static_cast<double>(last.count())};
  for (traffic::Seen& seen : ports_.meter.window(last))
    out.rows.push_back({.service = std::move(seen.service),
                        .from_zone = std::move(seen.from_zone),
                        .to_zone = std::move(seen.to_zone),
                        .pod = std::move(seen.pod),
                        .address = {},
                        .requests = seen.requests,
                        .retried = seen.retried,
                        .failed = seen.failed,
                        .bytes = seen.bytes});
  return out;
}

web::TrafficTotals LabSource::totals() const {
  web::TrafficTotals sum;
  for (const traffic::Seen& seen : ports_.meter.totals()) {
    sum.requests += seen.requests;
    sum.retried += seen.retried;
    sum.failed += seen.failed;
  }
  return sum;
}

web::LabFacts LabSource::facts() const {
  const agents::LabStatus status = ports_.cluster.status();
  web::LabFacts facts;
  for (const agents::LabZoneStatus& zone : status.zones)
    facts.zones.push_back({.name = zone.name, .failed = zone.failed, .demand = zone.demand});
  for (const agents::LabNodeStatus& node : status.nodes)
    facts.nodes.push_back({.name = node.name,
                           .power = node.power == agents::Power::On,
                           .status_url = ports_.proxies.status_url(node.name)});
  return facts;
}

}  // namespace proxima::cli
