// SPDX-License-Identifier: Apache-2.0
// Who is in a lab that changes, with which numbers: what LabNetwork does is planned here. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/cable_plan.h"
#include "lab/number_ring.h"

namespace proxima::lab {

// How many at a time; numbers are more, so that an address rests before it is used again.
inline constexpr std::size_t kLabNodesMax = 100;
inline constexpr std::size_t kLabPodsOfANodeMax = 100;

class NetworkBook {
 public:
  // The host every node has a cable to.
  static constexpr std::string_view kRouter = "router";

  // InvalidInput: the name is taken or empty, or there are too many already; NotFound: no such
  // host.
  Result<Cable> add_node(const std::string& name);
  Result<Cable> add_pod(const std::string& node, const std::string& name);
  // With its Pods: the names that are gone, the node's last.
  Result<std::vector<std::string>> remove_node(const std::string& name);

  struct PodPlace {
    std::string node;
    std::string device;  // of the node, at its end of the Pod's cable
  };
  Result<PodPlace> remove_pod(const std::string& name);

  // The cable of a node, as add_node() gave it.
  Result<Cable> node_cable(const std::string& name) const;

 private:
  struct Node {
    std::size_t number;
    NumberRing pod_numbers{kHostNumberMax};
    std::map<std::string, std::size_t> pods;
  };

  Status check_new(const std::string& name) const;

  NumberRing node_numbers_{kHostNumberMax};
  std::map<std::string, Node> nodes_;
  std::map<std::string, std::string> node_of_pod_;
};

}  // namespace proxima::lab
