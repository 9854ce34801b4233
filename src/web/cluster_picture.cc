// SPDX-License-Identifier: Apache-2.0
#include "web/cluster_picture.h"

#include <algorithm>
#include <map>

#include "core/model/labels.h"
#include "web/plan_picture.h"

namespace proxima::web {
namespace {

using model::Snapshot;

// Which services a Pod stands behind, by "namespace/name".
using ServicesOfPods = std::map<std::string, std::vector<std::string>, std::less<>>;

std::string full_name(std::string_view ns, std::string_view name) {
  return std::string(ns).append("/").append(name);
}

std::string service_name(const Snapshot& snapshot, model::ServiceIndex index) {
  const model::Service& service = snapshot.services[index.value()];
  return full_name(snapshot.namespace_name(service.ns), snapshot.names[service.name]);
}

ServicesOfPods services_of_pods(const Snapshot& snapshot) {
  ServicesOfPods out;
  for (const model::EndpointSlice& slice : snapshot.slices) {
    if (!slice.service) continue;
    const std::string service = service_name(snapshot, slice.service);
    const auto ns = snapshot.namespace_name(snapshot.services[slice.service.value()].ns);
    for (const model::Endpoint& endpoint : Snapshot::part(snapshot.endpoints, slice.endpoints)) {
      if (!endpoint.pod) continue;
      auto& services = out[full_name(ns, snapshot.names[endpoint.pod])];
      if (std::find(services.begin(), services.end(), service) == services.end())
        services.push_back(service);
    }
  }
  return out;
}

std::string first_address(const std::vector<IpAddress>& addresses) {
  return addresses.empty() ? std::string() : addresses.front().text();
}

std::vector<NodePicture> nodes_of(const ClusterRecords& records) {
  std::vector<NodePicture> nodes;
  records.nodes.each([&](const auto& node) {
    nodes.push_back({.name = std::string(node->meta.name.view()),
                     .zone = std::string(label(node->labels, model::kZoneLabel).view()),
                     .ready = node->ready,
                     .cordoned = node->unschedulable,
                     .power = true,
                     .address = first_address(node->internal_ips),
                     .status_url = {}});
  });
  return nodes;
}

bool is_finished(const kube::PodRecord& pod) {
  return pod.phase == model::PodPhase::Succeeded || pod.phase == model::PodPhase::Failed;
}

PodPicture pod_of(const kube::PodRecord& pod, const ClusterRecords& records) {
  PodPicture picture;
  picture.ns = pod.ns.view();
  picture.name = pod.name.view();
  picture.node = pod.node.view();
  if (const kube::NodeRecord* node = records.nodes.peek({{}, pod.node.view()}); node != nullptr)
    picture.zone = label(node->labels, model::kZoneLabel).view();
  const auto addresses = pod.addresses.all();
  if (!addresses.empty()) picture.address = addresses.front().text();
  picture.ready = pod.ready;
  picture.terminating = pod.terminating;
  return picture;
}

void add_pods(ClusterPicture& picture) {
  const ServicesOfPods services = services_of_pods(*picture.plan.snapshot);
  const bool many = picture.records.pods.size() > kMaxPodsShown;
  picture.records.pods.each([&](const auto& pod) {
    if (is_finished(*pod)) return;
    const auto found = services.find(full_name(pod->ns.view(), pod->name.view()));
    const bool serves = found != services.end();
    if ((many && !serves) || picture.pods.size() >= kMaxPodsShown) {
      ++picture.pods_not_shown;
      return;
    }
    picture.pods.push_back(pod_of(*pod, picture.records));
    if (serves) picture.pods.back().services = found->second;
  });
}

// The API server's own, which no policy is for.
bool is_api_itself(const Snapshot& snapshot, const model::Service& service) {
  return snapshot.names[service.name] == "kubernetes" &&
         snapshot.namespace_name(service.ns) == "default";
}

ServicePicture service_of(ClusterPicture& picture, plan::ServicePlan& planned) {
  const Snapshot& snapshot = *picture.plan.snapshot;
  const model::Service& service = snapshot.services[planned.service.value()];
  ServicePicture out;
  out.ns = snapshot.namespace_name(service.ns);
  out.name = snapshot.names[service.name];
  out.has_annotation = static_cast<bool>(service.routing.policy);
  out.family = to_text(planned.family);
  out.endpoints = planned.ready;
  out.plan = picture_of(picture.plan, planned);
  const kube::ServiceRecord* record = picture.records.services.peek({out.ns, out.name});
  if (record == nullptr) return out;
  for (const IpAddress& address : record->cluster_ips) out.cluster_ips.emplace_back(address.text());
  return out;
}

// One picture a service, with all its address families.
void add_services(ClusterPicture& picture) {
  model::ServiceIndex last;
  for (plan::ServicePlan& planned : picture.plan.services) {
    const Snapshot& snapshot = *picture.plan.snapshot;
    if (is_api_itself(snapshot, snapshot.services[planned.service.value()])) continue;
    const bool is_first = last != planned.service;
    last = planned.service;
    if (!is_first) {
      if (picture.services_not_shown == 0)
        picture.services.back().other_families.push_back({std::string(to_text(planned.family)),
                                                          planned.ready,
                                                          picture_of(picture.plan, planned)});
    } else if (picture.services.size() < kMaxServicesShown) {
      picture.services.push_back(service_of(picture, planned));
    } else {
      ++picture.services_not_shown;
    }
  }
}

// Whether each of `names` is what `name_of` says of one of `pictures`; one without a name is none.
template <class Picture, class NameOf>
bool has_all(const std::vector<Picture>& pictures, std::set<std::string> names, NameOf name_of) {
  for (const Picture& picture : pictures) names.erase(name_of(picture));
  return names.empty();
}

}  // namespace

bool shows(const ClusterPicture& picture, const ObjectNames& names) {
  const auto node_name = [](const NodePicture& node) { return node.name; };
  const auto service_name = [](const ServicePicture& one) { return one.ns + "/" + one.name; };
  const auto ready_pod = [](const PodPicture& pod) {
    return pod.ready ? pod.ns + "/" + pod.name : std::string();
  };
  return has_all(picture.nodes, names.nodes, node_name) &&
         (picture.services_not_shown > 0 ||
          has_all(picture.services, names.services, service_name)) &&
         (picture.pods_not_shown > 0 || has_all(picture.pods, names.pods, ready_pod));
}

ClusterPicturePtr picture_of(ClusterRecords records, const plan::PlanOptions& options) {
  auto picture = std::make_shared<ClusterPicture>();
  picture->records = std::move(records);
  picture->plan = plan::plan_cluster(snapshot_of(picture->records), options);
  const Snapshot& snapshot = *picture->plan.snapshot;
  for (const model::ZoneInfo& zone : snapshot.zones)
    picture->zones.push_back({.name = std::string(snapshot.names[zone.name])});
  picture->nodes = nodes_of(picture->records);
  add_pods(*picture);
  add_services(*picture);
  return picture;
}

}  // namespace proxima::web
