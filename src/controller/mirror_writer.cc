// SPDX-License-Identifier: Apache-2.0
#include "controller/mirror_writer.h"

namespace proxima::controller {
namespace {

std::string mirror_action(std::string_view verb, const kube::EndpointSliceRecord& slice) {
  return std::string(verb) + " " + std::string(slice.meta.name.view()) + " ";
}

// One after the other, up to the first failure.
template <class Item, class Do>
std::optional<Error> each(const std::vector<slices::FamilyDraft>& families,
                          std::vector<Item> slices::FamilyDraft::*list, Do act) {
  for (const slices::FamilyDraft& family : families)
    for (const Item& item : family.*list)
      if (std::optional<Error> error = act(item)) return error;
  return std::nullopt;
}

}  // namespace

Error MirrorWriter::failed(std::string_view what, const kube::ApiFailure& failure) const {
  return {ErrorCode::Retry, "failed to " + std::string(what) + "EndpointSlice for Endpoints " +
                                key_ + ": " + failure.message};
}

MirrorWriter::Failure MirrorWriter::track(SliceOperation operation, SliceWriteResult answer) {
  if (!answer) return std::move(answer).error();
  if (*answer) tracker_.wrote(key_, (*answer)->uid, (*answer)->generation, (*answer)->version);
  on_write_(operation);
  return std::nullopt;
}

MirrorWriter::Failure MirrorWriter::remove(const kube::EndpointSliceRecord& slice) {
  // Before the watch can say so, or it would look like somebody else's doing.
  if (port_.is_real()) tracker_.deleted(key_, slice.meta.uid.view());
  const auto answer = port_.remove(slice);
  if (!answer && !kube::is_not_found(answer.error())) {
    tracker_.forget_slice(key_, slice.meta.uid.view());
    return answer.error();
  }
  on_write_(SliceOperation::Delete);
  return std::nullopt;
}

Status MirrorWriter::write(const slices::MirrorDraft& draft) {
  using slices::FamilyDraft;
  const SliceTracker::Writing writing(tracker_, key_);
  bool namespace_ends = false;
  auto error = each(draft.families, &FamilyDraft::creates, [&](const slices::SliceDraft& slice) {
    const Failure failure = track(SliceOperation::Create, port_.create(slice));
    namespace_ends = failure && is_namespace_ending(*failure);
    return failure ? std::optional(failed("create ", *failure)) : std::nullopt;
  });
  if (namespace_ends) return Unit{};
  if (error) return std::move(*error);
  error = each(draft.families, &FamilyDraft::updates, [&](const slices::SliceDraft& slice) {
    const Failure failure = track(SliceOperation::Update, port_.update(slice));
    return failure ? std::optional(failed(mirror_action("update", slice.value), *failure))
                   : std::nullopt;
  });
  if (error) return std::move(*error);
  error = each(draft.families, &FamilyDraft::deletes, [&](const SliceRef& slice) {
    const Failure failure = remove(*slice);
    return failure ? std::optional(failed(mirror_action("delete", *slice), *failure))
                   : std::nullopt;
  });
  if (error) return std::move(*error);
  return Unit{};
}

Status MirrorWriter::remove_all(std::span<const SliceRef> slices) {
  const SliceTracker::Writing writing(tracker_, key_);
  std::size_t failures = 0;
  std::string first;
  for (const SliceRef& slice : slices) {
    const Failure failure = remove(*slice);
    if (failure && failures++ == 0) first = failure->message;
  }
  if (failures == 0) return Unit{};
  return Error{ErrorCode::Retry, "error(s) deleting " + std::to_string(failures) + "/" +
                                     std::to_string(slices.size()) + " EndpointSlices for " + key_ +
                                     " Endpoints, including: " + first};
}

}  // namespace proxima::controller
