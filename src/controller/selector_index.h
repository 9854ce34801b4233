// SPDX-License-Identifier: Apache-2.0
// Which Services of one namespace select which Pods, kept as they come and go. Pods with the same
// labels are one group, matched against the Services once; a Service finds its groups, and a group
// its Services, by one pair of key and value that both have. So a change costs what it concerns and
// not what else is in the namespace. For one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "controller/pod_set.h"
#include "kube/service_record.h"

namespace proxima::controller {

using ServiceRef = Ref<const kube::ServiceRecord>;

class SelectorIndex {
 public:
  struct Group;
  struct Service {
    ServiceRef record;
    std::string key;                              // "shop/web"
    std::vector<Group*> groups;                   // in no order
    const kube::LabelText* indexed_by = nullptr;  // null: it selects everything, or nothing
  };
  struct Group {
    kube::LabelSetRef labels;  // null: no labels
    PodSet pods;
    std::vector<const Service*> services;  // by key
    // Where it stands among the groups that have the label, one for each.
    std::vector<std::uint32_t> positions;
  };

  SelectorIndex();
  ~SelectorIndex();
  SelectorIndex(SelectorIndex&&) noexcept;
  SelectorIndex& operator=(SelectorIndex&&) noexcept;

  void put(ServiceRef record);
  void erase_service(std::string_view name);
  // Null when it is not there.
  const Service* find_service(std::string_view name) const;

  // The group of the Pod's labels, with the Pod in it.
  const Group& put(PodRef pod);
  // A group without Pods is gone; its Services are returned, by key.
  std::vector<const Service*> erase(const kube::PodRecord& pod);
  // Null when no Pod has these labels.
  const Group* find_group(const kube::LabelSetRef& labels) const;

  const std::map<std::string, std::unique_ptr<Service>, std::less<>>& services() const {
    return services_;
  }
  bool empty() const { return services_.empty() && groups_.empty(); }

 private:
  struct Pairs;

  Group& make_group(const kube::LabelSetRef& labels);
  void drop_group(Group& group);
  void attach(Service& service);
  void detach(Service& service);

  std::map<std::string, std::unique_ptr<Service>, std::less<>> services_;
  // By the address of the labels, of which equal ones are one value in a cache. Where they are not,
  // there is a group more, and nothing else.
  std::unordered_map<const kube::LabelSet*, std::unique_ptr<Group>> groups_;
  std::vector<Service*> selecting_all_;
  std::unique_ptr<Pairs> pairs_;
};

}  // namespace proxima::controller
