// SPDX-License-Identifier: Apache-2.0
#include "kube/cancellable_wait.h"

namespace proxima::kube {

Waited wait_for(Clock& clock, std::chrono::nanoseconds duration,
                const net::Cancellation& cancellation) {
  std::mutex mutex;
  ConditionVariable wake;
  const net::Cancellation::Attachment attachment(cancellation, [&] {
    const std::lock_guard guard(mutex);  // so that it cannot fall between looking and waiting
    wake.notify_all();
  });
  const auto deadline = clock.steady_now() + duration;
  std::unique_lock lock(mutex);
  while (!cancellation.cancelled() && clock.steady_now() < deadline)
    clock.wait_until(lock, wake, deadline);
  return cancellation.cancelled() ? Waited::Cancelled : Waited::Done;
}

}  // namespace proxima::kube
