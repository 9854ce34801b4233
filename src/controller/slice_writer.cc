// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_writer.h"

#include "controller/trigger_times.h"
#include "kube/object_client.h"

namespace proxima::controller {
namespace {

std::string failed(std::string_view what, const std::string& service,
                   const kube::ApiFailure& failure) {
  return std::string(what) + " EndpointSlice for Service " + service + ": " + failure.message;
}

std::string naming(std::string_view verb, const kube::EndpointSliceRecord& slice) {
  return std::string(verb) + " " + std::string(slice.meta.name.view());
}

}  // namespace

kube::LabelSetRef with_trigger_time(const kube::LabelSetRef& annotations,
                                    std::optional<kube::UnixSeconds> time) {
  std::vector<kube::LabelText> all;
  if (annotations) all = annotations->all();
  std::erase_if(all, [](const kube::LabelText& annotation) {
    return annotation.key.view() == kTriggerTimeAnnotation;
  });
  if (time) {
    kube::LabelText added{Text(kTriggerTimeAnnotation), Text(trigger_time_text(*time))};
    const auto place = std::lower_bound(
        all.begin(), all.end(), added,
        [](const kube::LabelText& a, const kube::LabelText& b) { return a.key < b.key; });
    all.insert(place, std::move(added));
  }
  return kube::LabelSetRef(new kube::LabelSet(std::move(all)));
}

void SliceWriter::wrote(SliceOperation operation) const {
  if (on_write_) on_write_(operation);
}

std::optional<kube::ApiFailure> SliceWriter::create(const std::string& service,
                                                    const slices::SliceDraft& draft) {
  auto answer = port_.create(draft);
  if (!answer) return std::move(answer).error();
  if (*answer) tracker_.wrote(service, (*answer)->uid, (*answer)->generation, (*answer)->version);
  wrote(SliceOperation::Create);
  return std::nullopt;
}

std::optional<kube::ApiFailure> SliceWriter::update(const std::string& service,
                                                    const slices::SliceDraft& draft) {
  auto answer = port_.update(draft);
  if (!answer) return std::move(answer).error();
  if (*answer) tracker_.wrote(service, (*answer)->uid, (*answer)->generation, (*answer)->version);
  wrote(SliceOperation::Update);
  return std::nullopt;
}

std::optional<kube::ApiFailure> SliceWriter::remove(const std::string& service,
                                                    const kube::EndpointSliceRecord& slice) {
  // Before the watch can say so, or it would look like somebody else's doing.
  if (port_.is_real()) tracker_.deleted(service, slice.meta.uid.view());
  auto answer = port_.remove(slice);
  // Somebody else was faster, and the watch will say so: nothing is left to retry.
  if (!answer && kube::is_not_found(answer.error())) return std::nullopt;
  if (!answer) {
    // It is still there, and a cache that shows it is not stale.
    tracker_.forget_slice(service, slice.meta.uid.view());
    return std::move(answer).error();
  }
  wrote(SliceOperation::Delete);
  return std::nullopt;
}

SliceWriter::Report SliceWriter::write(const kube::ServiceRecord& service,
                                       slices::FamilyDraft& draft,
                                       std::optional<kube::UnixSeconds> trigger_time) {
  const std::string key = kube::to_text(service.key());
  const SliceTracker::Writing writing(tracker_, key);
  // The garbage collector takes away what is created for a Service that is being deleted.
  const std::size_t creates = service.meta.terminating ? 0 : draft.creates.size();
  for (std::size_t i = 0; i < creates; ++i) {
    slices::SliceDraft& slice = draft.creates[i];
    slice.value.annotations = with_trigger_time(slice.value.annotations, trigger_time);
    const auto failure = create(key, slice);
    if (!failure) continue;
    if (is_namespace_ending(*failure)) return {End::NamespaceEnding, {}};
    return {End::Failed, failed("failed to create", key, *failure)};
  }
  for (slices::SliceDraft& slice : draft.updates) {
    slice.value.annotations = with_trigger_time(slice.value.annotations, trigger_time);
    if (const auto failure = update(key, slice))
      return {End::Failed, failed(naming("failed to update", slice.value), key, *failure)};
  }
  for (const SliceRef& slice : draft.deletes) {
    if (const auto failure = remove(key, *slice))
      return {End::Failed, failed(naming("failed to delete", *slice), key, *failure)};
  }
  return {};
}

std::vector<std::string> SliceWriter::remove_leftovers(const kube::ServiceRecord& service,
                                                       std::span<const SliceRef> slices) {
  const std::string key = kube::to_text(service.key());
  std::vector<std::string> errors;
  for (const SliceRef& slice : slices) {
    if (const auto failure = remove(key, *slice))
      errors.push_back(failed(naming("error deleting", *slice), key, *failure));
  }
  return errors;
}

}  // namespace proxima::controller
