// SPDX-License-Identifier: Apache-2.0
// Looks values up before every rendering of the metrics, as long as it lives. A registry outlives
// those who show something in it, and cannot be told to forget them.
#pragma once

#include <functional>
#include <memory>

#include "telemetry/metrics.h"

namespace proxima::telemetry {

class RenderingHook {
 public:
  // `look_up` is called by the thread that renders.
  RenderingHook(MetricsRegistry& registry, std::function<void()> look_up);
  // It is not called any more when this returns.
  ~RenderingHook();
  RenderingHook(const RenderingHook&) = delete;
  RenderingHook& operator=(const RenderingHook&) = delete;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace proxima::telemetry
