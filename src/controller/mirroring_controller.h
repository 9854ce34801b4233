// SPDX-License-Identifier: Apache-2.0
// The EndpointSlice mirroring controller: keeps caches of Services, Endpoints and mirrored slices,
// and while it leads makes slices of the Endpoints that users write for Services without a
// selector. Methods may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "controller/controller.h"
#include "controller/mirroring_caches.h"

namespace proxima::controller {

struct MirroringOptions {
  std::size_t max_endpoints_per_subset = 1000;  // 1…1000
  std::size_t concurrent_syncs = 5;             // 1…50
  // So long after the first of several changes of slices their Endpoints are worked on.
  std::chrono::nanoseconds updates_batch_period{0};
  Writes writes = Writes::Real;
  std::string host;                                   // as events name it; may be empty
  std::chrono::milliseconds request_timeout{30'000};  // of each write
  std::uint64_t seed = 0;                             // of all jitter
};

class MirroringController {
 public:
  // An error: options out of range, in upstream's words.
  static Result<std::unique_ptr<MirroringController>> create(MirroringOptions options,
                                                             const ControllerPorts& ports);
  // Stops it.
  ~MirroringController();
  MirroringController(const MirroringController&) = delete;
  MirroringController& operator=(const MirroringController&) = delete;

  // As those of Controller.
  void start();
  void lead(std::optional<kube::LeadershipGuard> guard);
  void stop_leading();
  void wait_until_idle();
  void stop();
  ControllerStatus status() const;
  MirroringCaches& caches();

 private:
  struct State;
  explicit MirroringController(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace proxima::controller
