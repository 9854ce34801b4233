// SPDX-License-Identifier: Apache-2.0
// What a Lease says about who leads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/object_client.h"

namespace proxima::kube {

struct LeaseRecord {
  std::string holder;  // empty: nobody
  std::int64_t duration_seconds = 0;
  // As written. Nobody compares them with a clock: clocks differ, and only changes count.
  std::string acquire_time;
  std::string renew_time;
  std::int64_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

// Of a Lease's JSON; what is missing or of the wrong type is as if it were not said, and numbers
// are within the bounds of core/model/limits.h.
Result<LeaseRecord> parse_lease(std::string_view object);
// The Lease `object` with another record; everything but its spec stays, its version included.
std::string with_record(std::string_view object, const LeaseRecord& record);
// A Lease that does not exist yet.
std::string new_lease(const ObjectRef& ref, const LeaseRecord& record);

}  // namespace proxima::kube
