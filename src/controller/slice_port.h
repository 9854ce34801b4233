// SPDX-License-Identifier: Apache-2.0
// Where slices are written to: an API server, or nowhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/object_client.h"
#include "slices/slice_draft.h"

namespace proxima::controller {

// What the server made of a write.
struct WrittenSlice {
  std::string uid;
  std::int64_t generation = 0;
  kube::Version version = 0;
};
// None: there is nothing to wait for in the cache.
using SliceWriteResult = Result<std::optional<WrittenSlice>, kube::ApiFailure>;

// Whether a write failed because its Namespace is being deleted.
bool is_namespace_ending(const kube::ApiFailure& failure);

// One sync's: for one thread.
class SlicePort {
 public:
  virtual ~SlicePort() = default;
  virtual SliceWriteResult create(const slices::SliceDraft& draft) = 0;
  virtual SliceWriteResult update(const slices::SliceDraft& draft) = 0;
  virtual SliceWriteResult remove(const kube::EndpointSliceRecord& slice) = 0;
  // Whether a watch will show what was written.
  virtual bool is_real() const = 0;
};

class ApiSlicePort final : public SlicePort {
 public:
  // The client must outlive it.
  ApiSlicePort(kube::ObjectClient& client, net::Cancellation cancellation)
      : client_(client), cancellation_(std::move(cancellation)) {}

  SliceWriteResult create(const slices::SliceDraft& draft) override;
  SliceWriteResult update(const slices::SliceDraft& draft) override;
  SliceWriteResult remove(const kube::EndpointSliceRecord& slice) override;
  bool is_real() const override { return true; }

 private:
  kube::ObjectClient& client_;
  net::Cancellation cancellation_;
};

enum class SliceOperation { Create, Update, Delete };
std::string_view to_text(SliceOperation operation);  // "create"

// What would have been written.
struct ShadowWrite {
  SliceOperation operation = SliceOperation::Create;
  std::string name;  // or what the server would make a name of
  std::string body;  // JSON; empty for a deletion
};

// Writes nothing; everything succeeds.
class ShadowSlicePort final : public SlicePort {
 public:
  SliceWriteResult create(const slices::SliceDraft& draft) override;
  SliceWriteResult update(const slices::SliceDraft& draft) override;
  SliceWriteResult remove(const kube::EndpointSliceRecord& slice) override;
  bool is_real() const override { return false; }

  std::vector<ShadowWrite> writes;
};

}  // namespace proxima::controller
