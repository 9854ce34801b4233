// SPDX-License-Identifier: Apache-2.0
#include "slices/framed_service.h"

#include <algorithm>
#include <list>
#include <map>
#include <string_view>

#include "core/model/snapshot_builder.h"
#include "core/route/service_texts.h"
#include "kube/record_draft.h"

namespace proxima::slices {
namespace {

using kube::AddressType;
using kube::EndpointRecord;
using kube::EndpointSliceRecord;
using kube::PodRecord;
using plan::ServiceFrame;

// The endpoints of a slice that is there, looked for in the order in which packing keeps them.
class Published {
 public:
  explicit Published(const EndpointSliceRecord* slice) : slice_(slice) {}

  // What is published about the same address; null when nothing is.
  const EndpointRecord* find(const EndpointRecord& endpoint) {
    if (slice_ == nullptr) return nullptr;
    for (std::size_t at = next_; at < slice_->endpoints.size(); ++at) {
      if (slice_->endpoints[at].addresses != endpoint.addresses) continue;
      next_ = at + 1;
      return &slice_->endpoints[at];
    }
    return nullptr;
  }

 private:
  const EndpointSliceRecord* slice_;
  std::size_t next_ = 0;
};

class Filling {
 public:
  Filling(const ServiceInput& input, ServiceFrame& frame) : input_(input), frame_(frame) {}

  std::vector<Text> fill();

 private:
  void put_service();
  void add_clients();
  void add_family(const FamilyDraft& draft);
  void add_slice(const EndpointSliceRecord& slice, const EndpointSliceRecord* before,
                 model::EndpointSlice state);
  void add_endpoint(const EndpointRecord& endpoint, const EndpointRecord* published);
  model::ZoneIndex zone_of(const EndpointRecord& endpoint);
  float weight_of(const EndpointRecord& endpoint) const;

  const ServiceInput& input_;
  ServiceFrame& frame_;
  bool weighted_ = false;
  std::vector<Text> unknown_zones_;
  std::vector<std::uint32_t> zone_hints_;
  std::vector<std::uint32_t> node_hints_;
};

std::vector<Text> Filling::fill() {
  frame_.begin();
  put_service();
  add_clients();
  for (const AddressType family : {AddressType::IPv4, AddressType::IPv6}) {
    for (const FamilyDraft& draft : input_.drafts) {
      if (draft.family == family) add_family(draft);
    }
  }
  return std::move(unknown_zones_);
}

void Filling::put_service() {
  model::Namespace ns;
  if (input_.ns != nullptr) ns = kube::to_draft(*input_.ns, frame_.names());
  ns.name = frame_.intern(input_.service.meta.ns.view());
  frame_.add(ns);
  std::vector<model::ServicePort> ports;  // of a port only this is looked at
  for (const auto& port : input_.service.ports) ports.push_back({.node_port = port.node_port});
  std::vector<NameId> keys;
  for (const Text& key : input_.service.topology_keys) keys.push_back(frame_.intern(key.view()));
  frame_.put(kube::to_routing(input_.service, frame_.names()), ports, keys);
}

void Filling::add_clients() {
  std::map<std::string_view, model::NamespaceIndex> namespaces{
      {input_.service.meta.ns.view(), model::NamespaceIndex(0)}};
  for (const Ref<const PodRecord>& pod : input_.clients) {
    auto& ns = namespaces[pod->ns.view()];
    if (!ns) ns = frame_.add({.name = frame_.intern(pod->ns.view()), .routing = {}});
    model::Pod client;
    client.ns = ns;
    client.name = frame_.intern(pod->name.view());
    client.node = frame_.node(pod->node.view());
    if (pod->workload && pod->workload->owner) {
      client.owner = frame_.intern(pod->workload->owner.view());
    }
    client.ready = pod->ready;
    client.terminating = pod->terminating;
    frame_.add_client(client);
  }
}

void Filling::add_family(const FamilyDraft& draft) {
  const IpFamily family = draft.family == AddressType::IPv4 ? IpFamily::V4 : IpFamily::V6;
  weighted_ = draft.may_be_weighted;
  for (const SliceDraft& slice : draft.creates) {
    add_slice(slice.value, nullptr, {.family = family, .derived = true});
  }
  for (const SliceDraft& slice : draft.updates) {
    add_slice(slice.value, slice.before.get(), {.family = family, .rewritten = true});
  }
  for (const SliceRef& slice : draft.unchanged) {
    add_slice(*slice, slice.get(), {.family = family});
  }
}

void Filling::add_slice(const EndpointSliceRecord& slice, const EndpointSliceRecord* before,
                        model::EndpointSlice state) {
  frame_.add(state);
  if (&slice == before) {
    for (const EndpointRecord& endpoint : slice.endpoints) add_endpoint(endpoint, &endpoint);
    return;
  }
  Published published(before);
  for (const EndpointRecord& endpoint : slice.endpoints) {
    add_endpoint(endpoint, published.find(endpoint));
  }
}

template <class Index>
void resolve_hint(Index index, std::vector<std::uint32_t>& hints) {
  hints.push_back(index ? static_cast<std::uint32_t>(index.value()) : model::kUnknownHint);
}

void Filling::add_endpoint(const EndpointRecord& endpoint, const EndpointRecord* published) {
  model::Endpoint out;
  if (endpoint.node) out.node = frame_.node(endpoint.node.view());
  out.zone = zone_of(endpoint);
  out.ready = endpoint.ready;
  out.serving = endpoint.serving;
  out.terminating = endpoint.terminating;
  out.weight = weighted_ ? weight_of(endpoint) : 1;
  zone_hints_.clear();
  node_hints_.clear();
  if (published != nullptr) {
    for (const Text& zone : published->zone_hints) {
      resolve_hint(frame_.zone(zone.view()), zone_hints_);
    }
    for (const Text& node : published->node_hints) {
      resolve_hint(frame_.node(node.view()), node_hints_);
    }
  }
  frame_.add(out, zone_hints_, node_hints_);
}

model::ZoneIndex Filling::zone_of(const EndpointRecord& endpoint) {
  if (endpoint.zone.view().empty()) return {};
  const model::ZoneIndex zone = frame_.zone(endpoint.zone.view());
  if (!zone) unknown_zones_.push_back(endpoint.zone);
  return zone;
}

float Filling::weight_of(const EndpointRecord& endpoint) const {
  const auto& target = endpoint.target;
  if (!target || target->kind.view() != "Pod") return 1;
  const Text& ns = target->ns ? target->ns : input_.service.meta.ns;
  const PodRecord* pod = input_.pods.peek({ns.view(), target->name.view()});
  return pod != nullptr && pod->workload ? pod->workload->weight : 1;
}

// Adds to `any`; false: a ready endpoint has no hint.
bool all_hinted(const EndpointSliceRecord& slice, bool& any) {
  for (const EndpointRecord& endpoint : slice.endpoints) {
    if (endpoint.ready != model::Condition::True) continue;
    if (endpoint.zone_hints.empty()) return false;
    any = true;
  }
  return true;
}

}  // namespace

std::vector<Text> put_into_frame(const ServiceInput& input, plan::ServiceFrame& frame) {
  return Filling(input, frame).fill();
}

bool is_hinted(const FamilyDraft& draft) {
  bool any = false;
  for (const SliceRef& slice : draft.unchanged) {
    if (!all_hinted(*slice, any)) return false;
  }
  for (const SliceRef& slice : draft.deletes) {
    if (!all_hinted(*slice, any)) return false;
  }
  for (const SliceDraft& slice : draft.updates) {
    if (slice.before && !all_hinted(*slice.before, any)) return false;
  }
  return any;
}

std::vector<route::FailingZone> failing_zones(const FamilyDraft& draft) {
  std::vector<route::SliceTexts> texts;
  std::list<route::SliceRouting> routings;  // the texts refer to them; nearly always none
  const auto read = [&](const EndpointSliceRecord& slice) {
    const Text text = label(slice.annotations, model::kRoutingAnnotation);
    if (text.view().empty()) return;
    auto routing = route::parse_slice_routing(text.view(), slice.endpoints.size());
    if (!routing) return;
    texts.push_back({.version = slice.meta.version,
                     .slice = slice.meta.name.view(),
                     .split = {},
                     .routing = &routings.emplace_back(std::move(*routing))});
  };
  for (const SliceRef& slice : draft.unchanged) read(*slice);
  for (const SliceRef& slice : draft.deletes) read(*slice);
  for (const SliceDraft& slice : draft.updates)
    if (slice.before) read(*slice.before);
  return route::read_service_texts(std::move(texts)).failing;
}

}  // namespace proxima::slices
