// SPDX-License-Identifier: Apache-2.0
#include "controller/service_index.h"

#include <algorithm>

#include "controller/pod_change.h"

namespace proxima::controller {
namespace {

using Services = std::vector<const SelectorIndex::Service*>;

void add_keys(const Services& services, ServiceKeys& keys) {
  for (const auto* service : services) keys.push_back(service->key);
}

// Both are in order.
ServiceKeys concerned(PodEffect effect, const Services& before, const Services& now) {
  const auto less = [](const auto* a, const auto* b) { return a->key < b->key; };
  Services all;
  if (effect.endpoint) {
    std::set_union(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(all),
                   less);
  } else {
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                  std::back_inserter(all), less);
  }
  ServiceKeys keys;
  add_keys(all, keys);
  return keys;
}

}  // namespace

void ServiceIndex::Namespace::put_workload(const PodRef& pod) {
  if (pod->workload && pod->workload->owner) workloads[pod->workload->owner].put(pod);
}

void ServiceIndex::Namespace::erase_workload(const kube::PodRecord& pod) {
  if (!pod.workload) return;
  const auto found = workloads.find(pod.workload->owner);
  if (found == workloads.end()) return;
  found->second.erase(pod.name.view());
  if (found->second.empty()) workloads.erase(found);
}

ServiceIndex::Namespace& ServiceIndex::make_namespace(std::string_view ns) {
  const auto found = namespaces_.find(ns);
  return found != namespaces_.end() ? found->second : namespaces_[std::string(ns)];
}

const ServiceIndex::Namespace* ServiceIndex::find_namespace(std::string_view ns) const {
  const auto found = namespaces_.find(ns);
  return found == namespaces_.end() ? nullptr : &found->second;
}

ServiceKeys ServiceIndex::apply(const kube::Change<kube::PodRecord>& change) {
  const std::string ns(change.key().ns);
  Namespace& home = make_namespace(ns);
  const bool same_group =
      change.before && change.now && change.before->labels == change.now->labels;
  Services before;
  Services now;
  if (change.before) {
    home.erase_workload(*change.before);
    if (!same_group) before = home.selectors.erase(*change.before);
  }
  if (change.now) {
    home.put_workload(change.now);
    now = home.selectors.put(change.now).services;
  }
  ServiceKeys keys = concerned(effect_of(change), same_group ? now : before, now);
  if (home.empty()) namespaces_.erase(ns);
  return keys;
}

void ServiceIndex::apply(const kube::Change<kube::ServiceRecord>& change) {
  const std::string ns(change.key().ns);
  Namespace& home = make_namespace(ns);
  if (change.now) {
    home.selectors.put(change.now);
  } else {
    home.selectors.erase_service(change.key().name);
  }
  if (home.empty()) namespaces_.erase(ns);
}

std::optional<ServiceIndex::Selection> ServiceIndex::find(const kube::ObjectKey& key) const {
  const Namespace* home = find_namespace(key.ns);
  const SelectorIndex::Service* service =
      home == nullptr ? nullptr : home->selectors.find_service(key.name);
  if (service == nullptr) return std::nullopt;
  Selection selection{service->record, {}};
  for (const SelectorIndex::Group* group : service->groups)
    selection.pods.insert(selection.pods.end(), group->pods.all().begin(), group->pods.all().end());
  if (service->groups.size() > 1)
    std::sort(selection.pods.begin(), selection.pods.end(),
              [](const PodRef& a, const PodRef& b) { return a->name.view() < b->name.view(); });
  return selection;
}

ServiceKeys ServiceIndex::services_of(const kube::PodRecord& pod) const {
  const Namespace* home = find_namespace(pod.ns.view());
  const SelectorIndex::Group* group =
      home == nullptr ? nullptr : home->selectors.find_group(pod.labels);
  ServiceKeys keys;
  if (group != nullptr) add_keys(group->services, keys);
  return keys;
}

ServiceKeys ServiceIndex::services() const {
  ServiceKeys keys;
  for (const auto& [ns, home] : namespaces_)
    for (const auto& [name, service] : home.selectors.services()) keys.push_back(service->key);
  return keys;
}

ServiceKeys ServiceIndex::services_in(std::string_view ns) const {
  ServiceKeys keys;
  if (const Namespace* home = find_namespace(ns))
    for (const auto& [name, service] : home->selectors.services()) keys.push_back(service->key);
  return keys;
}

std::vector<PodRef> ServiceIndex::workload_pods(std::string_view ns, std::string_view owner) const {
  const Namespace* home = find_namespace(ns);
  if (home == nullptr) return {};
  const auto found = home->workloads.find(Text(owner));
  return found == home->workloads.end() ? std::vector<PodRef>() : found->second.all();
}

}  // namespace proxima::controller
