// SPDX-License-Identifier: Apache-2.0
#include "telemetry/rendering_hook.h"

#include <mutex>
#include <utility>

namespace proxima::telemetry {

struct RenderingHook::Shared {
  std::mutex mutex;
  std::function<void()> look_up;  // empty: who showed something is gone
};

RenderingHook::RenderingHook(MetricsRegistry& registry, std::function<void()> look_up)
    : shared_(std::make_shared<Shared>()) {
  shared_->look_up = std::move(look_up);
  registry.before_rendering([shared = shared_] {
    const std::lock_guard guard(shared->mutex);
    if (shared->look_up) shared->look_up();
  });
}

RenderingHook::~RenderingHook() {
  const std::lock_guard guard(shared_->mutex);
  shared_->look_up = nullptr;
}

}  // namespace proxima::telemetry
