// SPDX-License-Identifier: Apache-2.0
// What a change of a Node means for Services. Pure.
#pragma once

#include "kube/cache.h"
#include "kube/node_record.h"

namespace proxima::controller {

struct NodeEffect {
  bool capacity = false;   // plans may come out otherwise: readiness, CPU, traffic, any label
  bool endpoints = false;  // endpoints on it say something else: it came, went or changed its zone
};

NodeEffect effect_of(const kube::Change<kube::NodeRecord>& change);

}  // namespace proxima::controller
