// SPDX-License-Identifier: Apache-2.0
// Keeps the route tables of a node up to date. Changes of Services and slices are noted as they
// come, any number of them; update() then plans what they concern and tells what became of it, at a
// cost in proportion to the Services concerned and not to how many there are. No I/O, for one
// thread.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proxy/held_routes.h"
#include "proxy/node_view.h"
#include "proxy/plan_routes.h"
#include "proxy/route_changes.h"
#include "proxy/route_table.h"
#include "proxy/routing_wish.h"

namespace proxima::proxy {

using ServiceRef = Ref<const kube::ServiceRecord>;

struct NodeRoutesOptions {
  std::string proxy_name;           // see proxy/watch_selection.h
  std::vector<RoutingRules> rules;  // one a family that is routed
  ServicePortOptions ports = {};
  WishOptions wishes = {};
  std::function<std::vector<PortRoutesRef>(const ServiceInput&)> plan = plan_service;
};

struct FamilyChanges {
  IpFamily family = IpFamily::V4;
  RouteChanges changes;
};

// A Service whose routes could not be planned. It keeps those that it has.
struct RouteFailure {
  Text ns;
  Text service;
  Text uid;          // "" when the Service itself is gone
  std::string what;  // as in Breakdown
};

class NodeRoutes {
 public:
  explicit NodeRoutes(NodeRoutesOptions options);

  // The node as it is now. Everything is planned anew when its topology has changed.
  void set_node(NodeView node);
  // For rules that may change: service ranges, addresses of node ports and of the node. Of a family
  // that is routed. Other addresses of the node concern Services with external ones alone.
  void set_rules(RoutingRules rules);
  // A Service or slice, as a cache tells it: null `before` for a new one, null `after` for one that
  // is gone or no longer selected.
  void change_service(const ServiceRef& before, const ServiceRef& after);
  void change_slice(const SliceRef& before, const SliceRef& after);

  bool has_pending() const { return !pending_.empty() || rules_changed_; }
  // One a family, in the order of the options.
  std::vector<FamilyChanges> update();
  // Of the last update(), those that were not there before it, or not for this reason.
  const std::vector<RouteFailure>& new_failures() const { return new_failures_; }
  // Services that keep old routes because new ones could not be planned, and why.
  const BrokenServices& failures() const { return failures_; }
  // "" when the Service is not there.
  Text uid_of(const ServiceName& name) const;

  // As of the last update(). Null when the family is not routed.
  const RouteTable* table(IpFamily family) const;
  // Services of which anything is remembered.
  std::size_t known_services() const { return services_.size(); }

 private:
  using Name = ServiceName;
  struct State {
    ServiceRef service;            // null: only slices are known
    std::vector<SliceRef> slices;  // by name
    RoutingWish wish;
  };

  void forget_if_empty(const Name& name);
  void plan_all();
  void plan_external_ips();
  // What becomes of the routes of a Service in one table.
  struct Replacement {
    std::vector<PortRoutesRef> gone, added;
    std::vector<FrontendRouteRef> gone_frontends, added_frontends;
  };
  // All that replacements concern.
  struct Touched {
    std::vector<ServicePortKey> ports;
    std::vector<Frontend> frontends;
    void add(const Replacement& made);
  };
  Replacement plan(const Name& name, const RouteTable& table) const;
  static void replace(RouteTable& table, const Replacement& made);
  void note_failures(const std::map<Name, std::string>& failed);
  std::vector<PortRoutesRef> planned(const Name& name, const RoutingRules& rules) const;

  NodeRoutesOptions options_;
  NodeView node_;
  std::map<Name, State> services_;
  std::set<Name> pending_;
  BrokenServices failures_;
  std::vector<RouteFailure> new_failures_;
  bool rules_changed_ = false;
  std::vector<RouteTable> tables_;  // in the order of the options
};

}  // namespace proxima::proxy
