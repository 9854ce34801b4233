// SPDX-License-Identifier: Apache-2.0
// The controller's metrics: upstream's under upstream's names, labels and buckets, and our own
// about what was decided. Safe for concurrent use.
#pragma once

#include <memory>
#include <string>

#include "controller/decision_book.h"
#include "controller/slice_port.h"
#include "kube/service_record.h"
#include "slices/slice_draft.h"
#include "telemetry/metrics.h"

namespace proxima::controller {

enum class SyncResult { Success, Stale, Error };

class ControllerMetrics {
 public:
  // Declares them all: once a registry. Everything must outlive it.
  explicit ControllerMetrics(telemetry::MetricsRegistry& registry);
  ~ControllerMetrics();
  ControllerMetrics(const ControllerMetrics&) = delete;
  ControllerMetrics& operator=(const ControllerMetrics&) = delete;

  void synced(SyncResult result);
  // An internal error stopped a sync.
  void broke_down();
  void wrote(SliceOperation operation);
  // Before the writes of a family.
  void packed(const slices::FamilyDraft& draft);
  // After all of them succeeded.
  void changed(const kube::ServiceRecord& service, policy::PolicyKind policy, std::size_t slices);

  // Makes the gauges what the book says. For whoever renders, one at a time.
  void show(const DecisionBook& book);

 private:
  struct Upstream;
  struct Decisions;
  std::unique_ptr<Upstream> upstream_;
  std::unique_ptr<Decisions> decisions_;
};

}  // namespace proxima::controller
