// as: src/controller/pigeon_record.cc
// breaks: number-without-bounds
// ---
// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"

std::int64_t count_of(const proxima::wire::JsonObject& pigeon) {
  return proxima::kube::decode_integer(pigeon, "count").value_or(0);
}
