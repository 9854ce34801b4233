// SPDX-License-Identifier: Apache-2.0
#include "controller/selector_index.h"

#include <algorithm>
#include <limits>

namespace proxima::controller {
namespace {

using kube::LabelText;

std::span<const LabelText> all_of(const kube::LabelSetRef& labels) {
  return labels ? std::span<const LabelText>(labels->all()) : std::span<const LabelText>();
}

bool selects(const kube::LabelSet& selector, const kube::LabelSetRef& labels) {
  const auto& wanted = selector.all();
  return std::all_of(wanted.begin(), wanted.end(), [&](const LabelText& pair) {
    return kube::label(labels, pair.key.view()) == pair.value;
  });
}

struct PairHash {
  std::size_t operator()(const LabelText& pair) const {
    const std::hash<std::string_view> hash;
    return hash(pair.key.view()) * 31 + hash(pair.value.view());
  }
};

bool by_key(const SelectorIndex::Service* a, const SelectorIndex::Service* b) {
  return a->key < b->key;
}

void insert_sorted(std::vector<const SelectorIndex::Service*>& services,
                   const SelectorIndex::Service* service) {
  services.insert(std::lower_bound(services.begin(), services.end(), service, by_key), service);
}

template <class T>
void erase_unordered(std::vector<T*>& all, const T* one) {
  const auto found = std::find(all.begin(), all.end(), one);
  if (found == all.end()) return;
  *found = all.back();
  all.pop_back();
}

}  // namespace

struct SelectorIndex::Pairs {
  std::unordered_map<LabelText, std::vector<Service*>, PairHash> services;
  std::unordered_map<LabelText, std::vector<Group*>, PairHash> groups;

  std::size_t services_with(const LabelText& pair) const {
    const auto found = services.find(pair);
    return found == services.end() ? 0 : found->second.size();
  }
  // The pair that fewest other Services stand under: many share one that says little.
  const LabelText& rarest(const kube::LabelSet& selector) const {
    const auto& all = selector.all();
    return *std::min_element(all.begin(), all.end(), [&](const LabelText& a, const LabelText& b) {
      return services_with(a) < services_with(b);
    });
  }
  // The groups with the pair of `selector` that fewest have; null: there are none.
  const std::vector<Group*>* fewest_groups(const kube::LabelSet& selector) const {
    const std::vector<Group*>* fewest = nullptr;
    for (const LabelText& pair : selector.all()) {
      const auto found = groups.find(pair);
      if (found == groups.end()) return nullptr;
      if (fewest == nullptr || found->second.size() < fewest->size()) fewest = &found->second;
    }
    return fewest;
  }

  void add(Group& group) {
    for (const LabelText& pair : all_of(group.labels)) {
      auto& row = groups[pair];
      group.positions.push_back(static_cast<std::uint32_t>(row.size()));
      row.push_back(&group);
    }
  }
  void remove(Group& group) {
    const auto labels = all_of(group.labels);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto found = groups.find(labels[i]);
      auto& row = found->second;
      Group& last = *row.back();
      row[group.positions[i]] = &last;
      position_of(last, labels[i]) = group.positions[i];
      row.pop_back();
      if (row.empty()) groups.erase(found);
    }
  }
  static std::uint32_t& position_of(Group& group, const LabelText& pair) {
    const auto labels = all_of(group.labels);
    const auto found = std::find_if(labels.begin(), labels.end(),
                                    [&](const LabelText& label) { return label.key == pair.key; });
    return group.positions[static_cast<std::size_t>(found - labels.begin())];
  }
};

SelectorIndex::SelectorIndex() : pairs_(std::make_unique<Pairs>()) {}
SelectorIndex::~SelectorIndex() = default;
SelectorIndex::SelectorIndex(SelectorIndex&&) noexcept = default;
SelectorIndex& SelectorIndex::operator=(SelectorIndex&&) noexcept = default;

void SelectorIndex::put(ServiceRef record) {
  auto& service = services_[std::string(record->meta.name.view())];
  if (service && service->record->selector && record->selector &&
      *service->record->selector == *record->selector) {
    // The pair that it stands under is the old selector's, and must stay alive with it.
    const auto& pairs = record->selector->all();
    if (service->indexed_by != nullptr)
      service->indexed_by = &*std::find(pairs.begin(), pairs.end(), *service->indexed_by);
    service->record = std::move(record);
    return;
  }
  if (service) detach(*service);
  if (!service) service = std::make_unique<Service>();
  service->key = kube::to_text(record->key());
  service->record = std::move(record);
  attach(*service);
}

void SelectorIndex::erase_service(std::string_view name) {
  const auto found = services_.find(name);
  if (found == services_.end()) return;
  detach(*found->second);
  services_.erase(found);
}

const SelectorIndex::Service* SelectorIndex::find_service(std::string_view name) const {
  const auto found = services_.find(name);
  return found == services_.end() ? nullptr : found->second.get();
}

void SelectorIndex::attach(Service& service) {
  if (!service.record->selector) return;
  const kube::LabelSet& selector = *service.record->selector;
  const auto join = [&](Group& group) {
    service.groups.push_back(&group);
    insert_sorted(group.services, &service);
  };
  if (selector.all().empty()) {
    selecting_all_.push_back(&service);
    for (const auto& [labels, group] : groups_) join(*group);
    return;
  }
  service.indexed_by = &pairs_->rarest(selector);
  pairs_->services[*service.indexed_by].push_back(&service);
  const auto* groups = pairs_->fewest_groups(selector);
  if (groups == nullptr) return;
  for (Group* group : *groups)
    if (selects(selector, group->labels)) join(*group);
}

void SelectorIndex::detach(Service& service) {
  for (Group* group : service.groups) std::erase(group->services, &service);
  service.groups.clear();
  erase_unordered(selecting_all_, &service);
  if (service.indexed_by == nullptr) return;
  const auto row = pairs_->services.find(*service.indexed_by);
  erase_unordered(row->second, &service);
  if (row->second.empty()) pairs_->services.erase(row);
  service.indexed_by = nullptr;
}

SelectorIndex::Group& SelectorIndex::make_group(const kube::LabelSetRef& labels) {
  auto& group = groups_[labels.get()];
  if (group) return *group;
  group = std::make_unique<Group>();
  group->labels = labels;
  pairs_->add(*group);
  const auto join = [&](Service& service) {
    service.groups.push_back(group.get());
    insert_sorted(group->services, &service);
  };
  for (Service* service : selecting_all_) join(*service);
  for (const LabelText& pair : all_of(labels)) {
    const auto row = pairs_->services.find(pair);
    if (row == pairs_->services.end()) continue;
    for (Service* service : row->second)
      if (selects(*service->record->selector, labels)) join(*service);
  }
  return *group;
}

void SelectorIndex::drop_group(Group& group) {
  for (const Service* service : group.services)
    erase_unordered(services_.find(service->record->meta.name.view())->second->groups, &group);
  pairs_->remove(group);
  groups_.erase(group.labels.get());
}

const SelectorIndex::Group& SelectorIndex::put(PodRef pod) {
  Group& group = make_group(pod->labels);
  group.pods.put(std::move(pod));
  return group;
}

std::vector<const SelectorIndex::Service*> SelectorIndex::erase(const kube::PodRecord& pod) {
  const auto found = groups_.find(pod.labels.get());
  if (found == groups_.end()) return {};
  Group& group = *found->second;
  auto services = group.services;
  group.pods.erase(pod.name.view());
  if (group.pods.empty()) drop_group(group);
  return services;
}

const SelectorIndex::Group* SelectorIndex::find_group(const kube::LabelSetRef& labels) const {
  const auto found = groups_.find(labels.get());
  return found == groups_.end() ? nullptr : found->second.get();
}

}  // namespace proxima::controller
