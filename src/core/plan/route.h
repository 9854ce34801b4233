// SPDX-License-Identifier: Apache-2.0
// One service as the nodes see it: which endpoints traffic from a node, or from a place, reaches
// and in which proportion. The one place where hints, splits, keys and traffic policies meet.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/ready_endpoints.h"
#include "core/plan/traffic.h"
#include "core/policy/node_first.h"
#include "core/policy/select_endpoints.h"

namespace proxima::plan {

struct Pick {
  std::uint32_t endpoint;  // of the service, counted from its first
  double share;            // of the traffic asked about
};

struct Route {
  std::vector<Pick> picks;          // shares sum to 1; what is missing is rejected
  std::vector<policy::Note> notes;  // the decision first, then what was passed over
};

class RouteView {
 public:
  RouteView(const ClusterPlan& plan, const ServicePlan& service, ProxyKind proxy);

  std::size_t places() const { return plan_.places; }
  std::size_t size() const { return endpoints_.size(); }
  const Demand& demand() const { return plan_.demands[service_.demand]; }
  std::size_t place_of(std::size_t endpoint) const {
    return endpoints_[endpoint].zone ? endpoints_[endpoint].zone.value() : plan_.places - 1;
  }
  // Ready; or, when no endpoint is, shutting down but still serving.
  bool is_usable(std::size_t endpoint) const;
  // What an endpoint's fair share is measured by; 0 for one that takes no traffic.
  double fair_weight(std::size_t endpoint) const {
    return is_usable(endpoint) ? static_cast<double>(endpoints_[endpoint].weight) : 0;
  }

  // Nodes of the place that may answer otherwise than route_from_place says.
  std::vector<model::NodeIndex> special_nodes(std::size_t place) const;
  Route route_from_node(model::NodeIndex node) const;
  // From a node of the place that carries no endpoint of this service.
  Route route_from_place(std::size_t place) const;

 private:
  enum class Kind { Hints, Split, NodeFirst, Keys, LocalOnly };

  Route route(model::NodeIndex node, std::size_t place) const;
  Route by_hints(model::NodeIndex node, std::size_t place) const;
  Route by_split(std::size_t place) const;
  Route by_node_first(model::NodeIndex node, std::size_t place) const;
  void plan_node_tier();
  void index_nodes();
  // Of the ready endpoints on a node; nullopt when the node has none.
  std::optional<Route> ready_on(model::NodeIndex node, policy::Reason reason) const;
  Route by_keys(model::NodeIndex node, std::size_t place) const;
  Route by_local_policy(model::NodeIndex node) const;
  std::uint32_t endpoint_label(std::size_t endpoint, std::string_view key) const;
  std::uint32_t node_label(model::NodeIndex node, std::size_t place, std::string_view key) const;
  policy::Selection select(model::NodeIndex node, std::size_t place, bool local_only) const;
  bool keys_need_every_node() const;
  std::span<const std::string_view> keys() const;
  // Weights decide inside a place where the policy looks at weights.
  double weight_in_place(std::size_t endpoint) const;

  const ClusterPlan& plan_;
  const ServicePlan& service_;
  std::span<const model::Endpoint> endpoints_;
  Kind kind_ = Kind::Hints;
  std::vector<policy::Candidate> candidates_;
  std::vector<std::uint32_t> zone_hints_;  // storage for the candidates' spans
  std::vector<std::uint32_t> node_hints_;
  // The node tier of `balanced`, when it has one.
  ReadyEndpoints ready_;
  policy::NodeFirstWorkspace node_first_;
  // Ready endpoints by node. A node that has some, and may use them alone, need not look at the
  // others: else a service on thousands of nodes would cost their square.
  std::vector<std::pair<model::NodeIndex, std::uint32_t>> ready_by_node_;
  bool all_hint_their_node_ = false;
  std::uint32_t usable_ = 0;          // ready ones, or when there is none those still serving
  bool falls_back_ = false;           // no endpoint is ready
  bool uses_every_endpoint_ = false;  // panic: health is not looked at
};

}  // namespace proxima::plan
