// SPDX-License-Identifier: Apache-2.0
#include "cli/cluster_actions.h"

namespace proxima::cli {

Status ClusterActions::heal(const web::HealTarget& target) {
  using Kind = agents::HealTarget::Kind;
  if (!target.zone.empty()) return cluster_.heal({Kind::Zone, target.zone});
  if (!target.node.empty()) return cluster_.heal({Kind::Node, target.node});
  return cluster_.heal({});
}

Status ClusterActions::scale(const std::string& service,
                             const std::map<std::string, std::uint32_t>& zones) {
  return cluster_.scale(service, {zones.begin(), zones.end()});
}

}  // namespace proxima::cli
