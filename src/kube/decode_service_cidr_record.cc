// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"

namespace proxima::kube {

template <>
Ref<const ServiceCidrRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  auto record = make_ref<ServiceCidrRecord>();
  record->meta = decode_meta(object.child("metadata"), scratch.sharing());
  record->cidrs = decode_texts(object.child("spec"), "cidrs", scratch.sharing());
  return record;
}

}  // namespace proxima::kube
