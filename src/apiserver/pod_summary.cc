// SPDX-License-Identifier: Apache-2.0
#include "apiserver/pod_summary.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/json_lookup.h"
#include "base/timestamp.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;

bool has_condition(const object& pod, std::string_view type, std::string_view key,
                   std::string_view wanted) {
  for (const auto& item : items_at(pod, "status.conditions"))
    if (text_at(as_object(item), "type") == type && text_at(as_object(item), key) == wanted)
      return true;
  return false;
}

const object* state_of(const object& container, std::string_view state) {
  const auto* found = find_at(container, state);
  return found == nullptr ? nullptr : found->if_object();
}

// What a container that ended says of itself.
std::string end_reason(const object& terminated) {
  const auto reason = text_at(terminated, "reason");
  if (!reason.empty()) return std::string(reason);
  const std::int64_t signal = number_at(terminated, "signal");
  if (signal != 0) return "Signal:" + std::to_string(signal);
  return "ExitCode:" + std::to_string(number_at(terminated, "exitCode"));
}

class Summary {
 public:
  explicit Summary(const object& pod) : pod_(pod) {}

  PodSummary made() {
    begin();
    const bool initializing = go_through_init_containers();
    if (!initializing || is_initialized()) go_through_containers();
    end();
    return std::move(out_);
  }

 private:
  struct Restarts {
    std::int64_t count = 0;
    std::optional<std::chrono::system_clock::time_point> last;

    void add(const object& container) {
      count += number_at(container, "restartCount");
      const auto ended = parse_time(text_at(container, "lastState.terminated.finishedAt"));
      if (ended && (!last || *last < *ended)) last = *ended;
    }
  };

  void begin() {
    out_.reason = text_at(pod_, "status.phase");
    const auto reason = text_at(pod_, "status.reason");
    if (!reason.empty()) out_.reason = reason;
    if (has_condition(pod_, "PodScheduled", "reason", "SchedulingGated"))
      out_.reason = "SchedulingGated";
    out_.containers = static_cast<std::int64_t>(items_at(pod_, "spec.containers").size());
    for (const auto& item : items_at(pod_, "spec.initContainers")) {
      if (text_at(as_object(item), "restartPolicy") != "Always") continue;
      sidecars_.emplace(text_at(as_object(item), "name"));
      ++out_.containers;
    }
  }

  // Says whether one of them is still to be done with.
  bool go_through_init_containers() {
    Restarts all;
    const auto& statuses = items_at(pod_, "status.initContainerStatuses");
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const object& container = as_object(statuses[i]);
      const bool sidecar = sidecars_.contains(std::string(text_at(container, "name")));
      all.add(container);
      if (sidecar) sidecar_restarts_.add(container);
      if (is_done(container, sidecar)) continue;
      out_.reason = "Init:" + init_reason(container, i);
      take(all);
      return true;
    }
    take(all);
    return false;
  }

  bool is_done(const object& container, bool sidecar) {
    const object* terminated = state_of(container, "state.terminated");
    if (terminated != nullptr && number_at(*terminated, "exitCode") == 0) return true;
    if (!sidecar || !flag_at(container, "started")) return false;
    if (flag_at(container, "ready")) ++out_.ready;
    return true;
  }

  std::string init_reason(const object& container, std::size_t index) const {
    const object* terminated = state_of(container, "state.terminated");
    if (terminated != nullptr) return end_reason(*terminated);
    const auto waiting = text_at(container, "state.waiting.reason");
    if (!waiting.empty() && waiting != "PodInitializing") return std::string(waiting);
    return std::to_string(index) + "/" +
           std::to_string(items_at(pod_, "spec.initContainers").size());
  }

  bool is_initialized() const {
    for (const auto& item : items_at(pod_, "status.conditions"))
      if (text_at(as_object(item), "type") == "Initialized")
        return text_at(as_object(item), "status") == "True";
    return false;
  }

  // From the last to the first: the first container has the last word.
  void go_through_containers() {
    Restarts restarts = sidecar_restarts_;
    bool running = false;
    std::string error;
    const auto& statuses = items_at(pod_, "status.containerStatuses");
    for (std::size_t i = statuses.size(); i-- > 0;) {
      const object& container = as_object(statuses[i]);
      restarts.add(container);
      const auto waiting = text_at(container, "state.waiting.reason");
      const object* terminated = state_of(container, "state.terminated");
      if (!waiting.empty()) {
        out_.reason = waiting;
      } else if (terminated != nullptr) {
        out_.reason = end_reason(*terminated);
        if (number_at(*terminated, "exitCode") != 0) error = out_.reason;
      } else if (flag_at(container, "ready") && state_of(container, "state.running") != nullptr) {
        running = true;
        ++out_.ready;
      }
    }
    take(restarts);
    if (out_.reason == "Completed") out_.reason = completed_reason(running, error);
  }

  // One container is done; the Pod is not while another one runs.
  std::string completed_reason(bool running, const std::string& error) const {
    if (running && has_condition(pod_, "Ready", "status", "True")) return "Running";
    if (!error.empty()) return error;
    return running ? "NotReady" : "Completed";
  }

  void end() {
    if (text_at(pod_, "metadata.deletionTimestamp").empty()) return;
    const auto phase = text_at(pod_, "status.phase");
    if (text_at(pod_, "status.reason") == "NodeLost") {
      out_.reason = "Unknown";
    } else if (phase != "Failed" && phase != "Succeeded") {
      out_.reason = "Terminating";
    }
  }

  void take(const Restarts& restarts) {
    out_.restarts = restarts.count;
    out_.last_restart = restarts.last;
  }

  const object& pod_;
  std::set<std::string> sidecars_;  // init containers that keep running
  Restarts sidecar_restarts_;
  PodSummary out_;
};

}  // namespace

PodSummary summarize_pod(const object& pod) { return Summary(pod).made(); }

}  // namespace proxima::apiserver
