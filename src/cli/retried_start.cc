// SPDX-License-Identifier: Apache-2.0
#include "cli/retried_start.h"

#include "kube/cancellable_wait.h"

namespace proxima::cli {

void RetriedStart::begin(std::string what, std::function<Status()> start) {
  const Status first = start();
  if (first) return;
  log_.error("Failed to serve; it is tried again", first.error().message, {{"server", what}});
  thread_ = std::thread([this, what = std::move(what), start = std::move(start)] {
    while (kube::wait_for(clock_, kEvery, stopping_) == kube::Waited::Done) {
      const Status next = start();
      if (next) {
        log_.info("Serves now", {{"server", what}});
        return;
      }
      log_.detail(2, "Failed to serve again",
                  {{"server", what}, {"problem", next.error().message}});
    }
  });
}

void RetriedStart::stop() {
  stopping_.cancel();
  if (thread_.joinable()) thread_.join();
}

}  // namespace proxima::cli
