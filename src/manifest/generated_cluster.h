// SPDX-License-Identifier: Apache-2.0
// The shape of a made-up cluster: which zone, node and service everything belongs to, as functions
// of numbers, so that a cluster of any size needs memory only for its services.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/split_mix.h"

namespace proxima::manifest {

struct ClusterShape {
  std::size_t nodes = 9;
  std::size_t zones = 3;
  std::size_t regions = 1;
  std::size_t services = 8;
  std::size_t pods = 60;
  // How uneven the Pods of a service lie over the zones: each zone (by name) gets (1 − skew) times
  // as many as the one before. 0: evenly; 0.5: half as many in each next zone; 1: all in the first.
  double skew = 0;
  std::uint64_t seed = 1;
};

struct GeneratedService {
  std::string ns;
  std::string name;
  std::size_t first_pod = 0;
  std::size_t pods = 0;
};

struct GeneratedPod {
  std::size_t number = 0;  // in the cluster
  std::size_t node = 0;
  std::string name;  // "cart-0007-5d8f9c7b4-x2x9q"
  std::string template_hash;
  bool ready = true;
};

class GeneratedCluster {
 public:
  // The shape must make sense: see check_generate_options.
  explicit GeneratedCluster(const ClusterShape& shape);

  const ClusterShape& shape() const { return shape_; }
  const std::vector<GeneratedService>& services() const { return services_; }
  std::size_t namespaces() const;

  std::string region_name(std::size_t region) const;
  std::string zone_name(std::size_t zone) const;
  std::size_t region_of_zone(std::size_t zone) const;
  std::string node_name(std::size_t node) const;
  std::size_t zone_of_node(std::size_t node) const { return node % shape_.zones; }
  // `index` counts the Pods of the service.
  GeneratedPod pod(std::size_t service, std::size_t index) const;

  static std::string pod_address(std::size_t pod);
  static std::string node_address(std::size_t node);
  static std::string service_address(std::size_t service);

 private:
  std::string namespace_name(std::size_t index) const;
  std::size_t zone_of_pod(std::size_t service, std::size_t index) const;

  ClusterShape shape_;
  std::vector<double> zone_ends_;  // the share of the Pods up to and including each zone
  std::vector<GeneratedService> services_;
};

}  // namespace proxima::manifest
