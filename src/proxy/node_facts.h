// SPDX-License-Identifier: Apache-2.0
// What the caches and the host say of this node, as planning needs it.
#pragma once

#include "proxy/node_view.h"
#include "proxy/proxy_config.h"
#include "proxy/proxy_intake.h"
#include "proxy/routing_rules.h"

namespace proxima::proxy {

// The own Node; one that is gone or not known is as it was last seen. For one thread.
class KnownNode {
 public:
  explicit KnownNode(std::string name) : name_(std::move(name)) { view_.name = Text(name_); }

  void look(const ProxyIntake& intake);
  const NodeView& view() const { return view_; }
  const std::vector<std::string>& pod_ranges() const { return pod_ranges_; }
  bool is_known() const { return known_; }

 private:
  std::string name_;
  NodeView view_;
  std::vector<std::string> pod_ranges_;
  bool known_ = false;
};

// `local`: the addresses that the host has.
NodeFacts node_facts(const ProxyConfig& config, const KnownNode& node, const ProxyIntake& intake,
                     std::vector<IpAddress> local);

}  // namespace proxima::proxy
