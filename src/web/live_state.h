// SPDX-License-Identifier: Apache-2.0
// Everything the live page shows at one moment, as a value. state_document.h writes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "web/live_source.h"

namespace proxima::web {

// A reason in words: those of `proxima explain`.
struct ReasonPicture {
  std::string reason;  // its code: "balanced_spill"
  std::string level;   // "ok", "info", "fallback", "refused", "broken"
  std::string text;
  std::string advice;  // empty: nothing needs doing
  bool operator==(const ReasonPicture&) const = default;
};

struct FlowPicture {
  std::string from;  // zones
  std::string to;
  double share = 0;  // of all the service's traffic
  double requests_per_second = 0;
  bool operator==(const FlowPicture&) const = default;
};

struct EndpointPicture {
  std::string pod;      // "shop/even-1"; empty when there is no Pod behind the address
  std::string address;  // empty where only Pods are seen
  std::string zone;
  std::string node;
  double fair_share = 0;  // of the service's traffic; 0: it should get none
  double load = 0;        // 1 is the fair share
  bool operator==(const EndpointPicture&) const = default;
};

// What one endpoint was seen to get.
struct MeasuredEndpoint {
  std::string pod;
  std::string address;
  std::string zone;
  std::string node;
  std::optional<double> load;  // none: too few requests yet
  double requests_per_second = 0;
  bool operator==(const MeasuredEndpoint&) const = default;
};

struct PlanPicture {
  std::string policy;
  std::optional<double> overload;  // the dial θ, where the policy has one
  double local = 0;
  double rejected = 0;
  double crossings = 0;  // what it pays for, in crossings between zones of a region
  double worst_overload = 0;
  bool hinted = false;
  bool split = false;
  ReasonPicture why;
  std::vector<ReasonPicture> notes;
  std::map<std::string, double> demand;  // by zone, as the plan assumes it
  std::vector<FlowPicture> flows;
  std::vector<EndpointPicture> endpoints;
  bool operator==(const PlanPicture&) const = default;
};

struct MeasuredPicture {
  double local = 0;
  // None while too few requests were counted since shares, plan or clients changed.
  std::optional<double> worst_overload;
  double overload_margin = 0;  // by which chance moves it: one standard deviation
  int load_seconds = 0;        // over which loads were counted
  double requests_per_second = 0;
  std::uint64_t retried = 0;  // within the window
  std::uint64_t failed = 0;
  std::vector<FlowPicture> flows;
  std::vector<MeasuredEndpoint> endpoints;
  bool operator==(const MeasuredPicture&) const = default;
};

struct CostPicture {
  double per_month = 0;
  double cluster_wide_per_month = 0;  // the same traffic, spread over all endpoints
  double gigabytes_per_month = 0;     // within zones and between them
  bool operator==(const CostPicture&) const = default;
};

// What a service has of one address family: endpoints and a plan of its own.
struct FamilyPicture {
  std::string family;         // "IPv4"
  std::size_t endpoints = 0;  // ready ones
  PlanPicture plan;
  bool operator==(const FamilyPicture&) const = default;
};

struct ServicePicture {
  std::string ns;
  std::string name;
  std::vector<std::string> cluster_ips;  // empty: none
  bool has_annotation = false;           // the policy is said by an annotation of the Service
  // Of the first family, by which clients of a lab ask and are measured; IPv4 where there are two.
  std::string family;
  std::size_t endpoints = 0;  // ready ones
  PlanPicture plan;
  std::vector<FamilyPicture> other_families;
  std::optional<MeasuredPicture> measured;
  std::optional<CostPicture> cost;

  std::string full_name() const { return ns + "/" + name; }
  bool operator==(const ServicePicture&) const = default;
};

struct ZonePicture {
  std::string name;
  bool failed = false;
  std::optional<double> demand;  // share of the requests that clients start here
  std::optional<double> requests_per_second;
  bool operator==(const ZonePicture&) const = default;
};

struct NodePicture {
  std::string name;
  std::string zone;
  bool ready = false;
  bool cordoned = false;
  bool power = true;
  std::string address;     // empty: none known
  std::string status_url;  // of its proxy; empty: none known
  bool operator==(const NodePicture&) const = default;
};

struct PodPicture {
  std::string ns;
  std::string name;
  std::string node;
  std::string zone;
  std::string address;
  bool ready = false;
  bool terminating = false;
  std::vector<std::string> services;
  std::optional<double> requests_per_second;
  bool operator==(const PodPicture&) const = default;
};

struct EventPicture {
  std::int64_t time = 0;  // Unix seconds
  std::string type;
  std::string reason;
  std::string object;  // "Service shop/even"
  std::string message;
  bool operator==(const EventPicture&) const = default;
};

struct TotalsPicture {
  std::optional<double> local;           // none: there were no requests
  std::optional<double> worst_overload;  // none while a service has none yet
  std::size_t measuring = 0;             // services that have none yet
  double requests_per_second = 0;
  std::uint64_t retried = 0;  // within the window
  std::uint64_t failed = 0;
  std::uint64_t failed_ever = 0;
  double cost_per_month = 0;
  double cluster_wide_per_month = 0;
  bool operator==(const TotalsPicture&) const = default;
};

struct LiveState {
  std::string version;
  bool lab = false;
  bool simulated = false;  // a lab without machines
  bool read_only = true;
  double time = 0;  // Unix seconds; a later state that is equal otherwise is not a new one
  std::uint64_t revision = 0;
  double price_per_gigabyte = 0;  // between zones of a region
  int window_seconds = 0;         // over which rates and shares are measured
  std::string waiting_for;        // kinds that were not listed yet: "pods, nodes"
  std::vector<ZonePicture> zones;
  std::vector<NodePicture> nodes;
  std::vector<PodPicture> pods;
  std::vector<ServicePicture> services;
  std::optional<TotalsPicture> totals;  // none: nothing is measured
  std::optional<AskedProxies> asked;    // none: nobody is asked for what is measured
  std::vector<EventPicture> events;     // newest first
  // What is left out of a large cluster's picture.
  std::size_t services_not_shown = 0;
  std::size_t pods_not_shown = 0;
};

// Without regard to time and revision.
bool same_picture(const LiveState& a, const LiveState& b);

}  // namespace proxima::web
