// SPDX-License-Identifier: Apache-2.0
// Writes what was decided about the slices of one Service: creates, then updates, then deletes, and
// stops at the first failure, so that no endpoint is taken away before it stands elsewhere.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/slice_port.h"
#include "controller/slice_tracker.h"
#include "kube/service_record.h"

namespace proxima::controller {

class SliceWriter {
 public:
  // A write that succeeded; may be empty.
  using OnWrite = std::function<void(SliceOperation)>;

  // Everything must outlive it.
  SliceWriter(SlicePort& port, SliceTracker& tracker, OnWrite on_write)
      : port_(port), tracker_(tracker), on_write_(std::move(on_write)) {}

  enum class End {
    Done,
    NamespaceEnding,  // nothing can be created there any more, and nothing need be
    Failed,
  };
  struct Report {
    End end = End::Done;
    std::string error;  // of a failure; in upstream's words, because an event shows it
  };
  // The trigger time goes onto everything that is written; none takes an old one away.
  Report write(const kube::ServiceRecord& service, slices::FamilyDraft& draft,
               std::optional<kube::UnixSeconds> trigger_time);

  // Slices of families that the Service does not have any more: a sentence for each that stays.
  std::vector<std::string> remove_leftovers(const kube::ServiceRecord& service,
                                            std::span<const SliceRef> slices);

 private:
  std::optional<kube::ApiFailure> create(const std::string& service,
                                         const slices::SliceDraft& draft);
  std::optional<kube::ApiFailure> update(const std::string& service,
                                         const slices::SliceDraft& draft);
  std::optional<kube::ApiFailure> remove(const std::string& service,
                                         const kube::EndpointSliceRecord& slice);
  void wrote(SliceOperation operation) const;

  SlicePort& port_;
  SliceTracker& tracker_;
  OnWrite on_write_;
};

// The annotations with the trigger time as it should be, and everything else as it was.
kube::LabelSetRef with_trigger_time(const kube::LabelSetRef& annotations,
                                    std::optional<kube::UnixSeconds> time);

}  // namespace proxima::controller
