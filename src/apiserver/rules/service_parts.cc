// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/service_parts.h"

#include <boost/json/value.hpp>

namespace proxima::apiserver::rules {

bool ServiceSpec::headless() const {
  const auto ips = cluster_ips();
  return ips.size() == 1 && ips.front() == kNoClusterIp;
}

bool ServiceSpec::externally_accessible() const {
  return is("LoadBalancer") || is("NodePort") ||
         (is("ClusterIP") && !array_at(fields_, "externalIPs").empty());
}

std::vector<std::int64_t> ServiceSpec::node_ports() const {
  std::vector<std::int64_t> out;
  for (const boost::json::value& port : ports()) {
    const std::int64_t number = number_at(object_of(port), "nodePort");
    if (number != 0) out.push_back(number);
  }
  return out;
}

}  // namespace proxima::apiserver::rules
