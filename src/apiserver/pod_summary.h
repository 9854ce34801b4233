// SPDX-License-Identifier: Apache-2.0
// What a Pod is up to in a few words, as `kubectl get pods` says it.
#pragma once

#include <boost/json/fwd.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace proxima::apiserver {

struct PodSummary {
  std::string reason;  // "Running", "Init:0/2", "CrashLoopBackOff", "Terminating"…
  std::int64_t ready = 0;
  std::int64_t containers = 0;
  std::int64_t restarts = 0;
  std::optional<std::chrono::system_clock::time_point> last_restart;
};

PodSummary summarize_pod(const boost::json::object& pod);

}  // namespace proxima::apiserver
