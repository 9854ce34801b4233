// SPDX-License-Identifier: Apache-2.0
// What was decided last about each Service, for those who ask: metrics, /debug/plan, and the next
// sync, which tells what has changed. Safe for concurrent use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "controller/slice_port.h"
#include "slices/slice_planner.h"

namespace proxima::controller {

struct DecisionEntry {
  slices::ServiceDecision decision;
  std::string traffic_distribution;  // the one that hints follow; empty: none does
  std::size_t endpoints = 0;         // that there should be
  std::size_t slices = 0;            // that there are when everything is written
  std::size_t slices_wanted = 0;     // if all were packed anew
  std::string error;                 // of the last sync; empty: it went well
  bool broke_down = false;           // the last sync was stopped by an internal error
  std::vector<ShadowWrite> shadow;   // what would have been written
};
using DecisionRef = std::shared_ptr<const DecisionEntry>;

class DecisionBook {
 public:
  void put(const std::string& service, DecisionEntry entry);
  void erase(const std::string& service);
  void clear();
  // Null when nothing was decided yet.
  DecisionRef find(std::string_view service) const;

  using Entries = std::map<std::string, DecisionRef, std::less<>>;
  // A copy, which costs a pointer a Service.
  Entries all() const;
  // Another number after every change.
  std::uint64_t revision() const;

 private:
  mutable std::mutex mutex_;
  Entries entries_;
  std::uint64_t revision_ = 1;
};

}  // namespace proxima::controller
