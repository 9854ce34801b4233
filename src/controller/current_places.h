// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a cache stand now. Nodes report often and move rarely: only a move costs
// anything. Safe for concurrent use.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "kube/cache.h"
#include "slices/node_places.h"

namespace proxima::controller {

class CurrentPlaces {
 public:
  // The first to be told of a change, if it is the first to be made: whoever is told later finds
  // the new places here.
  explicit CurrentPlaces(kube::Cache<kube::NodeRecord>& nodes);
  ~CurrentPlaces();
  CurrentPlaces(const CurrentPlaces&) = delete;
  CurrentPlaces& operator=(const CurrentPlaces&) = delete;

  // Never null; stays as it is.
  std::shared_ptr<const slices::NodePlaces> get();

 private:
  kube::Cache<kube::NodeRecord>& nodes_;
  std::atomic<bool> outdated_{true};
  std::mutex mutex_;  // guards places_
  std::shared_ptr<const slices::NodePlaces> places_;
  kube::Cache<kube::NodeRecord>::Subscription subscription_;
};

}  // namespace proxima::controller
