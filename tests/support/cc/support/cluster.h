// SPDX-License-Identifier: Apache-2.0
// A cluster in one string, so that a test's table shows its whole world. Statements end with ';' or
// a line break; words are separated by blanks; a mistake in the notation ends the test program.
//
//   node NAME ZONE CPU [!ready] [control-plane] [region=R] [traffic=N] [KEY=VALUE label …]
//       ZONE '-': no zone label. CPU is a quantity; '-': the node reports none.
//   namespace NAME [policy=… overload=… keys=a,b demand=… min-local=… node-first=… panic=…
//                   auto-start=… auto-stop=… failover=… fallback=…]
//   service NS/NAME [POLICY] [SETTING=VALUE …]
//       POLICY: Auto (annotation topology-mode), PreferClose, PreferSameZone, PreferSameNode (field
//       trafficDistribution), anything else is proxima.io/policy.
//       SETTING: those of a namespace, and mode= (topology-mode), hints= (topology-aware-hints),
//       distribution=, traffic-policy=, topology-keys=a,b (field), internal=Local, external=Local,
//       type=NodePort, and the words headless, external-ips, load-balancer-ip, v6 (dual stack).
//   endpoint NODE [xCOUNT] [!ready|?ready] [!serving] [terminating] [zone=Z] [hint=a,b]
//            [node-hint=n1] [weight=2] [pod=NAME] [v6]
//       Of the service above it, in the zone of the node unless zone= says another ('-': none).
//       NODE '-': no node. ready, serving, terminating are said; '?ready' leaves all three unsaid.
//   slice
//       The next endpoint of the service starts another slice.
//   pod NS/NAME NODE [!ready] [owner=Kind/name] [KEY=VALUE label …]
//
// cluster("node n1 a 4; node n2 b 2; service ns/web Auto; endpoint n1 x2; endpoint n2 !ready")
#pragma once

#include <string_view>

#include "core/model/snapshot.h"

namespace proxima::test {

// Slices are never derived: a service has the endpoints written under it, or none.
model::SnapshotPtr cluster(std::string_view notation);

// A node in each of three zones, to put Services behind.
inline constexpr const char* kThreeZones = "node n1 a 1; node n2 b 1; node n3 c 1;";

}  // namespace proxima::test
