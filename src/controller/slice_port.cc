// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_port.h"

#include <algorithm>

#include "kube/record_reader.h"
#include "slices/render_slice.h"
#include "wire/padded_text.h"

namespace proxima::controller {
namespace {

kube::ObjectRef ref_of(const kube::EndpointSliceRecord& slice) {
  return {kube::kEndpointSlices, std::string(slice.meta.ns.view()),
          std::string(slice.meta.name.view())};
}

// An answer that cannot be read says nothing about what was written. Nobody else would find out
// that nothing was, so the write counts as failed and the slices are looked at again.
SliceWriteResult written(const kube::ObjectResult& answer) {
  if (!answer) return answer.error();
  const wire::PaddedText text(*answer);
  kube::RecordReader<kube::EndpointSliceRecord> reader("EndpointSlice", {});
  const auto read = reader.object(text.text());
  if (!read.record) return kube::ApiFailure{.message = "the answer is not an EndpointSlice"};
  return std::optional(WrittenSlice{std::string(read.record->meta.uid.view()),
                                    read.record->generation, read.record->meta.version});
}

ShadowWrite shadow(SliceOperation operation, const slices::SliceDraft& draft) {
  const Text& name = draft.value.meta.name ? draft.value.meta.name : draft.value.generate_name;
  return {operation, std::string(name.view()), slices::render_slice(draft)};
}

}  // namespace

bool is_namespace_ending(const kube::ApiFailure& failure) {
  return std::find(failure.causes.begin(), failure.causes.end(), "NamespaceTerminating") !=
         failure.causes.end();
}

SliceWriteResult ApiSlicePort::create(const slices::SliceDraft& draft) {
  return written(client_.create(ref_of(draft.value), slices::render_slice(draft), cancellation_));
}

SliceWriteResult ApiSlicePort::update(const slices::SliceDraft& draft) {
  return written(client_.update(ref_of(draft.value), slices::render_slice(draft), cancellation_));
}

SliceWriteResult ApiSlicePort::remove(const kube::EndpointSliceRecord& slice) {
  // Another slice may have the name by now, and a cache that is behind may not know what another
  // leader has put into this one: like an update, a deletion is of what was seen.
  kube::DeleteOptions options;
  options.uid = std::string(slice.meta.uid.view());
  if (slice.meta.version != 0) options.resource_version = std::to_string(slice.meta.version);
  const auto answer = client_.remove(ref_of(slice), options, cancellation_);
  if (!answer) return answer.error();
  return std::optional<WrittenSlice>();
}

std::string_view to_text(SliceOperation operation) {
  switch (operation) {
    case SliceOperation::Create:
      return "create";
    case SliceOperation::Update:
      return "update";
    case SliceOperation::Delete:
      return "delete";
  }
  return "update";
}

SliceWriteResult ShadowSlicePort::create(const slices::SliceDraft& draft) {
  writes.push_back(shadow(SliceOperation::Create, draft));
  return std::optional<WrittenSlice>();
}

SliceWriteResult ShadowSlicePort::update(const slices::SliceDraft& draft) {
  writes.push_back(shadow(SliceOperation::Update, draft));
  return std::optional<WrittenSlice>();
}

SliceWriteResult ShadowSlicePort::remove(const kube::EndpointSliceRecord& slice) {
  writes.push_back({SliceOperation::Delete, std::string(slice.meta.name.view()), {}});
  return std::optional<WrittenSlice>();
}

}  // namespace proxima::controller
