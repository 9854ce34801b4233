// SPDX-License-Identifier: Apache-2.0
// An Event as the cache holds it: what a person reads of it.
#pragma once

#include "kube/record.h"

namespace proxima::kube {

struct EventRecord : RefCounted {
  RecordMeta meta;
  Text type;  // "Normal", "Warning"
  Text reason;
  Text message;
  Text object_kind;  // what it is about
  Text object_ns;
  Text object_name;
  UnixSeconds last = 0;  // when it happened last
  std::int64_t count = 1;

  ObjectKey key() const { return {meta.ns.view(), meta.name.view()}; }
};

}  // namespace proxima::kube
