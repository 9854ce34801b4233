// SPDX-License-Identifier: Apache-2.0
// The port to what can be done to a lab. Every call may take its time: it is made on a thread for
// that, one call after the other. An error is shown to the user as it is; NotFound and InvalidInput
// are the user's (404 and 400).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace proxima::web {

// At most one of them is not empty; neither: everything that was broken.
struct HealTarget {
  std::string zone;
  std::string node;
};

class LabActions {
 public:
  virtual ~LabActions() = default;
  virtual Status fail_zone(const std::string& zone) = 0;
  virtual Status heal(const HealTarget& target) = 0;
  virtual Status kill_node(const std::string& node) = 0;
  // The name of the new node.
  virtual Result<std::string> add_node(const std::string& zone) = 0;
  // `service` is "shop/even"; zones that are not named stay as they are.
  virtual Status scale(const std::string& service,
                       const std::map<std::string, std::uint32_t>& zones) = 0;
  // Shares 0…1 of the zones named; the others divide what is left as they did before.
  virtual Status set_demand(const std::map<std::string, double>& zones) = 0;
};

}  // namespace proxima::web
