// SPDX-License-Identifier: Apache-2.0
// What was seen of the node that the program runs on, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::checks {

struct ConntrackUse {
  std::int64_t tracked = 0;
  std::int64_t most = 0;
};

enum class CgroupHierarchy : std::uint8_t { Unknown, One, Two };
enum class ClockState : std::uint8_t { Unknown, Synchronized, Unsynchronized };

struct NodeFacts {
  std::string kernel_release;  // "6.1.0-18-amd64"; "" when it cannot be read
  bool has_net_admin = false;
  Status nftables = Unit{};  // whether rules can be read, which needs the right to write
  std::optional<ConntrackUse> conntrack;  // none: the module is not loaded
  // Settings that differ from what the proxy wants and cannot be written, each with the reason.
  std::vector<std::string> refused_settings;
  std::string refused_oom_score;  // the same for the score of the process; "" when it is fine
  CgroupHierarchy cgroup = CgroupHierarchy::Unknown;
  ClockState clock = ClockState::Unknown;
  std::vector<std::string> kube_proxy_rules;   // that --take-over removes: "table ip kube-proxy"
  std::vector<std::string> kube_proxy_traces;  // that it cannot remove, one sentence each
  std::vector<std::string> proxima_tables;     // of the proxy without a name: "ip proxima"
  std::vector<std::string> ebpf_traces;        // "Cilium: device cilium_host"
};

}  // namespace proxima::checks
