// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kube/decode_fields.h"

namespace proxima::kube {
namespace {

// Writers of the older kind keep lastTimestamp, those of the newer eventTime and then a series.
UnixSeconds last_time(const wire::JsonObject& event, UnixSeconds created) {
  const UnixSeconds said =
      std::max({decode_time(event, "lastTimestamp"), decode_time(event, "eventTime"),
                decode_time(event.child("series"), "lastObservedTime")});
  return said > 0 ? said : created;
}

}  // namespace

template <>
Ref<const EventRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  RecordSharing& sharing = scratch.sharing();
  auto record = make_ref<EventRecord>();
  record->meta = decode_meta(object.child("metadata"), sharing);
  record->type = decode_text(object, "type", sharing);
  record->reason = decode_text(object, "reason", sharing);
  record->message = Text(object.text("message").value_or(""));
  const wire::JsonObject about = object.child("involvedObject");
  record->object_kind = decode_text(about, "kind", sharing);
  record->object_ns = decode_text(about, "namespace", sharing);
  record->object_name = Text(about.text("name").value_or(""));
  record->last = last_time(object, record->meta.created);
  const model::Limit& bounds = limit_of(model::Bounded::EventCount);
  const std::int64_t old_count = decode_integer(object, "count", bounds).value_or(1);
  record->count = decode_integer(object.child("series"), "count", bounds).value_or(old_count);
  return record;
}

}  // namespace proxima::kube
