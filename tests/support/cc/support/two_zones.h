// SPDX-License-Identifier: Apache-2.0
// A lab as small as one with a choice can be.
#pragma once

#include "agents/lab_cluster.h"

namespace proxima::testing {

// Two zones of one node; the service web has an endpoint in each.
inline agents::LabOptions two_zones() {
  agents::LabOptions options;
  options.shape.zones = {{"zone-a", 1, 1}, {"zone-b", 1, 1}};
  agents::ServiceShape service;
  service.name = "web";
  service.endpoints = {{"zone-a", 1}, {"zone-b", 1}};
  options.shape.services = {service};
  return options;
}

}  // namespace proxima::testing
