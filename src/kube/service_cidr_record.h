// SPDX-License-Identifier: Apache-2.0
// A ServiceCIDR as the cache holds it: ranges that cluster addresses come from.
#pragma once

#include <vector>

#include "kube/record.h"

namespace proxima::kube {

struct ServiceCidrRecord : RefCounted {
  RecordMeta meta;
  std::vector<Text> cidrs;  // as written

  ObjectKey key() const { return {{}, meta.name.view()}; }
};

}  // namespace proxima::kube
