// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_labels.h"

#include <algorithm>
#include <span>

#include "core/model/labels.h"

namespace proxima::slices {
namespace {

bool is_reserved(std::string_view key) {
  return key == model::kServiceNameLabel || key == model::kManagedByLabel ||
         key == model::kHeadlessLabel;
}

std::span<const kube::LabelText> all_of(const kube::LabelSetRef& labels) {
  return labels ? std::span<const kube::LabelText>(labels->all())
                : std::span<const kube::LabelText>();
}

std::span<const kube::LabelText> skip_reserved(std::span<const kube::LabelText> labels) {
  while (!labels.empty() && is_reserved(labels.front().key.view())) labels = labels.subspan(1);
  return labels;
}

}  // namespace

kube::LabelSetRef slice_labels(const kube::ServiceRecord& service) {
  std::vector<kube::LabelText> labels;
  for (const kube::LabelText& label : all_of(service.labels))
    if (!is_reserved(label.key.view())) labels.push_back(label);
  labels.push_back({Text(model::kServiceNameLabel), service.meta.name});
  labels.push_back({Text(model::kManagedByLabel), Text(kControllerIdentity)});
  if (service.headless || service.cluster_ips.empty())
    labels.push_back({Text(model::kHeadlessLabel), Text("")});
  std::sort(labels.begin(), labels.end(),
            [](const kube::LabelText& a, const kube::LabelText& b) { return a.key < b.key; });
  return kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
}

bool mirrors_labels(const kube::LabelSetRef& slice, const kube::LabelSetRef& service) {
  auto mirrored = skip_reserved(all_of(slice));
  auto wanted = skip_reserved(all_of(service));
  while (!mirrored.empty() && !wanted.empty()) {
    if (!(mirrored.front() == wanted.front())) return false;
    mirrored = skip_reserved(mirrored.subspan(1));
    wanted = skip_reserved(wanted.subspan(1));
  }
  return mirrored.empty() && wanted.empty();
}

}  // namespace proxima::slices
