// SPDX-License-Identifier: Apache-2.0
// What an embedded API server is started with.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/store.h"
#include "core/policy/feature_gates.h"
#include "net/listener_policy.h"

namespace proxima::apiserver {

// Clients are on the same machine, most of them behind one address, so what tells them apart is the
// user of their token. Bodies count until they are on the disk, so they have more room than writes
// that wait for it, which are answered 429 before.
inline constexpr net::ListenerPolicy kApiListener = {
    .slots = 1024, .slots_per_address = 1024, .bodies_bytes_max = 128U << 20U};

// The addresses and ports that Services get theirs from.
struct AllocationRanges {
  std::vector<std::string> service_cidrs = {"10.96.0.0/16"};  // one, or one of each family
  std::uint16_t first_node_port = 30000;
  std::uint16_t last_node_port = 32767;
  std::uint64_t seed = 0;  // of the choice among what is free
};

// As upstream has them: a watch that was away for longer begins anew with a list.
struct RetentionLimits {
  std::chrono::seconds history = std::chrono::minutes(5);
  std::chrono::seconds events = std::chrono::hours(1);  // since their last write
};

struct ServerOptions {
  std::string data_directory;
  std::string address = "127.0.0.1";
  std::uint16_t port = 6443;  // 0: any free one
  AllocationRanges ranges;
  StoreOptions::Durability durability = StoreOptions::Durability::Full;
  RetentionLimits retention;
  policy::FeatureGates gates;
  std::string kubeconfig;  // where the administrator's goes; empty: into the data directory
  // Receives short lines for the operator, never a secret. Called on the loop's thread.
  std::function<void(std::string_view)> log;
};

}  // namespace proxima::apiserver
