// SPDX-License-Identifier: Apache-2.0
#include "core/model/pod_selection.h"

#include <algorithm>

namespace proxima::model {

std::size_t PodSelection::TermHash::operator()(const Term& term) const {
  std::uint64_t mixed = term.ns.value();
  for (NameId part : {term.label.key, term.label.value})
    mixed = (mixed ^ part.value()) * 0x9e3779b97f4a7c15U;
  return mixed ^ (mixed >> 32);
}

PodSelection::PodSelection(const Snapshot& snapshot) : snapshot_(snapshot) {
  for (const Service& service : snapshot.services)
    for (const Label& label : Snapshot::part(snapshot.labels, service.selector))
      by_term_.try_emplace(Term{service.ns, label});
  for (std::size_t i = 0; i < snapshot.pods.size(); ++i) {
    const Pod& pod = snapshot.pods[i];
    for (const Label& label : Snapshot::part(snapshot.labels, pod.labels)) {
      auto found = by_term_.find(Term{pod.ns, label});
      if (found != by_term_.end()) found->second.push_back(PodIndex(i));
    }
  }
}

std::vector<PodIndex> PodSelection::pods_of(const Service& service) const {
  if (!service.has_selector) return {};
  const Labels wanted = Snapshot::part(snapshot_.labels, service.selector);
  if (wanted.empty()) return pods_in(service.ns);
  const std::vector<PodIndex>* rarest = nullptr;
  for (const Label& label : wanted) {
    const auto& pods = by_term_.at(Term{service.ns, label});
    if (rarest == nullptr || pods.size() < rarest->size()) rarest = &pods;
  }
  std::vector<PodIndex> selected;
  for (PodIndex pod : *rarest)
    if (carries_all(snapshot_.pods[pod.value()], wanted)) selected.push_back(pod);
  return selected;
}

bool PodSelection::carries_all(const Pod& pod, Labels wanted) const {
  const Labels labels = Snapshot::part(snapshot_.labels, pod.labels);
  return std::ranges::all_of(
      wanted, [&](const Label& label) { return label_value(labels, label.key) == label.value; });
}

std::vector<PodIndex> PodSelection::pods_in(NamespaceIndex ns) const {
  std::vector<PodIndex> pods;
  auto before = [](const Pod& pod, NamespaceIndex wanted) { return pod.ns < wanted; };
  auto pod = std::lower_bound(snapshot_.pods.begin(), snapshot_.pods.end(), ns, before);
  for (; pod != snapshot_.pods.end() && pod->ns == ns; ++pod)
    pods.push_back(PodIndex(static_cast<std::size_t>(pod - snapshot_.pods.begin())));
  return pods;
}

}  // namespace proxima::model
