// SPDX-License-Identifier: Apache-2.0
// A lab as `proxima up` runs it: of real namespaces, or a simulated one where they cannot be had.
#pragma once

#include <cstddef>

#include "agents/lab_cluster.h"
#include "kube/api.h"
#include "telemetry/log.h"
#include "web/live_source.h"

namespace proxima::cli {

// What a lab runs over; everything must outlive it.
struct RunningLabPorts {
  kube::KubeApi& api;
  Clock& clock;
  const telemetry::Log& log;
};

class RunningLab {
 public:
  // Ends everything in it.
  virtual ~RunningLab() = default;
  virtual agents::LabCluster& cluster() = 0;
  virtual const web::LiveSource& source() const = 0;
  // Node proxies that have their rules.
  virtual std::size_t proxies_ready() const = 0;
};

}  // namespace proxima::cli
