// SPDX-License-Identifier: Apache-2.0
// One address that serves a Service, as an EndpointSlice lists it.
#pragma once

#include <cstdint>

#include "base/ip_address.h"
#include "core/model/ids.h"

namespace proxima::model {

// A condition of an endpoint; Kubernetes distinguishes "not said".
enum class Condition : std::uint8_t { Unset, False, True };

struct Endpoint {
  IpAddress address;  // the first address: consumers use no other
  NodeIndex node;     // none: no nodeName, or a node that is not in the snapshot
  ZoneIndex zone;     // none: the slice gives no zone
  Condition ready = Condition::Unset;
  Condition serving = Condition::Unset;
  Condition terminating = Condition::Unset;
  std::uint8_t zone_hint_count = 0;  // hints found in the dump; at most 8
  std::uint8_t node_hint_count = 0;  // at most 8
  float weight = 1;                  // proxima.io/weight of the Pod, > 0
  std::uint32_t hints = 0;           // first of zone_hint_count zones, then node_hint_count nodes,
                                     // in Snapshot::hints
  NameId pod;                        // name of the Pod behind it; none when not a Pod
};

// For the hint code inside the controller "not said" is not ready; for a proxy it is ready.
inline bool is_ready_for_hints(const Endpoint& e) { return e.ready == Condition::True; }
inline bool is_ready_for_proxy(const Endpoint& e) { return e.ready != Condition::False; }
inline bool is_serving(const Endpoint& e) { return e.serving != Condition::False; }
inline bool is_terminating(const Endpoint& e) { return e.terminating == Condition::True; }

struct EndpointPort {
  NameId name;  // "" for an unnamed port
  NameId protocol;
  std::uint16_t port = 0;
  NameId app_protocol;
};

// What the annotations of a slice say about routing, as written (core/route); none: not there.
struct PublishedTexts {
  NameId split;
  NameId routing;             // fits the endpoints of the slice one to one
  std::uint64_t version = 0;  // of the slice: what was written later counts
};

struct EndpointSlice {
  NameId name;
  ServiceIndex service;  // none: no service-name label, or no such Service
  IpFamily family = IpFamily::V4;
  Range endpoints;                     // into Snapshot::endpoints
  Range ports;                         // into Snapshot::endpoint_ports
  bool managed_by_controller = false;  // managed-by is the EndpointSlice controller's identity
  bool foreign = false;                // of a Service, but not for this controller to write
  bool derived = false;                // made here from Pods, because the dump had none
  bool rewritten = false;              // is there, and going to be written whatever is planned
  PublishedTexts published;
};

}  // namespace proxima::model
