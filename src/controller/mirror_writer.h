// SPDX-License-Identifier: Apache-2.0
// Writes what was decided about the slices that mirror one Endpoints object.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "controller/slice_port.h"
#include "controller/slice_tracker.h"
#include "slices/mirror_endpoints.h"

namespace proxima::controller {

class MirrorWriter {
 public:
  using OnWrite = std::function<void(SliceOperation)>;

  // `key` is the Endpoints object's, "shop/db". Everything must outlive it.
  MirrorWriter(std::string key, SlicePort& port, SliceTracker& tracker, OnWrite on_write)
      : key_(std::move(key)), port_(port), tracker_(tracker), on_write_(std::move(on_write)) {}

  // Creates, then updates, then deletes, up to the first failure: no endpoint is taken away before
  // it stands elsewhere. A Namespace that is being deleted is no failure.
  Status write(const slices::MirrorDraft& draft);

  // All of them, whatever happens to some; the error tells how many stay.
  Status remove_all(std::span<const SliceRef> slices);

 private:
  using Failure = std::optional<kube::ApiFailure>;
  Failure track(SliceOperation operation, SliceWriteResult answer);
  // A slice that is gone already is as good as deleted.
  Failure remove(const kube::EndpointSliceRecord& slice);
  Error failed(std::string_view what, const kube::ApiFailure& failure) const;

  std::string key_;
  SlicePort& port_;
  SliceTracker& tracker_;
  OnWrite on_write_;
};

}  // namespace proxima::controller
