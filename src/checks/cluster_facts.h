// SPDX-License-Identifier: Apache-2.0
// What the API server said, as plain values. A list that could not be read is an error in its
// place, so that the other checks go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "checks/wanted_rights.h"

namespace proxima::checks {

struct ServerVersion {
  std::string git_version;  // "v1.36.4"
  int major = 0;
  int minor = 0;
};

struct ServerFacts {
  std::string url;
  ServerVersion version;
  std::vector<std::chrono::microseconds> latencies;  // of equal requests
  // How far the server's clock is before this one, to about half a second; none: it does not say.
  std::optional<std::chrono::milliseconds> clock_ahead;
  Clock::WallTime now;  // by the server's clock, or by this one where the server does not say
};

struct NodeRow {
  std::string name;
  std::string zone;      // "": none
  bool has_cpu = false;  // allocatable, and more than nothing
};

struct SliceRow {
  std::string managed_by;         // "": no such label
  bool is_of_api_server = false;  // of the Service default/kubernetes, which it writes itself
  // When kube-controller-manager last wrote it; none: never, or the server does not say.
  std::optional<Clock::WallTime> upstream_wrote;
};

// A DaemonSet or a Deployment.
struct Workload {
  std::string ns;
  std::string name;
  std::string component;  // of Proxima: "controller" or "proxy"; "" for others
  std::string image;      // of its first container
  std::int64_t wanted = 0;
  std::int64_t ready = 0;
  std::int64_t updated = 0;
  bool avoids_proxima = false;  // names the label of nodes that Proxima routes
  bool has_felix_ebpf = false;  // Calico's variable FELIX_BPFENABLED is true
};

// A Pod of kube-controller-manager.
struct ManagerPod {
  std::string name;
  bool runs_slice_controller = true;
};

struct LeaseFacts {
  std::string name;  // "kube-system/proxima-controller"
  std::string holder;
  std::chrono::seconds duration{0};
  std::optional<Clock::WallTime> acquired;
  std::optional<Clock::WallTime> renewed;
};

struct ClusterFacts {
  ServerFacts server;
  Result<std::vector<Right>> refused_rights = std::vector<Right>{};  // of those that are wanted
  Result<std::vector<NodeRow>> nodes = std::vector<NodeRow>{};
  Result<std::vector<SliceRow>> slices = std::vector<SliceRow>{};
  Result<std::vector<Workload>> daemon_sets = std::vector<Workload>{};
  Result<std::vector<Workload>> deployments = std::vector<Workload>{};  // of Proxima alone
  Result<std::vector<ManagerPod>> manager_pods = std::vector<ManagerPod>{};
  // Settings of CNI plugins by which they take Services: "kube-proxy-replacement=true in …".
  Result<std::vector<std::string>> bypasses = std::vector<std::string>{};
  Result<std::optional<LeaseFacts>> lease = std::optional<LeaseFacts>{};  // none: there is none
};

}  // namespace proxima::checks
