// SPDX-License-Identifier: Apache-2.0
// Where routes of one address family meet packets. The node proxy knows no more of a kernel than
// this; every call leaves the packets' view whole, before or after the change and never between.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "proxy/held_routes.h"
#include "proxy/route_changes.h"
#include "proxy/route_table.h"

namespace proxima::proxy {

class DataPlane {
 public:
  virtual ~DataPlane() = default;

  // Takes over what an earlier process left and changes what differs from `table`, at a start and
  // after any error. Established connections go on. Unsupported: this kernel lacks something that
  // routes of the family need, nothing is left of the attempt, and trying again soon is no use.
  virtual Status adopt(const RouteTable& table) = 0;
  // From the table of the last call that succeeded to `table`, at a cost in proportion to
  // `changes`.
  virtual Status apply(const RouteTable& table, const RouteChanges& changes) = 0;
  // Compares all that is there with what should be, puts it right, and tells how many things a
  // stranger had changed.
  virtual Result<std::size_t> repair() = 0;
  // Services whose routes of the last call are not what packets meet, because an internal error
  // stopped them on the way. They keep those that they had, and are tried again when they change.
  virtual BrokenServices broken() const { return {}; }
  // Removes all of ours and nothing else. No error when there is nothing.
  virtual Status remove() = 0;
};

}  // namespace proxima::proxy
