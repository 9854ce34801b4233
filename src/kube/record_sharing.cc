// SPDX-License-Identifier: Apache-2.0
#include "kube/record_sharing.h"

#include <algorithm>

namespace proxima::kube {
namespace {

std::size_t mixed(std::size_t hash, std::size_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15U + (hash >> 29U);
}

std::size_t address_of(const Text& text) {
  return reinterpret_cast<std::size_t>(text.view().data());
}

}  // namespace

std::size_t RecordSharing::ValueHash::operator()(const LabelSet& labels) const {
  std::size_t hash = labels.all().size();
  for (const LabelText& label : labels.all())
    hash = mixed(mixed(hash, address_of(label.key)), address_of(label.value));
  return hash;
}

std::size_t RecordSharing::ValueHash::operator()(const PodWorkload& workload) const {
  std::size_t hash = address_of(workload.owner);
  hash = mixed(hash, address_of(workload.subdomain));
  for (const ContainerPortRecord& port : workload.ports)
    hash = mixed(mixed(hash, address_of(port.name)), port.port);
  return hash;
}

Text RecordSharing::text(std::string_view text) {
  return texts_.share(text, [&] { return Text(text); });
}

LabelSetRef RecordSharing::labels(std::vector<LabelText> labels) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LabelText& a, const LabelText& b) { return a.key < b.key; });
  labels.erase(std::unique(labels.begin(), labels.end(),
                           [](const LabelText& a, const LabelText& b) { return a.key == b.key; }),
               labels.end());
  LabelSet set(std::move(labels));
  return labels_.share(set, [&] { return LabelSetRef(new LabelSet(set)); });
}

Ref<const PodWorkload> RecordSharing::workload(PodWorkload workload) {
  return workloads_.share(workload,
                          [&] { return Ref<const PodWorkload>(new PodWorkload(workload)); });
}

}  // namespace proxima::kube
