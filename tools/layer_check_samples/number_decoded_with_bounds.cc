// as: src/kube/pigeon_record.cc
// breaks: nothing
// ---
// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"

std::int64_t count_of(const proxima::wire::JsonObject& pigeon) {
  const auto& bounds = limit_of(proxima::model::Bounded::EventCount);
  return proxima::kube::decode_integer(pigeon, "count", bounds).value_or(0);
}
