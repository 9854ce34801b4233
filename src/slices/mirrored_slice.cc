// SPDX-License-Identifier: Apache-2.0
#include "slices/mirrored_slice.h"

#include <algorithm>
#include <utility>

#include "core/model/labels.h"
#include "slices/mirror_endpoints.h"
#include "slices/new_slice.h"

namespace proxima::slices {
namespace {

constexpr std::string_view kEndpointsKind = "Endpoints";
// They tell of the writing of the Endpoints object, not of what is in it.
constexpr std::string_view kTriggerTime = "endpoints.kubernetes.io/last-change-trigger-time";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

std::vector<kube::LabelText> all_except(const kube::LabelSetRef& labels, std::string_view first,
                                        std::string_view second) {
  std::vector<kube::LabelText> kept;
  if (!labels) return kept;
  for (const kube::LabelText& label : labels->all())
    if (label.key.view() != first && label.key.view() != second) kept.push_back(label);
  return kept;
}

kube::LabelSetRef in_order(std::vector<kube::LabelText> labels) {
  std::sort(labels.begin(), labels.end(),
            [](const kube::LabelText& a, const kube::LabelText& b) { return a.key < b.key; });
  return kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
}

kube::LabelSetRef mirrored_labels(const kube::EndpointsRecord& endpoints) {
  auto labels = all_except(endpoints.labels, model::kServiceNameLabel, model::kManagedByLabel);
  labels.push_back({Text(model::kServiceNameLabel), endpoints.meta.name});
  labels.push_back({Text(model::kManagedByLabel), Text(kMirroringIdentity)});
  return in_order(std::move(labels));
}

kube::LabelSetRef mirrored_annotations(const kube::EndpointsRecord& endpoints) {
  return in_order(all_except(endpoints.annotations, kTriggerTime, kLastApplied));
}

}  // namespace

kube::EndpointSliceRecord new_mirrored_slice(const kube::EndpointsRecord& endpoints,
                                             kube::AddressType family, EndpointPorts ports) {
  kube::EndpointSliceRecord slice;
  slice.meta.ns = endpoints.meta.ns;
  slice.generate_name = Text(generated_name_prefix(endpoints.meta.name.view()));
  slice.labels = mirrored_labels(endpoints);
  slice.annotations = mirrored_annotations(endpoints);
  slice.owners.push_back({.api_version = Text("v1"),
                          .kind = Text(kEndpointsKind),
                          .name = endpoints.meta.name,
                          .uid = endpoints.meta.uid,
                          .controller = true,
                          .block_owner_deletion = true});
  slice.address_type = family;
  slice.service = endpoints.meta.name;
  slice.ports = std::move(ports);
  return slice;
}

bool has_mirrored_metadata(const kube::EndpointSliceRecord& slice,
                           const kube::EndpointsRecord& endpoints) {
  const bool has_earlier_owner =
      std::any_of(slice.owners.begin(), slice.owners.end(), [&](const kube::OwnerReference& owner) {
        return owner.kind.view() == kEndpointsKind && owner.name == endpoints.meta.name &&
               !(owner.uid == endpoints.meta.uid);
      });
  return !has_earlier_owner && kube::same_labels(slice.labels, mirrored_labels(endpoints)) &&
         kube::same_labels(slice.annotations, mirrored_annotations(endpoints));
}

}  // namespace proxima::slices
