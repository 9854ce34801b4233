// as: src/kube/pigeon_fields.cc
// breaks: number-without-bounds
// ---
// SPDX-License-Identifier: Apache-2.0
#include "wire/json_object.h"

std::int64_t weight_of(const proxima::wire::JsonObject& pigeon) {
  const auto element = pigeon.find("weight");
  std::int64_t weight = 0;
  if (element && element->get(weight) == simdjson::SUCCESS) return weight;
  return 0;
}
