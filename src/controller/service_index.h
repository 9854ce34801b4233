// SPDX-License-Identifier: Apache-2.0
// Which Services select a Pod, which Pods a Service has, and which Pods a workload has, in every
// namespace. Told of every change in order; what a change costs does not depend on how large the
// cluster is. It holds the records that it was told of, so what it says of a Service and of its
// Pods fits together. For one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/selector_index.h"
#include "kube/cache.h"

namespace proxima::controller {

// "shop/web", ascending, each once.
using ServiceKeys = std::vector<std::string>;

class ServiceIndex {
 public:
  struct Selection {
    ServiceRef service;
    std::vector<PodRef> pods;  // by name
  };

  // The Services whose endpoints are no longer what they should be: those of a Pod that changed,
  // and those that lost or gained one.
  ServiceKeys apply(const kube::Change<kube::PodRecord>& change);
  void apply(const kube::Change<kube::ServiceRecord>& change);

  // None: there is no such Service.
  std::optional<Selection> find(const kube::ObjectKey& key) const;
  ServiceKeys services_of(const kube::PodRecord& pod) const;
  ServiceKeys services() const;
  ServiceKeys services_in(std::string_view ns) const;
  // Pods of "Kind/name" in a namespace, by name.
  std::vector<PodRef> workload_pods(std::string_view ns, std::string_view owner) const;

 private:
  struct Namespace {
    SelectorIndex selectors;
    std::map<Text, PodSet> workloads;  // by "Deployment/web"; Pods without an owner are not there

    void put_workload(const PodRef& pod);
    void erase_workload(const kube::PodRecord& pod);
    bool empty() const { return selectors.empty() && workloads.empty(); }
  };

  Namespace& make_namespace(std::string_view ns);
  const Namespace* find_namespace(std::string_view ns) const;

  std::map<std::string, Namespace, std::less<>> namespaces_;
};

}  // namespace proxima::controller
