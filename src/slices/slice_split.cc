// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_split.h"

#include <algorithm>
#include <vector>

#include "core/model/labels.h"
#include "slices/slice_annotation.h"

namespace proxima::slices {
namespace {

using kube::EndpointSliceRecord;
using route::ZoneSplit;

Text split_text(const EndpointSliceRecord& slice) {
  return label(slice.annotations, model::kZoneSplitAnnotation);
}

void set_split(EndpointSliceRecord& slice, const Text& text) {
  if (split_text(slice) != text) {
    slice.annotations = with_annotation(slice.annotations, model::kZoneSplitAnnotation, text);
  }
}

// What carries the split from now on.
class Carrier {
 public:
  Carrier(const ZoneSplit& wanted, FamilyDraft& draft) : wanted_(wanted), draft_(draft) {}

  Text choose() {
    if (wanted_.empty()) return {};
    if (keep_published()) return text_;
    text_ = Text(render(wanted_));
    choose_written_slice();
    return text_;
  }
  bool is(const EndpointSliceRecord& slice) const { return &slice == chosen_; }

 private:
  bool is_near(const Text& published) const {
    if (!published) return false;
    const auto split = route::parse_zone_split(published.view());
    return split && !has_moved(*split, wanted_);
  }

  // Slices that nobody else writes come first: leaving them alone saves a write.
  bool keep_published() {
    for (const SliceRef& slice : draft_.unchanged) {
      if (take_if_near(*slice)) return true;
    }
    return std::any_of(draft_.updates.begin(), draft_.updates.end(),
                       [&](const SliceDraft& slice) { return take_if_near(slice.value); });
  }
  bool take_if_near(const EndpointSliceRecord& slice) {
    const Text text = split_text(slice);
    if (!is_near(text)) return false;
    chosen_ = &slice;
    text_ = text;
    return true;
  }

  // One that carries another split has to be written anyway; then one that is written for other
  // reasons; at last the first that there is.
  void choose_written_slice() {
    for (const SliceRef& slice : draft_.unchanged) {
      if (chosen_ == nullptr && split_text(*slice)) chosen_ = slice.get();
    }
    if (chosen_ == nullptr && !draft_.updates.empty()) chosen_ = &draft_.updates.front().value;
    if (chosen_ == nullptr && !draft_.creates.empty()) chosen_ = &draft_.creates.front().value;
    if (chosen_ == nullptr && !draft_.unchanged.empty()) chosen_ = draft_.unchanged.front().get();
  }

  const ZoneSplit& wanted_;
  FamilyDraft& draft_;
  const EndpointSliceRecord* chosen_ = nullptr;
  Text text_;
};

}  // namespace

std::string write_split(const ZoneSplit& wanted, FamilyDraft& draft) {
  Carrier carrier(wanted, draft);
  const Text text = carrier.choose();
  const auto due = [&](const EndpointSliceRecord& slice) {
    return carrier.is(slice) ? text : Text();
  };
  for (SliceDraft& slice : draft.creates) set_split(slice.value, due(slice.value));
  for (SliceDraft& slice : draft.updates) set_split(slice.value, due(slice.value));
  std::vector<SliceDraft> more;
  std::erase_if(draft.unchanged, [&](const SliceRef& slice) {
    const Text wanted_text = due(*slice);
    if (split_text(*slice) == wanted_text) return false;
    more.push_back({.value = *slice, .before = slice});
    set_split(more.back().value, wanted_text);
    return true;
  });
  for (SliceDraft& slice : more) draft.updates.push_back(std::move(slice));
  return std::string(text.view());
}

}  // namespace proxima::slices
