// SPDX-License-Identifier: Apache-2.0
// What a node does with new connections to a Service: which endpoints it uses, in which proportion
// and why. Decided from what is published (slices with their hints and annotations, the Service,
// the node itself) and from nothing else. The node proxy, `explain`, `plan`, `compare` and the
// simulator all ask here, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/policy/reason.h"
#include "core/policy/select_endpoints.h"

namespace proxima::route {

// Zones, nodes and label values are numbers here: equal when their texts are.
inline constexpr std::uint32_t kUnknown = 0xffffffffU;

struct PublishedEndpoint {
  bool ready = false;
  bool serving = false;
  bool terminating = false;
  bool listed_elsewhere = false;  // another slice has its address, and that one counts
  std::uint32_t zone = kUnknown;
  std::uint32_t node = kUnknown;
  std::span<const std::uint32_t> zone_hints;
  std::span<const std::uint32_t> node_hints;
  double weight = 1;  // > 0, in proportion to the others
  // The node tier, see core/policy/node_first: of the traffic that starts on its node, what the
  // node keeps; and its part of what its zone receives from elsewhere, in proportion to the others
  // there (the weight, where there is no tier).
  double kept_on_node = 0;
  double inflow = 1;
};

struct SplitShare {
  std::uint32_t zone = kUnknown;
  double share = 0;  // of the traffic of the row's zone
};
struct SplitRow {
  std::uint32_t from = kUnknown;
  std::span<const SplitShare> to;  // empty: traffic from there is rejected
};

// What a Service asks of a node where its slices say nothing.
enum class Preference : std::uint8_t { None, SameNode, SameZone };

// nullopt: nothing is published about it.
using LabelOfEndpoint =
    std::function<std::optional<std::uint32_t>(std::size_t endpoint, std::string_view key)>;
using LabelOfNode = std::function<std::uint32_t(std::string_view key)>;

struct PublishedService {
  std::span<const PublishedEndpoint> endpoints;
  bool internal_policy_local = false;
  bool external_policy_local = false;
  bool externally_accessible = false;
  bool uses_hints = true;       // false: the gate TopologyAwareHints is off
  bool ignores_health = false;  // panic: all endpoints are used, ready or not, unless terminating
  bool follows_keys = false;
  std::span<const std::string_view> keys;  // where it follows them
  LabelOfEndpoint endpoint_label;          // where it follows keys
  bool has_split = false;
  std::span<const SplitRow> split;  // not for every zone
  bool requires_zone = false;       // traffic stays in its zone or is rejected,
  bool split_is_failover = false;   // unless the split, which is of such zones, sends it elsewhere
  Preference preference = Preference::None;
  std::string_view unreadable_slice = {};  // carries a split that cannot be read; "" for none
};

struct RoutingNode {
  std::uint32_t node = kUnknown;
  std::uint32_t zone = kUnknown;
  std::string_view zone_name = {};  // for reasons
  bool labels_known = false;
  LabelOfNode label;  // where labels are known
};

struct Pick {
  std::uint32_t endpoint;  // of the service, counted from its first
  double share;            // of the traffic asked about
};

struct Route {
  std::vector<Pick> picks;  // by endpoint; shares sum to 1, and none means that traffic is rejected
  bool alike = true;        // every pick has the same share
  std::vector<policy::Note> notes;  // the decision first, then what was passed over
};

struct NodeRoute {
  bool has_any = false;          // some endpoint, maybe elsewhere, would take traffic
  std::optional<Route> cluster;  // for traffic with policy Cluster, where there is such traffic
  std::optional<Route> local;    // for traffic with policy Local
  // For traffic to the cluster address.
  const Route& internal(bool policy_local) const { return policy_local ? *local : *cluster; }
};

// Borrows all that the service refers to.
class ServiceRouter {
 public:
  explicit ServiceRouter(const PublishedService& service);

  // Call this before asking for many nodes: a node that uses only its own endpoints then costs what
  // those cost, not what all endpoints cost.
  void index_nodes();

  NodeRoute from(const RoutingNode& node) const;
  // Takes cluster-wide traffic from somewhere: ready, or when no endpoint is, still serving while
  // it terminates; in panic, not terminating.
  bool is_usable(std::size_t endpoint) const;

 private:
  Route refine(const RoutingNode& node, Route by_hints) const;
  Route by_keys(const RoutingNode& node) const;
  std::uint32_t label_of(const RoutingNode& node, std::size_t endpoint, std::string_view key) const;
  // `row` null: what leaves the node goes to everyone.
  Route by_split(const RoutingNode& node, const SplitRow* row, double kept) const;
  std::vector<SplitShare> shares_of(const SplitRow& row) const;
  double kept_on(const RoutingNode& node) const;
  Route by_required_zone(const RoutingNode& node) const;
  Route by_preference(const RoutingNode& node, Route otherwise) const;
  Route over_all(policy::Reason reason) const;
  // By weight.
  Route spread(std::span<const std::uint32_t> endpoints, const policy::Note& why) const;
  // Those that take traffic and that `counts` names, by weight.
  template <class Counts>
  Route over_usable(const policy::Note& why, Counts counts) const;
  // Where a node uses its own endpoints alone and there is an index; nullopt where there is none,
  // and where more has to be looked at.
  std::optional<NodeRoute> own_endpoints(const RoutingNode& node) const;
  bool uses_own_endpoints() const;
  std::optional<NodeRoute> split_at_once(const RoutingNode& node) const;
  std::optional<NodeRoute> all_ready() const;
  policy::Selection select(const RoutingNode& node) const;
  const SplitRow* row_of(std::uint32_t zone) const;

  const PublishedService& service_;
  mutable std::vector<policy::Candidate> candidates_;  // of the node asked about last
  std::uint32_t ready_ = 0;
  std::uint32_t draining_ = 0;
  bool uses_unready_ = false;  // and there is one that has not begun to terminate
  bool has_hints_ = false;
  bool has_tier_ = false;
  bool weighted_ = false;
  bool all_hint_their_node_ = false;
  // With their weights or inflow, ready endpoints by zone; for splits.
  std::vector<std::pair<std::uint32_t, double>> inflow_by_zone_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ready_by_node_;  // after index_nodes()
};

}  // namespace proxima::route
