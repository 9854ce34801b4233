// SPDX-License-Identifier: Apache-2.0
// A Pod as the cache holds it: about 250 bytes, because a large cluster has 150,000 of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ip_address.h"
#include "core/model/pod.h"
#include "kube/record.h"

namespace proxima::kube {

struct ContainerPortRecord {
  Text name;
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  friend bool operator==(const ContainerPortRecord&, const ContainerPortRecord&) = default;
};

// What the Pods of one workload have in common.
struct PodWorkload : RefCounted {
  Text owner;                              // "Deployment/web"; none for a bare Pod
  Text subdomain;                          // none when the Pod says none
  std::vector<ContainerPortRecord> ports;  // named ones, in the order in which they are looked for
  float weight = 1;                        // proxima.io/weight
  LabelSetRef node_selector;               // null: none

  friend bool operator==(const PodWorkload& a, const PodWorkload& b) {
    return a.owner == b.owner && a.subdomain == b.subdomain && a.ports == b.ports &&
           a.weight == b.weight && same_labels(a.node_selector, b.node_selector);
  }
};

// At most one of each family, in the order of status.podIPs.
class PodAddresses {
 public:
  static constexpr std::size_t kMax = 2;
  // False: there is no room, which an API server does not let happen.
  bool add(const IpAddress& address) {
    if (count_ == kMax) return false;
    all_[count_++] = address;
    return true;
  }
  std::span<const IpAddress> all() const { return {all_.data(), count_}; }
  friend bool operator==(const PodAddresses&, const PodAddresses&) = default;

 private:
  std::array<IpAddress, kMax> all_{};
  std::uint8_t count_ = 0;
};

struct PodRecord : RefCounted {
  model::PodPhase phase = model::PodPhase::Pending;
  bool ready = false;
  bool has_ready_condition = false;
  bool terminating = false;
  Version version = 0;
  UnixSeconds ready_changed = 0;  // lastTransitionTime of the Ready condition
  UnixSeconds ends_at = 0;        // deletionTimestamp: when its grace is over; 0: it may stay
  Ref<const PodWorkload> workload;
  LabelSetRef labels;
  Text ns;
  Text name;
  Text uid;
  Text node;      // none: not scheduled
  Text hostname;  // none when the Pod says none
  PodAddresses addresses;

  ObjectKey key() const { return {ns.view(), name.view()}; }
};

}  // namespace proxima::kube
