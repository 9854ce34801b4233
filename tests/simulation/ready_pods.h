// SPDX-License-Identifier: Apache-2.0
// Since when Pods have been what a Service should route to, whether anybody has published them or
// not: ready, selected, on a node that exists.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "simulation/model_store.h"
#include "simulation/scheduler.h"

namespace proxima::simulation {

class ReadyPods {
 public:
  ReadyPods(const ModelStore& store, const Scheduler& scheduler)
      : store_(store), scheduler_(scheduler) {}

  // For each change of the store.
  void note(const StoreChange& change);

  // Since when something has been so, and with which change.
  struct Moment {
    Time since{0};
    std::uint64_t version = 0;
  };
  struct Reasons {
    Moment pod_ready;
    Moment service_unchanged;
    Moment node_there;
    Time since() const {
      return std::max({pod_ready.since, service_unchanged.since, node_there.since});
    }
  };
  // Nothing: no Pod with that address is to be routed to.
  std::optional<Reasons> find(const std::string& service, const std::string& address) const;

 private:
  struct Unchanged {
    json::value spec;
    Moment moment;
  };

  const ModelStore& store_;
  const Scheduler& scheduler_;
  std::map<std::string, Moment> pods_;
  std::map<std::string, Unchanged> services_;
  std::map<std::string, Moment> nodes_;
};

}  // namespace proxima::simulation
