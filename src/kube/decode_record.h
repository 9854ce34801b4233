// SPDX-License-Identifier: Apache-2.0
// One JSON object → one record, by the rules of wire/decode_objects.h. What is wrong with a field
// is reported through the object, and the rest is kept.
#pragma once

#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/string_pool.h"
#include "core/model/labels.h"
#include "kube/endpoint_slice_record.h"
#include "kube/endpoints_record.h"
#include "kube/event_record.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/record_sharing.h"
#include "kube/service_cidr_record.h"
#include "kube/service_record.h"

namespace proxima::wire {
class JsonObject;
}

namespace proxima::kube {

// What decoders of one thread use again and again. The names are those of the object being read:
// they are forgotten before they are many, because names of Pods never come back.
class DecodeScratch {
 public:
  // Names of earlier objects are no longer valid.
  StringPool& names();
  RecordSharing& sharing() { return sharing_; }
  // The shared text of a name: most names of an object were in the one before it.
  Text shared(NameId id);
  LabelSetRef shared(const std::vector<model::Label>& labels);

 private:
  StringPool names_;
  std::vector<Text> texts_;  // of names_, as far as they were asked for
  RecordSharing sharing_;
};

// Null: nothing can be made of the object, and the report says why. It has a name.
template <class Record>
Ref<const Record> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);

template <>
Ref<const PodRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const ServiceRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const NodeRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const NamespaceRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const EndpointSliceRecord> decode_record(const wire::JsonObject& object,
                                             DecodeScratch& scratch);
template <>
Ref<const EndpointsRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const ServiceCidrRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);
template <>
Ref<const EventRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch);

}  // namespace proxima::kube
