// SPDX-License-Identifier: Apache-2.0
#include "slices/mirror_endpoints.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/model/labels.h"
#include "slices/mirrored_endpoint.h"
#include "slices/mirrored_slice.h"
#include "slices/wanted_mirrors.h"

namespace proxima::slices {
namespace {

constexpr std::string_view kSkipLabel = "endpointslice.kubernetes.io/skip-mirror";
constexpr std::string_view kLeaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

struct Totals {
  std::size_t added = 0;
  std::size_t updated = 0;
  std::size_t removed = 0;
};

// What would change in a slice that holds `held` and shall hold `wanted`, where each is once.
Totals compare(std::span<const kube::EndpointRecord> held,
               std::span<const kube::EndpointRecord> wanted) {
  std::map<EndpointIdentity, const kube::EndpointRecord*> missing;
  for (const auto& endpoint : wanted) missing[identity_of(endpoint)] = &endpoint;
  Totals totals;
  for (const auto& endpoint : held) {
    const auto found = missing.find(identity_of(endpoint));
    if (found == missing.end()) {
      ++totals.removed;
      continue;
    }
    if (!says_the_same(*found->second, endpoint)) ++totals.updated;
    missing.erase(found);
  }
  totals.added = missing.size();
  return totals;
}

class Mirroring {
 public:
  explicit Mirroring(const MirrorInput& input) : input_(input) {
    draft_.families.resize(2);
    draft_.families[1].family = kube::AddressType::IPv6;
    for (const SliceRef& slice : input.slices) {
      EndpointPorts ports = slice->ports;
      std::sort(ports.begin(), ports.end(), port_less);
      slices_[slice->address_type][std::move(ports)].push_back(slice);
    }
  }

  void mirror(WantedMirror wanted) {
    FamilyDraft& family = family_of(wanted.family);
    family.endpoints_desired += wanted.endpoints.size();
    ++family.slices_desired;
    auto& by_ports = slices_[wanted.family];
    const auto held = by_ports.find(wanted.ports);
    if (held == by_ports.end()) {
      family.endpoints_added += wanted.endpoints.size();
      family.creates.push_back({slice_of(std::move(wanted)), {}});
      return;
    }
    keep_first(held->second, std::move(wanted), family);
    by_ports.erase(held);
  }

  MirrorDraft finish() {
    for (const auto& [type, by_ports] : slices_)
      for (const auto& [ports, slices] : by_ports)
        for (const SliceRef& slice : slices) remove(slice);
    for (FamilyDraft& family : draft_.families) recycle(family);
    return std::move(draft_);
  }

 private:
  FamilyDraft& family_of(kube::AddressType type) {
    return draft_.families[type == kube::AddressType::IPv6 ? 1 : 0];
  }

  kube::EndpointSliceRecord slice_of(WantedMirror wanted) const {
    auto slice = new_mirrored_slice(input_.endpoints, wanted.family, std::move(wanted.ports));
    slice.endpoints = std::move(wanted.endpoints);
    return slice;
  }

  void keep_first(const std::vector<SliceRef>& held, WantedMirror wanted, FamilyDraft& family) {
    family.deletes.insert(family.deletes.end(), held.begin() + 1, held.end());
    const SliceRef& first = held.front();
    const Totals totals = compare(first->endpoints, wanted.endpoints);
    family.endpoints_added += totals.added;
    family.endpoints_removed += totals.removed;
    draft_.endpoints_updated += totals.updated;
    if (totals.added + totals.updated + totals.removed == 0 &&
        has_mirrored_metadata(*first, input_.endpoints)) {
      family.unchanged.push_back(first);
    } else {
      family.updates.push_back(in_place_of(first, slice_of(std::move(wanted))));
    }
  }

  void remove(const SliceRef& slice) {
    FamilyDraft& family = family_of(slice->address_type);
    family.endpoints_removed += slice->endpoints.size();
    family.deletes.push_back(slice);
  }

  static SliceDraft in_place_of(const SliceRef& before, kube::EndpointSliceRecord value) {
    value.meta.name = before->meta.name;
    value.generate_name = before->generate_name;
    return {std::move(value), before};
  }

  // A slice of other ports that goes anyway can hold what would be created. Its address type can
  // never change. An Endpoints object that is being deleted gets no new slices.
  void recycle(FamilyDraft& family) const {
    std::vector<SliceRef> gone;
    auto next = family.creates.begin();
    for (const SliceRef& slice : family.deletes) {
      if (next == family.creates.end() || slice->address_type != family.family) {
        gone.push_back(slice);
      } else {
        family.updates.push_back(in_place_of(slice, std::move((next++)->value)));
      }
    }
    family.creates.erase(family.creates.begin(), next);
    family.deletes = std::move(gone);
    if (input_.endpoints.meta.terminating) family.creates.clear();
  }

  const MirrorInput& input_;
  MirrorDraft draft_;
  std::map<kube::AddressType, std::map<EndpointPorts, std::vector<SliceRef>, PortsLess>> slices_;
};

}  // namespace

bool is_mirrored(const kube::EndpointSliceRecord& slice) {
  return label(slice.labels, model::kManagedByLabel).view() == kMirroringIdentity;
}

bool may_mirror(const kube::EndpointsRecord& endpoints) {
  return label(endpoints.labels, kSkipLabel).view() != "true" &&
         !label(endpoints.annotations, kLeaderAnnotation);
}

MirrorDraft mirror_endpoints(const MirrorInput& input) {
  WantedMirrors wanted = wanted_mirrors(input.endpoints, input.max_endpoints_per_subset);
  Mirroring mirroring(input);
  for (WantedMirror& mirror : wanted.mirrors) mirroring.mirror(std::move(mirror));
  MirrorDraft draft = mirroring.finish();
  draft.addresses_invalid = wanted.addresses_invalid;
  draft.addresses_skipped = wanted.addresses_skipped;
  return draft;
}

std::vector<MirrorWarning> mirror_warnings(const MirrorDraft& draft,
                                           std::size_t max_endpoints_per_subset) {
  std::vector<MirrorWarning> warnings;
  if (draft.addresses_invalid > 0)
    warnings.push_back({"InvalidIPAddress", "Skipped " + std::to_string(draft.addresses_invalid) +
                                                " invalid IP addresses when mirroring to "
                                                "EndpointSlices"});
  if (draft.addresses_skipped > draft.addresses_invalid)
    warnings.push_back({"TooManyAddressesToMirror",
                        "A max of " + std::to_string(max_endpoints_per_subset) +
                            " addresses can be mirrored to EndpointSlices per Endpoints subset. " +
                            std::to_string(draft.addresses_skipped) + " addresses were skipped"});
  return warnings;
}

}  // namespace proxima::slices
