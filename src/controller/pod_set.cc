// SPDX-License-Identifier: Apache-2.0
#include "controller/pod_set.h"

#include <algorithm>

namespace proxima::controller {
namespace {

template <class Pods>
auto find_place(Pods& pods, std::string_view name) {
  return std::lower_bound(
      pods.begin(), pods.end(), name,
      [](const PodRef& pod, std::string_view wanted) { return pod->name.view() < wanted; });
}

}  // namespace

void PodSet::put(PodRef pod) {
  // A list comes in order: the end is where most belong.
  if (pods_.empty() || pods_.back()->name.view() < pod->name.view()) {
    pods_.push_back(std::move(pod));
    return;
  }
  const auto place = find_place(pods_, pod->name.view());
  if (place != pods_.end() && (*place)->name.view() == pod->name.view()) {
    *place = std::move(pod);
  } else {
    pods_.insert(place, std::move(pod));
  }
}

void PodSet::erase(std::string_view name) {
  const auto place = find_place(pods_, name);
  if (place != pods_.end() && (*place)->name.view() == name) pods_.erase(place);
}

}  // namespace proxima::controller
