// SPDX-License-Identifier: Apache-2.0
#include "slices/pack_family.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "slices/new_slice.h"
#include "slices/pack_slices.h"
#include "slices/placeholder.h"
#include "slices/port_group.h"

namespace proxima::slices {
namespace {

std::string missing_node(const kube::PodRecord& pod, const kube::ServiceRecord& service) {
  std::string text = "skipping Pod ";
  text.append(pod.name.view()).append(" for Service ");
  text.append(service.meta.ns.view()).append("/").append(service.meta.name.view());
  return text.append(": Node ").append(pod.node.view()).append(" Not Found");
}

struct FoundNode {
  bool known = false;
  const Text* zone = nullptr;
};

FoundNode find_node(const FamilyInput& input, const kube::PodRecord& pod) {
  if (input.places != nullptr) {
    const NodePlace* place = input.places->find(pod.node.view());
    if (place == nullptr) return {};
    return {true, place->zone ? &place->zone : nullptr};
  }
  const kube::NodeRecord* node = input.nodes.peek({{}, pod.node.view()});
  return node == nullptr ? FoundNode{} : FoundNode{true, zone_of(*node)};
}

// Fills the groups with what there should be. A Pod whose node is unknown may be gone with it: it
// is left out, and looked at again, unless the Service asks for every Pod there is.
void collect_pods(const FamilyInput& input, const EndpointMaker& maker, PortGroups& groups,
                  FamilyDraft& draft) {
  for (const PodRef& pod : input.pods) {
    if (!can_be_endpoint(*pod)) continue;
    PortGroup& group = groups.of(*pod);
    const FoundNode node = find_node(input, *pod);
    if (!node.known && !input.service.publish_not_ready) {
      draft.problems.push_back(missing_node(*pod, input.service));
      continue;
    }
    if (!maker.has_address(*pod)) continue;
    if (group.wanted.empty()) group.wanted.reserve(input.pods.size());
    group.wanted.push_back({.source = {.pod = pod.get(), .zone = node.zone}});
  }
}

// What belongs to nobody here, or has ports that nobody has, goes.
void collect_slices(const FamilyInput& input, PortGroups& groups, FamilyDraft& draft) {
  for (const SliceRef& slice : input.slices) {
    PortGroup* group = is_owned_by(*slice, input.service) ? groups.find(slice->ports) : nullptr;
    if (group != nullptr) {
      group->present.push_back(&slice);
    } else {
      draft.deletes.push_back(slice);
    }
  }
}

std::size_t slices_for(std::size_t endpoints, std::size_t max_endpoints) {
  return (endpoints + max_endpoints - 1) / max_endpoints;
}

// Several groups leave them in the order of the groups.
void sort_by_name(FamilyDraft& draft) {
  const auto ref_less = [](const SliceRef& a, const SliceRef& b) {
    return a->meta.name < b->meta.name;
  };
  std::sort(draft.deletes.begin(), draft.deletes.end(), ref_less);
  std::sort(draft.unchanged.begin(), draft.unchanged.end(), ref_less);
  std::sort(draft.updates.begin(), draft.updates.end(),
            [&](const SliceDraft& a, const SliceDraft& b) { return ref_less(a.before, b.before); });
}

}  // namespace

FamilyDraft pack_family(const FamilyInput& input) {
  PROXIMA_CHECK(input.max_endpoints_per_slice > 0);
  FamilyDraft draft;
  draft.family = input.family;
  SlicePacker packer(input.service, input.family, input.max_endpoints_per_slice);
  PortGroups groups(input.service);
  collect_pods(input, packer.maker(), groups, draft);
  collect_slices(input, groups, draft);
  for (auto& [ports, group] : groups.all()) {
    packer.pack(ports, group, draft);
    draft.endpoints_desired += group.wanted.size();
    draft.slices_desired += slices_for(group.wanted.size(), input.max_endpoints_per_slice);
  }
  if (draft.deletes.size() == input.slices.size() && draft.creates.empty())
    leave_placeholder(input.service, draft);
  draft.slices_desired = std::max<std::size_t>(draft.slices_desired, 1);
  draft.may_be_weighted = std::any_of(input.pods.begin(), input.pods.end(), [](const PodRef& pod) {
    return pod->workload && pod->workload->weight != 1;
  });
  sort_by_name(draft);
  return draft;
}

}  // namespace proxima::slices
