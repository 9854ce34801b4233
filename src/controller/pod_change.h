// SPDX-License-Identifier: Apache-2.0
// What a change of a Pod means for the endpoints made of it. Pure.
#pragma once

#include "kube/cache.h"
#include "kube/pod_record.h"

namespace proxima::controller {

struct PodEffect {
  bool endpoint = false;    // the endpoint is another one: every Service of the Pod is concerned
  bool membership = false;  // it may have other Services: those that lose or gain it are concerned
};

// As upstream looks at it: deletion, readiness and addresses, not the phase and not the node. Of a
// Pod that is being deleted upstream takes every change for news; here the phase is enough, which
// is what makes its endpoint go.
PodEffect effect_of(const kube::Change<kube::PodRecord>& change);

// Whether demand that follows this Pod as a client is another one.
bool concerns_clients(const kube::Change<kube::PodRecord>& change);

}  // namespace proxima::controller
