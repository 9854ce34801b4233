// SPDX-License-Identifier: Apache-2.0
// The lab's default cluster as records in caches, without a lab: three zones of two nodes, and the
// services shop/even (2/2/2), shop/lopsided (2/1/1) and shop/single (3/0/0), all of policy auto;
// and requests as clients would have seen them if they had followed the plan exactly.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "controller/cluster_caches.h"
#include "support/kube_records.h"
#include "web/cluster_picture.h"
#include "web/live_source.h"

namespace proxima::testing {

class LabShape {
 public:
  explicit LabShape(controller::ClusterCaches& caches) : caches_(caches) {
    caches_.namespaces.replace({name_space("default"), name_space("shop")});
    std::vector<Ref<const kube::NodeRecord>> nodes;
    for (int i = 0; i < 6; ++i) nodes.push_back(node(i));
    caches_.nodes.replace(nodes);
    add_service("even", {2, 2, 2}, "172.30.0.5");
    add_service("lopsided", {2, 1, 1}, "172.30.0.6");
    add_service("single", {3, 0, 0}, "172.30.0.7");
    caches_.pods.replace(pods_);
    caches_.services.replace(services_);
    caches_.slices.replace(slices_);
  }

  static std::string zone(int index) {
    return "zone-" + std::string(1, static_cast<char>('a' + index));
  }

  // Puts the Service there anew with these annotations: "proxima.io/policy=balanced".
  void annotate(const std::string& name, const std::string& annotations) {
    for (Ref<const kube::ServiceRecord>& service : services_) {
      if (service->meta.name.view() != name) continue;
      service = service_record(name, std::string(service->cluster_ips.front().text()), annotations);
      caches_.services.put(service);
    }
  }

  // The Service becomes dual-stack, with one endpoint of the second family, on node-1.
  void add_v6(const std::string& name, const std::string& ip) {
    for (Ref<const kube::ServiceRecord>& service : services_) {
      if (service->meta.name.view() != name) continue;
      const auto v4 = std::string(service->cluster_ips.front().text());
      auto both = service_record(name, v4, "proxima.io/policy=auto");
      both->has_v6 = true;
      both->cluster_ips.push_back(*IpAddress::parse(ip));
      service = both;
      caches_.services.put(service);
    }
    auto slice = make_.slice("shop/" + name + "-v6", "kubernetes.io/service-name=" + name);
    slice->address_type = kube::AddressType::IPv6;
    slice->ports.push_back({.name = Text(""), .protocol = Text("TCP"), .port = 8080});
    slice->endpoints.push_back(endpoint(name + "-1", 0, "fd00:10:180:1::10"));
    caches_.slices.put(slice);
  }

 private:
  Ref<const kube::NamespaceRecord> name_space(const char* name) {
    auto ns = make_ref<kube::NamespaceRecord>();
    ns->meta.name = Text(name);
    ns->annotations = make_.labels("");
    return ns;
  }

  Ref<const kube::NodeRecord> node(int index) {
    auto node = make_.node("node-" + std::to_string(index + 1),
                           "topology.kubernetes.io/zone=" + zone(index / 2));
    node->internal_ips.push_back(*IpAddress::parse("192.168." + std::to_string(index + 1) + ".2"));
    return node;
  }

  Ref<kube::ServiceRecord> service_record(const std::string& name, const std::string& ip,
                                          const std::string& annotations) {
    auto service = make_.service("shop/" + name, "app=" + name);
    service->annotations = make_.labels(annotations);
    service->has_v4 = true;
    service->cluster_ips.push_back(*IpAddress::parse(ip));
    service->ports.push_back({.name = Text(""), .port = 80, .target_port = 8080});
    return service;
  }

  void add_service(const std::string& name, std::array<int, 3> by_zone, const char* ip) {
    services_.push_back(service_record(name, ip, "proxima.io/policy=auto"));
    auto slice = make_.slice("shop/" + name + "-slice", "kubernetes.io/service-name=" + name);
    slice->ports.push_back({.name = Text(""), .protocol = Text("TCP"), .port = 8080});
    int number = 0;
    for (int z = 0; z < 3; ++z) {
      for (int i = 0; i < by_zone[static_cast<std::size_t>(z)]; ++i)
        add_pod(*slice, name + "-" + std::to_string(++number), z * 2 + i % 2);
    }
    slices_.push_back(slice);
  }

  void add_pod(kube::EndpointSliceRecord& slice, const std::string& name, int node) {
    const std::string node_name = "node-" + std::to_string(node + 1);
    const std::string address =
        "10.180." + std::to_string(node + 1) + "." + std::to_string(10 + pods_.size());
    auto pod = make_.pod("shop/" + name, "app=" + name.substr(0, name.find('-')));
    pod->node = Text(node_name);
    pod->addresses.add(*IpAddress::parse(address));
    pods_.push_back(pod);
    slice.endpoints.push_back(endpoint(name, node, address));
  }

  static kube::EndpointRecord endpoint(const std::string& pod, int node,
                                       const std::string& address) {
    kube::EndpointRecord endpoint;
    endpoint.addresses = {Text(address)};
    endpoint.ready = endpoint.serving = model::Condition::True;
    endpoint.terminating = model::Condition::False;
    endpoint.node = Text("node-" + std::to_string(node + 1));
    endpoint.zone = Text(zone(node / 2));
    endpoint.target =
        kube::TargetRecord{.kind = Text("Pod"), .ns = Text("shop"), .name = Text(pod)};
    return endpoint;
  }

  controller::ClusterCaches& caches_;
  RecordMaker make_;
  std::vector<Ref<const kube::PodRecord>> pods_;
  std::vector<Ref<const kube::ServiceRecord>> services_;
  std::vector<Ref<const kube::EndpointSliceRecord>> slices_;
};

// `requests` of each service, spread over zones and endpoints as the plan says.
inline std::vector<web::SeenTraffic> seen_as_planned(const web::ClusterPicture& picture,
                                                     double requests) {
  std::vector<web::SeenTraffic> rows;
  for (const web::ServicePicture& service : picture.services) {
    for (const web::FlowPicture& flow : service.plan.flows) {
      double weight = 0;  // of the zone's endpoints
      for (const auto& endpoint : service.plan.endpoints)
        if (endpoint.zone == flow.to) weight += endpoint.load * endpoint.fair_share;
      for (const auto& endpoint : service.plan.endpoints) {
        if (endpoint.zone != flow.to || weight <= 0) continue;
        const double part = endpoint.load * endpoint.fair_share / weight;
        web::SeenTraffic row;
        row.service = service.full_name();
        row.from_zone = flow.from;
        row.to_zone = flow.to;
        row.pod = endpoint.pod;
        row.requests = static_cast<std::uint64_t>(std::lround(requests * flow.share * part));
        row.bytes = row.requests * 2400;
        rows.push_back(row);
      }
    }
  }
  return rows;
}

}  // namespace proxima::testing
