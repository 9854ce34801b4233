// SPDX-License-Identifier: Apache-2.0
// Which Pods a Service selects, and where they are or want to be. Pure.
#pragma once

#include <string>
#include <string_view>

#include "kube/cache_snapshot.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::agents {

// A Service without a selector, or with an empty one, selects nothing here: its endpoints are not
// the lab's.
bool selects(const kube::ServiceRecord& service, const kube::PodRecord& pod);
// Of its node, or else the one that it asks for; empty: not known.
std::string zone_of(const kube::PodRecord& pod, const kube::CacheSnapshot<kube::NodeRecord>& nodes);
// A Pod that makes requests instead of answering them.
bool is_client(const kube::PodRecord& pod);
// Neither finished nor told to end.
bool is_wanted(const kube::PodRecord& pod);

}  // namespace proxima::agents
