// SPDX-License-Identifier: Apache-2.0
// One service as nodes see it, as published now or once the plan is published: which endpoints
// traffic from a node, or from a place, reaches, and in which proportion (core/route decides).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/ready_endpoints.h"
#include "core/plan/traffic.h"
#include "core/policy/node_first.h"
#include "core/route/service_router.h"
#include "core/route/service_texts.h"
#include "core/route/zone_split.h"

namespace proxima::plan {

// Whether endpoints of the service differ in weights that its policy looks at.
bool weights_count(const ClusterPlan& plan, const ServicePlan& service);

// Whether the Service itself asks for its policy, so that proxies know it from there; what its
// Namespace or the cluster asks for, slices have to tell them.
bool asks_itself(const ClusterPlan& plan, const ServicePlan& service);

// Whether anything is known to be published: the slices are not made up from Pods.
bool has_published(const ClusterPlan& plan, const ServicePlan& service);

// What slices that nobody made up say about their Service, all of one family.
route::ServiceTexts published_texts(const model::Snapshot& snapshot, model::Range slices);

class RouteView {
 public:
  RouteView(const ClusterPlan& plan, const ServicePlan& service, RouteSource source);
  RouteView(const RouteView&) = delete;
  RouteView& operator=(const RouteView&) = delete;

  std::size_t places() const { return plan_.places; }
  std::size_t size() const { return endpoints_.size(); }
  const Demand& demand() const { return plan_.demands[service_.demand]; }
  std::size_t place_of(std::size_t endpoint) const {
    return endpoints_[endpoint].zone ? endpoints_[endpoint].zone.value() : plan_.places - 1;
  }
  // What an endpoint's fair share is measured by; 0 for one that takes no traffic.
  double fair_weight(std::size_t endpoint) const {
    return router_->is_usable(endpoint) ? static_cast<double>(endpoints_[endpoint].weight) : 0;
  }

  // What is to be published about an endpoint.
  const route::PublishedEndpoint& endpoint(std::size_t endpoint) const {
    return published_[endpoint];
  }
  std::optional<std::string> label_text(std::size_t endpoint, std::string_view key) const;
  // Of what nodes do not keep; or, with `require-zone`, of zones that use others.
  const route::ZoneSplit& published_split() const { return rest_; }

  // Nodes of the place that may answer otherwise than route_from_place says.
  std::vector<model::NodeIndex> special_nodes(std::size_t place) const;
  route::Route route_from_node(model::NodeIndex node) const;
  // From a node of the place that carries no endpoint of this service.
  route::Route route_from_place(std::size_t place) const;

 private:
  void collect_from_plan(RouteSource source);
  void collect_from_slices();
  std::uint32_t zone_number(std::size_t place) const;
  void collect_endpoints();
  void take_published_hints(std::size_t endpoint);
  void take_routing(std::size_t first, const route::SliceRouting& routing);
  void take_service_texts(const route::ServiceTexts& texts);
  void drop_duplicates();
  void collect_weights();
  void collect_rows(std::span<const double> split, std::span<const double> demand);
  void collect_failover();
  void collect_node_tier();
  route::Route route(model::NodeIndex node, std::size_t place) const;
  // nullopt: nothing is published about it.
  std::optional<std::uint32_t> endpoint_label(std::size_t endpoint, std::string_view key) const;
  std::optional<std::uint32_t> published_label(std::size_t endpoint, std::string_view key) const;
  std::uint32_t node_label(model::NodeIndex node, std::size_t place, std::string_view key) const;
  bool keys_need_every_node() const;

  const ClusterPlan& plan_;
  const ServicePlan& service_;
  std::span<const model::Endpoint> endpoints_;
  bool has_node_tier_ = false;
  // What the router borrows.
  std::vector<route::PublishedEndpoint> published_;
  std::vector<std::uint32_t> zone_hints_;
  std::vector<std::uint32_t> node_hints_;
  std::vector<route::SplitShare> shares_;
  std::vector<route::SplitRow> rows_;
  route::ZoneSplit rest_;  // where there is a node tier, or zones that use others
  // Of what is published: values of labels by endpoint, none where nothing is said; and keys.
  bool is_published_ = false;
  std::map<std::string, std::vector<std::optional<std::string>>, std::less<>> labels_;
  std::vector<std::string> key_texts_;
  std::vector<std::string_view> keys_;
  route::PublishedService routing_;
  std::optional<route::ServiceRouter> router_;
};

}  // namespace proxima::plan
