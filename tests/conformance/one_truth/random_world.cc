// SPDX-License-Identifier: Apache-2.0
#include "random_world.h"

#include <algorithm>
#include <map>

#include "core/model/labels.h"

namespace proxima::truth {
namespace {

constexpr const char* kZones[] = {"a", "b", "c", "d"};
constexpr const char* kRacks[] = {"7", "8", "9"};

using Labels = std::map<std::string, std::string>;

class WorldMaker {
 public:
  explicit WorldMaker(std::uint64_t seed) : dice_(seed) { world_.seed = seed; }

  World make() {
    zones_ = 1 + dice_.below(4);
    regions_ = 1 + dice_.below(2);
    weighted_ = dice_.one_in(4);
    add_nodes();
    add_service();
    add_pods();
    if (!world_.service->selector || dice_.one_in(10)) add_foreign_slices();
    return std::move(world_);
  }

  World make_two_zones(const Labels& annotations, std::chrono::minutes later) {
    for (const std::size_t zone : {std::size_t{0}, std::size_t{1}}) {
      auto node = records_.node("node-" + std::to_string(zone),
                                text_of({{std::string(model::kZoneLabel), kZones[zone]}}));
      node->cpu = Quantity::from_milli(4000);
      world_.nodes.push_back(node);
    }
    auto service = plain_service("app=web");
    service->annotations = label_set(annotations);
    world_.service = service;
    auto ns = make_ref<kube::NamespaceRecord>();
    ns->meta.name = Text("shop");
    world_.ns = ns;
    auto pod = make_pod(0, 1);
    pod->ready = true;
    pod->terminating = false;
    pod->node = world_.nodes.front()->meta.name;
    world_.pods.push_back(pod);
    world_.pods_later = world_.pods;
    world_.later = later;
    return std::move(world_);
  }

 private:
  std::string region_of(std::size_t zone) const {
    return zone < (zones_ + 1) / regions_ ? "r1" : "r2";
  }

  void add_nodes() {
    const std::size_t count = 1 + dice_.below(8);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "node-" + std::to_string(i);
      const std::size_t zone = dice_.below(zones_);
      Labels labels;
      if (!dice_.one_in(20)) labels[std::string(model::kHostnameLabel)] = name;
      if (!dice_.one_in(15)) labels[std::string(model::kZoneLabel)] = kZones[zone];
      if (!dice_.one_in(15)) labels[std::string(model::kRegionLabel)] = region_of(zone);
      if (!dice_.one_in(4)) labels["rack"] = dice_.any_of(kRacks);
      auto node = records_.node(name, text_of(labels));
      node->cpu = Quantity::from_milli(static_cast<std::int64_t>(2000 << dice_.below(3)));
      node->ready = !dice_.one_in(15);
      if (labels.contains(std::string(model::kZoneLabel))) zone_of_[name] = kZones[zone];
      world_.nodes.push_back(node);
    }
  }

  // Over IPv4.
  Ref<kube::ServiceRecord> plain_service(const char* selector) {
    auto service = records_.service("shop/web", selector);
    service->has_v4 = true;
    service->cluster_ips.push_back(*IpAddress::parse("10.96.0.1"));
    service->ip_families.push_back(IpFamily::V4);
    kube::ServicePortRecord port;
    port.name = Text("");
    port.protocol = kube::Protocol::Udp;  // a datagram is a connection
    port.port = kServicePort;
    port.target_port = kPodPort;
    service->ports.push_back(port);
    return service;
  }

  void add_service() {
    const bool has_selector = !dice_.one_in(8);
    auto service = plain_service(has_selector ? "app=web" : "-");
    if (dice_.one_in(4)) {
      service->has_v6 = true;
      service->cluster_ips.push_back(*IpAddress::parse("fd00:96::1"));
      service->ip_families.push_back(IpFamily::V6);
    }
    if (dice_.one_in(12)) service->internal_policy = model::TrafficPolicy::Local;
    Labels annotations;
    choose_policy(*service, annotations);
    if (dice_.one_in(2)) annotations["proxima.io/fallback"] = "region";
    service->annotations = label_set(annotations);
    world_.service = service;
    auto ns = make_ref<kube::NamespaceRecord>();
    ns->meta.name = Text("shop");
    static constexpr const char* kPolicies[] = {"balanced", "zone-aware", "prefer-same-zone",
                                                "require-zone"};
    const bool asks = dice_.one_in(6);
    ns->annotations = records_.labels(
        asks ? std::string("proxima.io/policy=") + dice_.any_of(kPolicies) : std::string());
    world_.ns = ns;
    if (dice_.one_in(10)) world_.gates.topology_aware_hints = false;
    if (dice_.one_in(10)) world_.gates.service_topology = false;
    if (dice_.one_in(10)) world_.gates.service_traffic_distribution = false;
    if (dice_.one_in(10)) world_.gates.prefer_same_traffic_distribution = false;
    if (dice_.one_in(6)) world_.slice_size = 2;
  }

  void choose_policy(kube::ServiceRecord& service, Labels& annotations) {
    switch (dice_.below(11)) {
      case 0:
        break;
      case 1:
        annotations["service.kubernetes.io/topology-mode"] = "Auto";
        break;
      case 2:
        service.traffic_distribution = Text("PreferClose");
        break;
      case 3:
        service.traffic_distribution = Text("PreferSameZone");
        break;
      case 4:
        service.traffic_distribution = Text("PreferSameNode");
        break;
      case 5:
      case 6:
        choose_keys(service);
        break;
      case 7:
        annotations["proxima.io/policy"] = "zone-aware";
        if (dice_.one_in(3)) annotations["proxima.io/panic"] = "all";
        break;
      case 8:
        annotations["proxima.io/policy"] = "require-zone";
        choose_failover(annotations);
        break;
      case 9:
        service.traffic_distribution = Text("proxima.io/require-zone");
        choose_failover(annotations);
        break;
      default:
        annotations["proxima.io/policy"] = "balanced";
        static constexpr const char* kBounds[] = {"0%", "20%", "50%", "inf"};
        if (dice_.one_in(2)) annotations["proxima.io/overload"] = dice_.any_of(kBounds);
        if (dice_.one_in(3)) annotations["proxima.io/node-first"] = "true";
    }
  }

  void choose_failover(Labels& annotations) {
    static constexpr const char* kBudgets[] = {"min-endpoints=1", "min-endpoints=2",
                                               "min-endpoints=3,for=10m", "for=10m"};
    if (dice_.one_in(3)) return;
    annotations["proxima.io/failover"] = dice_.any_of(kBudgets);
    static constexpr int kLater[] = {0, 5, 60};
    world_.later = std::chrono::minutes(dice_.any_of(kLater));
  }

  void choose_keys(kube::ServiceRecord& service) {
    std::vector<std::string> keys = {std::string(model::kHostnameLabel),
                                     std::string(model::kZoneLabel),
                                     std::string(model::kRegionLabel), "rack"};
    for (std::size_t i = keys.size(); i > 1; --i) std::swap(keys[i - 1], keys[dice_.below(i)]);
    keys.resize(dice_.below(keys.size() + 1));
    if (keys.empty() || !dice_.one_in(3)) keys.emplace_back("*");
    for (const std::string& key : keys) service.topology_keys.emplace_back(key);
  }

  void add_pods() {
    const std::size_t count = dice_.below(10);
    const std::uint64_t unready_in = 2 + dice_.below(8);
    for (std::size_t i = 0; i < count; ++i) {
      const auto pod = make_pod(i, unready_in);
      if (world_.service->selector) world_.pods.push_back(pod);
      world_.pods_later.push_back(dice_.one_in(4) ? make_pod(i + 100, unready_in) : pod);
    }
    std::sort(world_.pods_later.begin(), world_.pods_later.end(),
              [](const auto& a, const auto& b) { return a->name < b->name; });
  }

  Ref<kube::PodRecord> make_pod(std::size_t i, std::uint64_t unready_in) {
    auto pod = records_.pod("shop/web-" + std::to_string(100 + i), "app=web");
    pod->node = dice_.any_of(world_.nodes)->meta.name;
    pod->ready = !dice_.one_in(unready_in);
    pod->terminating = dice_.one_in(8);
    pod->addresses.add(*IpAddress::parse("10.1.0." + std::to_string(1 + i)));
    pod->addresses.add(*IpAddress::parse("fd00:1::" + std::to_string(1 + i)));
    if (weighted_ && dice_.one_in(2)) {
      static constexpr float kWeights[] = {0.5, 2, 3, 8};
      auto workload = make_ref<kube::PodWorkload>();
      workload->weight = dice_.any_of(kWeights);
      pod->workload = workload;
    }
    return pod;
  }

  // As a person or another controller would write them.
  void add_foreign_slices() {
    const std::size_t count = 1 + dice_.below(2);
    const bool hinted = dice_.one_in(2);
    for (std::size_t s = 0; s < count; ++s) {
      auto slice =
          records_.slice("shop/web-by-hand-" + std::to_string(s), "kubernetes.io/service-name=web");
      slice->ports.push_back(
          {.name = Text(""), .protocol = Text("UDP"), .port = kPodPort, .app_protocol = {}});
      for (std::size_t left = dice_.below(5); left > 0; --left)
        slice->endpoints.push_back(foreign_endpoint(hinted));
      world_.foreign.push_back(slice);
    }
  }

  kube::EndpointRecord foreign_endpoint(bool hinted) {
    kube::EndpointRecord endpoint;
    endpoint.addresses.emplace_back("10.2.0." + std::to_string(++foreign_));
    if (!dice_.one_in(4)) endpoint.node = dice_.any_of(world_.nodes)->meta.name;
    const auto zone = zone_of_.find(std::string(endpoint.node.view()));
    if (zone != zone_of_.end() && !dice_.one_in(5)) endpoint.zone = Text(zone->second);
    if (!dice_.one_in(3)) endpoint.ready = model::Condition::True;
    if (dice_.one_in(6)) endpoint.ready = model::Condition::False;
    if (hinted && !dice_.one_in(10)) endpoint.zone_hints.emplace_back(kZones[dice_.below(zones_)]);
    if (hinted && dice_.one_in(4))
      endpoint.node_hints.push_back(dice_.any_of(world_.nodes)->meta.name);
    return endpoint;
  }

  // For values with commas, which text_of() has for another thing.
  static kube::LabelSetRef label_set(const Labels& labels) {
    std::vector<kube::LabelText> all;
    for (const auto& [key, value] : labels) all.push_back({Text(key), Text(value)});
    return make_ref<const kube::LabelSet>(std::move(all));
  }

  static std::string text_of(const Labels& labels) {
    std::string text;
    for (const auto& [key, value] : labels) text += (text.empty() ? "" : ",") + key + "=" + value;
    return text;
  }

  Dice dice_;
  testing::RecordMaker records_;
  World world_;
  std::size_t zones_ = 1;
  std::size_t regions_ = 1;
  std::size_t foreign_ = 0;
  bool weighted_ = false;
  std::map<std::string, std::string> zone_of_;
};

void add_pods(const std::vector<Ref<const kube::PodRecord>>& pods, std::string& out) {
  for (const auto& pod : pods) {
    out += "\n" + std::string(pod->name.view()) + " on " + std::string(pod->node.view());
    out += " weight " + std::to_string(pod->workload->weight);
    out += pod->ready ? "" : " (not ready)";
    out += pod->terminating ? " (terminating)" : "";
  }
}

void add_labels(const kube::LabelSetRef& labels, std::string& out) {
  if (!labels) return;
  for (const kube::LabelText& one : labels->all())
    out += " " + std::string(one.key.view()) + "=" + std::string(one.value.view());
}

}  // namespace

World random_world(std::uint64_t seed) { return WorldMaker(seed).make(); }

World two_zones(const std::map<std::string, std::string>& annotations, std::chrono::minutes later) {
  return WorldMaker(1).make_two_zones(annotations, later);
}

std::string describe(const World& world) {
  std::string out = "seed " + std::to_string(world.seed) + "\nservice";
  add_labels(world.service->annotations, out);
  out +=
      " trafficDistribution=" + std::string(world.service->traffic_distribution.view()) + " keys";
  for (const Text& key : world.service->topology_keys) out += " " + std::string(key.view());
  if (world.service->internal_policy == model::TrafficPolicy::Local) out += " internal Local";
  if (!world.service->selector) out += " without selector";
  const auto gate = [&](bool on, const char* name) {
    if (!on) out += std::string(" ") + name + "=false";
  };
  gate(world.gates.topology_aware_hints, "TopologyAwareHints");
  gate(world.gates.service_topology, "ServiceTopology");
  gate(world.gates.service_traffic_distribution, "ServiceTrafficDistribution");
  gate(world.gates.prefer_same_traffic_distribution, "PreferSameTrafficDistribution");
  for (const auto& node : world.nodes) {
    out += "\n" + std::string(node->meta.name.view()) + (node->ready ? "" : " (not ready)");
    add_labels(node->labels, out);
  }
  add_pods(world.pods, out);
  out += "\nlater, after " + std::to_string(world.later.count()) + " minutes";
  add_pods(world.pods_later, out);
  return out;
}

}  // namespace proxima::truth
