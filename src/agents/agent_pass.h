// SPDX-License-Identifier: Apache-2.0
// What one pass of the agents sees, and what they all work with.
#pragma once

#include <algorithm>

#include "agents/lab_api.h"
#include "agents/lab_hooks.h"
#include "agents/lab_ports.h"
#include "agents/write_book.h"
#include "base/clock.h"
#include "kube/cache_snapshot.h"
#include "kube/event_recorder.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"
#include "telemetry/log.h"

namespace proxima::agents {

// Borrowed; everything outlives whoever has it.
struct AgentParts {
  LabApi& api;
  LabMachines& machines;
  LabPrograms& programs;
  WriteBook& book;
  kube::EventRecorder& events;
  const telemetry::Log& log;
  const LabHooks& hooks;
};

// The cluster at the moment of a pass.
struct AgentView {
  kube::CacheSnapshot<kube::PodRecord> pods;
  kube::CacheSnapshot<kube::NodeRecord> nodes;
  kube::CacheSnapshot<kube::ServiceRecord> services;
  Clock::SteadyTime now;
  WallTime wall;
};

// When the next pass has something to do, though nothing changes before.
class Agenda {
 public:
  explicit Agenda(Clock::SteadyTime now) : now_(now) {}
  // What was due by now is done in this pass. Without that the agents would run in circles for as
  // long as a node is lost.
  void at(Clock::SteadyTime time) {
    if (time > now_) next_ = std::min(next_, time);
  }
  Clock::SteadyTime next() const { return next_; }

 private:
  Clock::SteadyTime now_;
  Clock::SteadyTime next_ = Clock::SteadyTime::max();
};

// Does a write that the book allows, and enters what became of it. False: not now, or it failed.
template <class Write>
bool write_once(const AgentParts& parts, const std::string& key, kube::Version seen,
                Clock::SteadyTime now, Write write) {
  if (!parts.book.may_write(key, seen, now)) return false;
  const Status done = write();
  if (done) {
    parts.book.wrote(key, seen, now);
    return true;
  }
  parts.book.failed(key, now);
  parts.log.warning("The API did not take what an agent wrote; it is tried again",
                    {{"object", key}, {"problem", done.error().message}});
  return false;
}

}  // namespace proxima::agents
