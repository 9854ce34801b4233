// SPDX-License-Identifier: Apache-2.0
// What each process knows that it has written: it must not write it a second time into another
// slice.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "simulation/model_api.h"
#include "simulation/scheduler.h"

namespace proxima::simulation {

class OwnWrites {
 public:
  // A process was told that a write of a slice was done.
  void told(const ApiCall& call, const std::string& answer, Time now);
  // "" unless the slice that was created has an endpoint that the process put into another slice,
  // was told so before it sent the request, and nobody has changed that slice since.
  std::string check_create(const ModelStore& store, const ApiCall& call,
                           const std::string& key) const;

 private:
  struct Known {
    std::string version;
    Time since{0};
  };
  std::map<std::pair<std::string, std::string>, Known> known_;  // by process and slice
};

}  // namespace proxima::simulation
