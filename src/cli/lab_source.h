// SPDX-License-Identifier: Apache-2.0
// What the page asks of a lab, answered by its meter, its agents and its proxies.
#pragma once

#include "agents/lab_cluster.h"
#include "cli/node_proxies.h"
#include "traffic/traffic_meter.h"
#include "web/live_source.h"

namespace proxima::cli {

class LabSource final : public web::LiveSource {
 public:
  // All must outlive it.
  struct Ports {
    const traffic::TrafficMeter& meter;
    const agents::LabCluster& cluster;
    const NodeProxies& proxies;
  };
  explicit LabSource(const Ports& ports) : ports_(ports) {}

  web::SeenWindow window(std::chrono::seconds last) const override;
  web::TrafficTotals totals() const override;
  web::LabFacts facts() const override;

 private:
  Ports ports_;
};

}  // namespace proxima::cli
