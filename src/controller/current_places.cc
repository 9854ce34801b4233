// SPDX-License-Identifier: Apache-2.0
#include "controller/current_places.h"

#include "controller/node_change.h"

namespace proxima::controller {

CurrentPlaces::CurrentPlaces(kube::Cache<kube::NodeRecord>& nodes)
    : nodes_(nodes),
      subscription_(nodes.subscribe([this](const kube::Change<kube::NodeRecord>& change) {
        if (effect_of(change).endpoints) outdated_ = true;
      })) {}

CurrentPlaces::~CurrentPlaces() { nodes_.unsubscribe(subscription_); }

std::shared_ptr<const slices::NodePlaces> CurrentPlaces::get() {
  const std::lock_guard guard(mutex_);
  // A move that comes meanwhile makes them outdated again.
  if (outdated_.exchange(false) || !places_)
    places_ = std::make_shared<const slices::NodePlaces>(nodes_.snapshot());
  return places_;
}

}  // namespace proxima::controller
