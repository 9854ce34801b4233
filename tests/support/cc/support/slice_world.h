// SPDX-License-Identifier: Apache-2.0
// One Service with Pods, nodes and slices, for tests of what becomes of the slices: rounds of
// changes, packing and writing, as an API server would keep them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/labels.h"
#include "kube/cache.h"
#include "slices/new_slice.h"
#include "slices/pack_family.h"

namespace proxima::support {

inline kube::LabelSetRef label_set(const std::map<std::string, std::string>& labels) {
  std::vector<kube::LabelText> texts;
  for (const auto& [key, value] : labels) texts.push_back({Text(key), Text(value)});
  return kube::LabelSetRef(new kube::LabelSet(std::move(texts)));
}

// How many slices were created, updated and deleted.
struct Writes {
  std::size_t created = 0, updated = 0, deleted = 0;
  friend bool operator==(const Writes&, const Writes&) = default;
};

// "2 created, 1 updated", "nothing".
inline std::string to_text(const Writes& writes) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view verb) {
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + " " + std::string(verb);
  };
  add(writes.created, "created");
  add(writes.updated, "updated");
  add(writes.deleted, "deleted");
  return text.empty() ? "nothing" : text;
}

class SliceWorld {
 public:
  using Slices = std::map<std::string, slices::SliceRef>;

  // Service shop/web over IPv4 with a cluster address and port 80; nodes n0, n1 and n2 in zones a,
  // b and c.
  SliceWorld() {
    service.meta.ns = Text("shop");
    service.meta.name = Text("web");
    service.meta.uid = Text("web-uid");
    service.ip_families = {IpFamily::V4};
    service.cluster_ips = {*IpAddress::parse("10.96.0.1")};
    service.ports = {port("http", 80)};
    node("n0", {{std::string(model::kZoneLabel), "a"}});
    node("n1", {{std::string(model::kZoneLabel), "b"}});
    node("n2", {{std::string(model::kZoneLabel), "c"}});
  }

  static kube::ServicePortRecord port(std::string_view name, std::uint16_t target) {
    kube::ServicePortRecord made;
    made.name = Text(name);
    made.port = 80;
    made.target_port = target;
    return made;
  }
  static kube::ServicePortRecord named_port(std::string_view name, std::string_view target) {
    kube::ServicePortRecord made = port(name, 0);
    made.target_name = Text(target);
    return made;
  }

  void node(std::string_view name, const std::map<std::string, std::string>& labels) {
    auto made = make_ref<kube::NodeRecord>();
    made->meta.name = Text(name);
    made->labels = label_set(labels);
    nodes.put(made);
  }

  // Ready Pods p000, p001, … on the nodes in turn, with addresses 10.0.0.0, 10.0.0.1, …
  void pods(std::size_t count, std::size_t first = 0) {
    for (std::size_t i = first; i < first + count; ++i) pod(i);
  }
  kube::PodRecord& pod(std::size_t number) {
    std::string name = std::to_string(number);
    name.insert(0, name.size() < 3 ? 3 - name.size() : 0, '0');
    return pod("p" + name,
               "10.0." + std::to_string(number / 256) + "." + std::to_string(number % 256),
               "n" + std::to_string(number % 3));
  }
  kube::PodRecord& pod(const std::string& name, std::string_view address, std::string_view on) {
    kube::PodRecord made;
    made.phase = model::PodPhase::Running;
    made.ready = true;
    made.ns = service.meta.ns;
    made.name = Text(name);
    made.uid = Text("uid-of-" + name);
    if (!on.empty()) made.node = Text(on);
    if (!address.empty()) made.addresses.add(*IpAddress::parse(address));
    return all_pods[name] = made;
  }

  slices::FamilyDraft pack(kube::AddressType family = kube::AddressType::IPv4) const {
    std::vector<slices::PodRef> selected;
    for (const auto& [name, pod] : all_pods)
      selected.push_back(slices::PodRef(new kube::PodRecord(pod)));
    std::vector<slices::SliceRef> present;
    for (const auto& [name, slice] : all_slices)
      if (slice->address_type == family) present.push_back(slice);
    const auto all_of_them = nodes.snapshot();
    const slices::NodePlaces places(all_of_them);
    // The draft borrows nothing from these Pods: it outlives them.
    return slices::pack_family({.service = service,
                                .family = family,
                                .pods = selected,
                                .nodes = all_of_them,
                                .slices = present,
                                .max_endpoints_per_slice = max_endpoints,
                                .places = use_places ? &places : nullptr});
  }

  // What the API server makes of a draft.
  Writes write(slices::FamilyDraft draft) {
    slices::recycle_slices(service, draft);
    for (slices::SliceDraft& created : draft.creates) {
      created.value.meta.name =
          Text(std::string(created.value.generate_name.view()) + std::to_string(10 + next_name_++));
      put(std::move(created.value));
    }
    for (slices::SliceDraft& updated : draft.updates) put(std::move(updated.value));
    for (const slices::SliceRef& slice : draft.deletes)
      all_slices.erase(std::string(slice->meta.name.view()));
    return {draft.creates.size(), draft.updates.size(), draft.deletes.size()};
  }
  std::string sync(kube::AddressType family = kube::AddressType::IPv4) {
    return to_text(write(pack(family)));
  }

  void put(kube::EndpointSliceRecord slice) {
    slice.meta.version = ++version_;
    slice.service = kube::label(slice.labels, model::kServiceNameLabel);
    const std::string name(slice.meta.name.view());
    all_slices[name] = slices::SliceRef(new kube::EndpointSliceRecord(std::move(slice)));
  }
  // A slice as it would be now, with the endpoints of these Pods.
  void slice(const std::string& name, std::size_t first, std::size_t count) {
    SliceWorld other;
    other.service = service;
    other.nodes.replace(all_nodes());
    other.max_endpoints = std::max<std::size_t>(count, 1);
    for (std::size_t i = first; i < first + count; ++i) other.all_pods.insert(*pod_entry(i));
    auto draft = other.pack();
    draft.creates.front().value.meta.name = Text(name);
    if (count == 0) draft.creates.front().value.ports = slices::resolve_ports(service, nullptr);
    put(std::move(draft.creates.front().value));
  }

  // By size: "100 100 50".
  std::string sizes() const {
    std::vector<std::size_t> counts;
    for (const auto& [name, slice] : all_slices) counts.push_back(slice->endpoints.size());
    std::sort(counts.rbegin(), counts.rend());
    std::string text;
    for (const std::size_t count : counts)
      text += (text.empty() ? "" : " ") + std::to_string(count);
    return text;
  }
  const kube::EndpointSliceRecord& only_slice() const { return *all_slices.begin()->second; }

  kube::ServiceRecord service;
  kube::Cache<kube::NodeRecord> nodes;
  std::map<std::string, kube::PodRecord> all_pods;
  Slices all_slices;
  std::size_t max_endpoints = 100;
  bool use_places = false;

 private:
  std::vector<Ref<const kube::NodeRecord>> all_nodes() const {
    std::vector<Ref<const kube::NodeRecord>> all;
    nodes.snapshot().each([&](const Ref<const kube::NodeRecord>& node) { all.push_back(node); });
    return all;
  }
  std::map<std::string, kube::PodRecord>::const_iterator pod_entry(std::size_t number) const {
    std::string name = std::to_string(number);
    name.insert(0, name.size() < 3 ? 3 - name.size() : 0, '0');
    return all_pods.find("p" + name);
  }

  std::uint64_t version_ = 0;
  std::size_t next_name_ = 0;
};

}  // namespace proxima::support
