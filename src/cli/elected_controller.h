// SPDX-License-Identifier: Apache-2.0
// A controller that works while it holds a Lease, and takes part again when it has lost it: its
// caches stay warm, so it is a standby at once. Upstream ends its process instead.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/options.h"
#include "controller/controller.h"
#include "controller/mirroring_controller.h"
#include "kube/leader_election.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace proxima::cli {

class ElectedController {
 public:
  struct Ports {
    controller::Controller& controller;
    controller::MirroringController* mirroring;  // null: it does not run
    kube::KubeApi& api;  // its own: a renewal must not wait behind the controller's writes
    Clock& clock;
    telemetry::MetricsRegistry& metrics;
    const telemetry::Log& log;
  };
  // Everything in `ports` must outlive it. An error: timings that are not safe.
  static Result<std::unique_ptr<ElectedController>> create(const ElectionFlags& flags,
                                                           const std::string& identity,
                                                           const Ports& ports);
  ~ElectedController() { stop(); }
  ElectedController(const ElectedController&) = delete;
  ElectedController& operator=(const ElectedController&) = delete;

  void start();
  // Gives the Lease back, so that another need not wait for its end. What the controller writes
  // after that is refused: stop it first.
  void stop();
  // Of /livez. An error: it should have given up leading by now, and has not.
  Status health() const;

 private:
  ElectedController(const ElectionFlags& flags, std::string identity, const Ports& ports);
  kube::LeaderCallbacks callbacks();

  Ports ports_;
  std::string lease_;
  std::string identity_;
  telemetry::Gauge leading_;
  std::unique_ptr<kube::LeaderElector> elector_;
  net::Cancellation stopping_;
  mutable std::mutex mutex_;
  std::optional<kube::LeadershipGuard> guard_;
  Thread thread_;
};

}  // namespace proxima::cli
