// SPDX-License-Identifier: Apache-2.0
// A machine that starts traffic and carries endpoints.
#pragma once

#include "base/quantity.h"
#include "core/model/ids.h"

namespace proxima::model {

struct Node {
  NameId name;
  ZoneIndex zone;      // none: no zone label, or an empty one
  RegionIndex region;  // none: no region label, or an empty one
  Quantity cpu;        // allocatable; zero when the node reports none
  double traffic = 0;  // that starts on it, in any unit, as its annotation says; 0: none, or unsaid
  Range labels;        // into Snapshot::labels
  bool ready = false;
  bool control_plane = false;  // carries the control-plane or master role label
};

}  // namespace proxima::model
