// SPDX-License-Identifier: Apache-2.0
// What the page and `proxima lab` do to a lab, done by its agents.
#pragma once

#include "agents/lab_cluster.h"
#include "web/lab_actions.h"

namespace proxima::cli {

class ClusterActions final : public web::LabActions {
 public:
  // It must outlive this.
  explicit ClusterActions(agents::LabCluster& cluster) : cluster_(cluster) {}

  Status fail_zone(const std::string& zone) override { return cluster_.fail_zone(zone); }
  Status heal(const web::HealTarget& target) override;
  Status kill_node(const std::string& node) override { return cluster_.kill_node(node); }
  Result<std::string> add_node(const std::string& zone) override { return cluster_.add_node(zone); }
  Status scale(const std::string& service,
               const std::map<std::string, std::uint32_t>& zones) override;
  Status set_demand(const std::map<std::string, double>& zones) override {
    return cluster_.set_demand(zones);
  }

 private:
  agents::LabCluster& cluster_;
};

}  // namespace proxima::cli
