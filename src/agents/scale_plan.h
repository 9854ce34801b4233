// SPDX-License-Identifier: Apache-2.0
// From how many Pods of a Service there are in each zone to how many there should be: what is made
// and what is deleted. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace proxima::agents {

// A Pod that the Service selects and that is to stay so far.
struct ScaledPod {
  std::string name;
  std::string zone;
  bool ready = false;
};

struct ScalePlan {
  struct Created {
    std::string name;
    std::string zone;
    friend bool operator==(const Created&, const Created&) = default;
  };
  std::vector<Created> created;
  std::vector<std::string> deleted;
};

// Zones that are not wanted otherwise stay as they are. New Pods are named "SERVICE-N" with the
// least numbers that are not `taken`. Those that are not ready go first, then the highest numbers.
ScalePlan plan_scale(const std::string& service, const std::vector<ScaledPod>& present,
                     const std::set<std::string>& taken,
                     const std::map<std::string, std::size_t>& wanted);

}  // namespace proxima::agents
